// What ends each state of each workflow when no message comes.
import type { WorkflowHandle } from '@temporalio/client'
import { DAY, type Engine, HOUR, inTurn, MINUTE } from './engine.ts'
import type { CLAIM_STATES, DISPUTE_STATES, VERIFIER_STATES } from './reach.ts'
import {
  deliveryIn,
  ENDPOINT,
  endpointIn,
  lockIn,
  playConsents,
  postingIn,
  RELEASED,
  runIn,
  templateIn,
  VESTED,
  vestsAt,
} from './savings.ts'
import type { Step } from './scripted-service.ts'

/**
 * A timer fires within `afterMs`, a long one not three minutes earlier: it leads to a step and a state. A step under way is retried so often
 * (0: without end). Or the workflow has ended.
 */
export type Timeout = { afterMs: number; step: Step; state: string } | { attempts: number } | 'ended'

const WITHOUT_END = { attempts: 0 }
const HANDLER_ATTEMPTS = { attempts: 3 }

export const CLAIM_TIMEOUTS: Record<keyof typeof CLAIM_STATES, Timeout> = {
  claiming: WITHOUT_END,
  blocked: { afterMs: 11 * MINUTE, step: 'recordClaim', state: 'claimed' },
  claimed: { afterMs: HOUR + MINUTE, step: 'recordExpiry', state: 'ended expired' },
  submitting: WITHOUT_END,
  expiring: WITHOUT_END,
  resting: { afterMs: 11 * MINUTE, step: 'recordExpiry', state: 'ended expired' },
  submitted: { afterMs: DAY + MINUTE, step: 'startVerifier', state: 'submitted' },
  paying: WITHOUT_END,
  contested: { afterMs: DAY + MINUTE, step: 'startDispute', state: 'contested' },
  refused: 'ended',
  resolved: 'ended',
}

export const DISPUTE_TIMEOUTS: Record<keyof typeof DISPUTE_STATES, Timeout> = {
  verdict: WITHOUT_END,
  window: { afterMs: 7 * DAY + MINUTE, step: 'applyTimeout', state: 'ended rejected' },
  review: { afterMs: 14 * DAY + MINUTE, step: 'applyTimeout', state: 'ended resolved' },
  arbitration: { afterMs: 14 * DAY + MINUTE, step: 'applyTimeout', state: 'ended closed' },
  blocked: { afterMs: 11 * MINUTE, step: 'reconcileWithChain', state: 'review' },
  prepared: { afterMs: 14 * DAY + MINUTE, step: 'applyTimeout', state: 'ended closed' },
  deciding: WITHOUT_END,
  final: WITHOUT_END,
  ended: 'ended',
}

export const VERIFIER_TIMEOUTS: Record<keyof typeof VERIFIER_STATES, Timeout> = {
  evaluating: HANDLER_ATTEMPTS,
  unavailable: { afterMs: 48 * HOUR + MINUTE, step: 'recordReviewRequired', state: 'ended' },
  announcing: WITHOUT_END,
  reading: HANDLER_ATTEMPTS,
  approving: HANDLER_ATTEMPTS,
  notifying: WITHOUT_END,
  watching: { afterMs: 31 * MINUTE, step: 'readPullRequest', state: 'verifying' },
  decided: 'ended',
}

interface SavingsTimeout {
  workflow: string
  /** SessionState, which operators see. */
  state: string
  reach(engine: Engine): Promise<WorkflowHandle>
  afterMs: number
  /** Runs a second time. */
  step: Step
}

/** The waiting states of workflows of savings and webhooks. */
export const SAVINGS_TIMEOUTS: SavingsTimeout[] = [
  {
    workflow: 'principalVesting',
    state: 'vesting',
    reach: (engine) => {
      engine.service.replay({ advanceVesting: inTurn(vestsAt(engine.now() + 2 * DAY), VESTED) })
      return engine.beginVesting('0x1')
    },
    afterMs: 2 * DAY + MINUTE,
    step: 'advanceVesting',
  },
  {
    workflow: 'principalVesting',
    state: 'unread',
    reach: (engine) => {
      engine.service.replay({ advanceVesting: inTurn({ kind: 'unread', reason: 'chain_events_incomplete' } as const, VESTED) })
      return engine.beginVesting('0x2')
    },
    afterMs: 2 * MINUTE,
    step: 'advanceVesting',
  },
  {
    workflow: 'lockedDeposit',
    state: 'active',
    reach: (engine) => {
      engine.service.replay({ advanceLock: inTurn(lockIn('active', engine.now() + 30 * DAY), RELEASED) })
      return engine.beginLock('0xa')
    },
    afterMs: 30 * DAY + MINUTE,
    step: 'advanceLock',
  },
  {
    workflow: 'lockedDeposit',
    state: 'exiting',
    reach: (engine) => {
      engine.service.replay({ advanceLock: inTurn(lockIn('exiting', engine.now() + 2 * DAY), RELEASED) })
      return engine.beginLock('0xb', null)
    },
    afterMs: 2 * DAY + MINUTE,
    step: 'advanceLock',
  },
  {
    workflow: 'externalPosting',
    state: 'awaiting_funding',
    reach: (engine) => {
      engine.service.replay({ reconcilePosting: inTurn(postingIn('awaiting_funding', engine.now() + 3 * DAY), postingIn('expired')) })
      return engine.beginPosting(`0x${'a'.repeat(64)}`)
    },
    afterMs: 3 * DAY + MINUTE,
    step: 'reconcilePosting',
  },
  {
    workflow: 'externalPosting',
    state: 'live',
    reach: (engine) => {
      engine.service.replay({ reconcilePosting: inTurn(postingIn('live'), postingIn('settled')) })
      return engine.beginPosting(`0x${'b'.repeat(64)}`)
    },
    afterMs: DAY + MINUTE,
    step: 'reconcilePosting',
  },
  {
    workflow: 'deliveryTracking',
    state: 'open',
    reach: (engine) => {
      engine.service.replay({ readDelivery: inTurn(deliveryIn('open', engine.now() + DAY), deliveryIn('merged')) })
      return engine.beginDelivery('job:0x1')
    },
    afterMs: DAY + MINUTE,
    step: 'readDelivery',
  },
  {
    workflow: 'deliveryTracking',
    state: 'merged',
    reach: (engine) => {
      engine.service.replay({ readDelivery: inTurn(deliveryIn('merged', engine.now() + DAY), deliveryIn('reverted')) })
      return engine.beginDelivery('job:0x2')
    },
    afterMs: DAY + MINUTE,
    step: 'readDelivery',
  },
  {
    workflow: 'verificationRun',
    state: 'capturing',
    reach: (engine) => {
      engine.service.replay({ billRun: inTurn(runIn('capturing', engine.now() + MINUTE), runIn('captured')) })
      return engine.beginPaidRun('a'.repeat(64))
    },
    afterMs: 2 * MINUTE,
    step: 'billRun',
  },
  {
    workflow: 'idleAllocation',
    state: 'active',
    reach: (engine) => {
      playConsents(engine, engine.now() + 90 * DAY, null)
      return engine.beginIdleAllocation('0x3')
    },
    afterMs: 90 * DAY + MINUTE,
    step: 'readIdleConsent',
  },
  {
    workflow: 'webhook',
    state: 'waiting',
    reach: (engine) => {
      engine.service.replay({ deliverEvents: inTurn(endpointIn('waiting')) })
      return engine.beginWebhook(ENDPOINT)
    },
    afterMs: DAY + MINUTE,
    step: 'deliverEvents',
  },
  {
    workflow: 'webhook',
    state: 'retrying',
    reach: (engine) => {
      engine.service.replay({ deliverEvents: inTurn(endpointIn('retrying', engine.now() + HOUR), endpointIn('paused')) })
      return engine.beginWebhook(ENDPOINT)
    },
    afterMs: HOUR + MINUTE,
    step: 'deliverEvents',
  },
  {
    workflow: 'recurringJob',
    state: 'waiting',
    reach: (engine) => {
      engine.service.replay({ advanceTemplate: inTurn(templateIn('waiting', engine.now() + 7 * DAY, 0), templateIn('ended', null, 1)) })
      return engine.beginTemplate('weekly-links')
    },
    afterMs: 7 * DAY + MINUTE,
    step: 'advanceTemplate',
  },
  {
    workflow: 'recurringJob',
    state: 'held',
    reach: (engine) => {
      engine.service.replay({ advanceTemplate: inTurn(templateIn('held', engine.now() + HOUR, 0), templateIn('ended', null, 1)) })
      return engine.beginTemplate('held-links')
    },
    afterMs: HOUR + MINUTE,
    step: 'advanceTemplate',
  },
  {
    workflow: 'recurringJob',
    state: 'paused',
    reach: (engine) => {
      engine.service.replay({ advanceTemplate: inTurn(templateIn('paused', null, 0), templateIn('ended', null, 0)) })
      return engine.beginTemplate('paused-links')
    },
    afterMs: DAY + MINUTE,
    step: 'advanceTemplate',
  },
]
