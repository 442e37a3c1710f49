import { describe, expect, test } from '@jest/globals'
import type { WorkflowHandle } from '@temporalio/client'
import { claimWorkflowId, expiryDue } from '../../../schemas/claims/process.ts'
import { disputeProgress, disputeWorkflowId, verdictGiven } from '../../../schemas/disputes/process.ts'
import { chainMoved } from '../../../schemas/processes.ts'
import { sampleOf } from '../../support/cases/sample.ts'
import { MINUTE, shownDetails, shownState, until } from '../../workflows/support/engine.ts'
import { standOf, stepsSince } from '../../workflows/support/outcomes.ts'
import {
  announceTo,
  begunStep,
  CHAIN_EVENT,
  CLAIM_STATES,
  contested,
  DECISION,
  disputed,
  REST_MS,
  type Reached,
  refuseOnce,
  SIBLING_STEPS,
  STATE_OF,
} from '../../workflows/support/reach.ts'
import type { Step } from '../../workflows/support/scripted-service.ts'
import { useEngine } from '../../workflows/support/use-engine.ts'

// Every workflow task replays its history: claims and disputes are deterministic at each of their steps.
const engine = useEngine({ cachedWorkflows: 0 })

type Retrying = 'claimSession' | 'dispute'
type Run = Pick<Reached, 'handle' | 'sessionId'>

interface BlockedStep {
  process: Retrying
  step: Step
  /** Takes the process to the step, which is refused once. */
  reach(): Promise<Run>
  /** State that it shows meanwhile. */
  shows: string
  /** Steps after the pause. */
  afterwards: string
  /** State after them. */
  state: string
}

const refuse = (step: Step): void => refuseOnce(engine, step)

/** The deadline of a dispute is over, and the dispute reconciles. */
const overdue = async (one: Run): Promise<Run> => {
  const { dispute } = engine.service.disputes.of(one.sessionId)
  if (dispute !== null) dispute.deadlineAt = engine.now() - MINUTE
  await one.handle.signal(chainMoved, CHAIN_EVENT)
  return one
}

/** A rejection that its worker disputes on chain, with a step refused on the way there. */
const disputedInTheWindow = async (step: Step): Promise<Run> => {
  const one = await contested(engine, 'rejected', 'window')
  engine.service.disputes.disputeOnChain(one.sessionId)
  refuse(step)
  await one.handle.signal(chainMoved, CHAIN_EVENT)
  return one
}

const CLAIM_STEPS: Omit<BlockedStep, 'process'>[] = [
  {
    step: 'recordClaim',
    reach: () => CLAIM_STATES.blocked(engine),
    shows: 'claiming',
    afterwards: 'admitClaim lockBond recordClaim',
    state: 'claimed',
  },
  {
    step: 'timeoutClaim',
    reach: () => CLAIM_STATES.resting(engine),
    shows: 'expiring',
    afterwards: 'timeoutClaim recordExpiry',
    state: 'ended expired',
  },
  {
    step: 'recordExpiry',
    reach: async () => {
      const claim = await engine.claimed()
      refuse('recordExpiry')
      engine.moveServiceClock(claim.expiresAt + 1_000 - engine.now())
      await claim.handle.signal(expiryDue)
      return claim
    },
    shows: 'expiring',
    afterwards: 'recordExpiry',
    state: 'ended expired',
  },
  {
    step: 'startVerifier',
    reach: async () => {
      refuse('startVerifier')
      return engine.submitted()
    },
    shows: 'submitted',
    afterwards: 'startVerifier',
    state: 'submitted',
  },
  {
    step: 'observeVerdict',
    reach: async () => {
      const claim = await engine.submitted()
      refuse('observeVerdict')
      await claim.handle.signal(chainMoved, CHAIN_EVENT)
      return claim
    },
    shows: 'submitted',
    afterwards: 'observeVerdict',
    state: 'submitted',
  },
  {
    step: 'settleApproval',
    reach: async () => {
      const claim = await engine.submitted()
      refuse('settleApproval')
      await announceTo(engine, claim, 'approved')
      return claim
    },
    shows: 'paying',
    afterwards: 'settleApproval',
    state: 'ended resolved',
  },
  {
    step: 'startDispute',
    reach: async () => {
      const claim = await engine.submitted()
      refuse('startDispute')
      await announceTo(engine, claim, 'rejected')
      return claim
    },
    shows: 'contested',
    afterwards: 'startDispute',
    state: 'contested',
  },
]

const DISPUTE_STEPS: Omit<BlockedStep, 'process'>[] = [
  {
    step: 'disputeStanding',
    reach: () => disputedInTheWindow('disputeStanding'),
    shows: 'window',
    // After an event it reads its state, and then reconciles.
    afterwards: 'remindPeople reconcileWithChain remindPeople',
    state: 'arbitration',
  },
  {
    step: 'takeVerdict',
    reach: async () => {
      const claim = await engine.submitted()
      refuse('takeVerdict')
      await announceTo(engine, claim, 'rejected')
      await begunStep(engine, 'takeVerdict')
      return { ...claim, handle: engine.client.workflow.getHandle(disputeWorkflowId(claim.sessionId)) }
    },
    shows: 'verdict',
    afterwards: 'remindPeople takeVerdict reconcileWithChain remindPeople',
    state: 'window',
  },
  {
    step: 'recordLaterVerdict',
    reach: async () => {
      const one = await contested(engine, 'disputed', 'review')
      refuse('recordLaterVerdict')
      await announceTo(engine, one, 'approved')
      return one
    },
    shows: 'review',
    afterwards: 'remindPeople recordLaterVerdict applyDecision announceEnd',
    state: 'ended resolved',
  },
  {
    step: 'reconcileWithChain',
    reach: () => disputedInTheWindow('reconcileWithChain'),
    shows: 'window',
    afterwards: 'remindPeople reconcileWithChain remindPeople',
    state: 'arbitration',
  },
  {
    step: 'remindPeople',
    reach: () => disputedInTheWindow('remindPeople'),
    shows: 'window',
    afterwards: 'remindPeople remindPeople',
    state: 'arbitration',
  },
  {
    step: 'applyDecision',
    reach: async () => {
      const one = await disputed(engine)
      refuse('applyDecision')
      await one.handle.signal(verdictGiven, DECISION)
      return one
    },
    shows: 'arbitration',
    afterwards: 'remindPeople applyDecision decisionAnswer announceEnd',
    state: 'ended resolved',
  },
  {
    step: 'applyTimeout',
    reach: async () => {
      const one = await disputed(engine)
      refuse('applyTimeout')
      return overdue(one)
    },
    shows: 'arbitration',
    afterwards: 'remindPeople applyTimeout announceEnd',
    state: 'ended closed',
  },
  {
    // After a time-out without effect.
    step: 'remindPeople',
    reach: async () => {
      const one = await disputed(engine)
      engine.service.replay({ applyTimeout: async () => undefined })
      await overdue(one)
      await begunStep(engine, 'applyTimeout')
      await engine.untilIdle()
      engine.service.replay({ applyTimeout: engine.service.usual.applyTimeout })
      refuse('remindPeople')
      await engine.move(REST_MS)
      return one
    },
    shows: 'arbitration',
    afterwards: 'remindPeople remindPeople applyTimeout announceEnd',
    state: 'ended closed',
  },
]

/** The steps of a dispute take long: a sample has two of them, one that ends it and one that does not. */
const PLAYED = sampleOf(DISPUTE_STEPS, ({ state }) => [state.startsWith('ended')])
const STEPS: BlockedStep[] = [
  ...CLAIM_STEPS.map((row) => ({ process: 'claimSession' as const, ...row })),
  ...PLAYED.map((row) => ({ process: 'dispute' as const, ...row })),
]

const isRunning = async (handle: WorkflowHandle): Promise<boolean> => (await handle.describe()).status.name === 'RUNNING'
const untilBlocked = async (handle: WorkflowHandle): Promise<void> => {
  await until(async () => (await shownState(handle)) === 'blocked' || !(await isRunning(handle)))
  expect([await shownState(handle), await isRunning(handle)]).toEqual(['blocked', true])
}
/** SessionState of a state, as operators filter by it. */
const shownOf = (state: string): string => (state === 'window' ? 'rejected' : state.replace('ended ', ''))

describe('a refused step', () => {
  test.each(STEPS)(
    '$step of $process: blocks it with the job taken, is retried after ten minutes, and leads to $state',
    async ({ process, reach, shows, afterwards, state }) => {
      const { handle, sessionId } = await reach()
      await untilBlocked(handle)
      expect(await isRunning(engine.client.workflow.getHandle(claimWorkflowId(sessionId.slice(0, sessionId.indexOf(':')))))).toBe(true)
      expect(await STATE_OF[process](handle)).toBe(shows)
      expect(await shownDetails(handle)).toMatch(/ Blocked by \w+; next attempt in 10 minutes\.$/)
      const before = engine.service.steps().length
      await engine.move(REST_MS)
      expect(stepsSince(engine, before, SIBLING_STEPS[process])).toBe(afterwards)
      expect(await standOf(handle, STATE_OF[process])).toBe(state)
      expect(await shownState(handle)).toBe(shownOf(state))
    },
  )

  test('of a decided dispute leaves it waiting for the chain', async () => {
    const { handle } = await disputed(engine)
    refuse('applyDecision')
    await handle.signal(verdictGiven, DECISION)
    await untilBlocked(handle)
    expect(await handle.query(disputeProgress)).toMatchObject({ stage: 'arbitration', next: 'the chain' })
  })

  test('leaves a verdict that comes meanwhile to the claim', async () => {
    refuse('startVerifier')
    const claim = await engine.submitted()
    await untilBlocked(claim.handle)
    await announceTo(engine, claim, 'approved')
    const before = engine.service.steps().length
    await engine.move(REST_MS)
    expect(stepsSince(engine, before, SIBLING_STEPS.claimSession)).toBe('startVerifier readVerdict settleApproval')
    expect(await standOf(claim.handle, STATE_OF.claimSession)).toBe('ended resolved')
  })
})
