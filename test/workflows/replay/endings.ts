// The other endings of workflows: one history for each, beside the rich ones of the scenarios.

import { verdictGiven } from '../../../schemas/disputes/process.ts'
import { ServiceError } from '../../../schemas/errors.ts'
import { DAY, type Engine, HOUR, MINUTE } from '../support/engine.ts'
import { CLAIM_STATES, contested, DECISION, disputed, VERIFIER_STATES } from '../support/reach.ts'
import { SAVINGS_TIMEOUTS } from '../support/timeouts.ts'
import type { Scenario } from './scenarios.ts'

/** A disputed claim whose dispute ends by this verdict; `of` names the process whose history is kept. */
const decided = (verdict: 'upheld' | 'dismissed', of: 'claim' | 'dispute') => async (engine: Engine) => {
  const { claim, handle } = await disputed(engine)
  await handle.signal(verdictGiven, { ...DECISION, verdict })
  await handle.result()
  return of === 'claim' ? claim : handle
}

/** A rejection whose window ends without a dispute. */
const final = (of: 'claim' | 'dispute') => async (engine: Engine) => {
  const { claim, handle } = await contested(engine, 'rejected', 'window')
  await engine.move(7 * DAY + MINUTE)
  await handle.result()
  return of === 'claim' ? claim : handle
}

const CLAIMS: Readonly<Record<string, Scenario>> = {
  'claimSession-refused': {
    result: { status: 'refused:job_not_found' },
    through: { admitClaim: 1, releaseClaim: 1 },
    play: async (engine) => (await CLAIM_STATES.refused(engine)).handle,
  },
  'claimSession-resolved': {
    result: { status: 'resolved' },
    through: { settleApproval: 1 },
    play: async (engine) => (await CLAIM_STATES.resolved(engine)).handle,
  },
  'claimSession-expired': {
    result: { status: 'expired' },
    through: { timeoutClaim: 1, recordExpiry: 1 },
    play: async (engine) => {
      const { handle } = await engine.claimed()
      await engine.move(HOUR + MINUTE)
      return handle
    },
  },
  'claimSession-late': {
    result: {},
    through: { recordLateSubmission: 1 },
    play: async (engine) => {
      engine.service.play({ submitOnChain: async () => Promise.reject(new ServiceError('claim_expired')) })
      const { handle, sessionId } = await engine.claimed()
      await engine.submit(handle, sessionId, 'work').catch(() => undefined)
      return handle
    },
  },
  'claimSession-rejected': { result: { status: 'rejected' }, through: { startDispute: 1, readEnd: 1 }, play: final('claim') },
  'claimSession-upheld': { result: { status: 'rejected' }, through: { startDispute: 1, readEnd: 1 }, play: decided('upheld', 'claim') },
  'claimSession-dismissed': {
    result: { status: 'resolved' },
    through: { startDispute: 1, readEnd: 1 },
    play: decided('dismissed', 'claim'),
  },
}

const DISPUTES: Readonly<Record<string, Scenario>> = {
  'dispute-final': { result: { status: 'rejected' }, through: { takeVerdict: 1, applyTimeout: 1 }, play: final('dispute') },
  'dispute-upheld': { result: { status: 'rejected' }, through: { applyDecision: 1 }, play: decided('upheld', 'dispute') },
  'dispute-dismissed': { result: { status: 'resolved' }, through: { applyDecision: 1 }, play: decided('dismissed', 'dispute') },
  'dispute-review': {
    result: { status: 'resolved' },
    through: { applyTimeout: 1 },
    play: async (engine) => {
      const { handle } = await contested(engine, 'disputed', 'review')
      await engine.move(14 * DAY + MINUTE)
      return handle
    },
  },
  'dispute-overdue': {
    result: { status: 'closed' },
    through: { applyTimeout: 1 },
    play: async (engine) => {
      const { handle } = await disputed(engine)
      await engine.move(15 * DAY)
      return handle
    },
  },
}

const VERIFICATIONS: Readonly<Record<string, Scenario>> = {
  'verifierRun-decided': {
    result: {},
    through: { evaluateSubmission: 1, announceVerdict: 1 },
    play: async (engine) => (await VERIFIER_STATES.decided(engine)).handle,
  },
  'verifierRun-review': {
    result: {},
    through: { recordReviewRequired: 1 },
    play: async (engine) => {
      const { handle } = await VERIFIER_STATES.unavailable(engine)
      await engine.move(48 * HOUR + MINUTE)
      return handle
    },
  },
}

/** The waiting states of the other workflows, each with the end that follows from it; a webhook waits without end. */
const WAITING: Readonly<Record<string, Scenario>> = Object.fromEntries(
  SAVINGS_TIMEOUTS.filter(({ workflow, state }) => !(workflow === 'webhook' && state === 'waiting')).map(
    ({ workflow, state, reach, afterMs, step }) => [
      `${workflow}-${state}`,
      {
        result: {},
        through: { [step]: 2 },
        play: async (engine: Engine) => {
          const handle = await reach(engine)
          await engine.move(afterMs)
          return handle
        },
      },
    ],
  ),
)

export const ENDINGS: Readonly<Record<string, Scenario>> = { ...CLAIMS, ...DISPUTES, ...VERIFICATIONS, ...WAITING }
