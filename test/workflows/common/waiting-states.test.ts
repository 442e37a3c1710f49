import { describe, expect, test } from '@jest/globals'
import type { WorkflowHandle } from '@temporalio/client'
import { disputeWorkflowId } from '../../../schemas/disputes/process.ts'
import { ServiceError } from '../../../schemas/errors.ts'
import { chainMoved } from '../../../schemas/processes.ts'
import { consentStands, locked, lockStands, RELEASED } from '../replay/lock-scenarios.ts'
import { read, VESTED, waits } from '../replay/savings-scenarios.ts'
import { ENDPOINT, roundsEnd } from '../replay/webhook-scenarios.ts'
import { DAY, type Engine, HOUR, MINUTE, shownState, timersOf, until } from '../support/engine.ts'
import { useEngine } from '../support/use-engine.ts'

const engine = useEngine()

const decided = async (outcome: 'rejected' | 'disputed') => {
  const claim = await engine.submitted()
  await engine.announce(claim.handle, claim.sessionId, engine.service.decide(claim.sessionId, outcome))
  return claim
}

const disputeOf = ({ sessionId }: { sessionId: string }): WorkflowHandle => engine.client.workflow.getHandle(disputeWorkflowId(sessionId))

interface WaitingState {
  state: string
  reach(): Promise<WorkflowHandle>
  /** How long nobody says anything. */
  silenceMs: number
  outcome: string
  hasHappened(handle: WorkflowHandle): Promise<boolean>
}

const endedAs =
  (status: string) =>
  async (handle: WorkflowHandle): Promise<boolean> =>
    (await handle.describe()).status.name === 'COMPLETED' && ((await handle.result()) as { status: string }).status === status
const called = (step: Parameters<Engine['service']['callsOf']>[0], times: number) => async () =>
  engine.service.callsOf(step).length === times

/** Every state in which a process of this release waits for somebody. Source: architecture, "One door to Temporal". */
const WAITING: WaitingState[] = [
  {
    state: 'claimed',
    reach: async () => (await engine.claimed()).handle,
    silenceMs: 2 * HOUR,
    outcome: 'the claim expires',
    hasHappened: endedAs('expired'),
  },
  {
    state: 'submitted',
    reach: async () => (await engine.submitted()).handle,
    silenceMs: DAY + MINUTE,
    outcome: 'the verifier is started again',
    hasHappened: called('startVerifier', 2),
  },
  {
    state: 'contested',
    reach: async () => (await decided('rejected')).handle,
    silenceMs: DAY + MINUTE,
    outcome: 'the dispute is made sure of',
    hasHappened: called('startDispute', 2),
  },
  {
    state: 'rejected',
    reach: async () => disputeOf(await decided('rejected')),
    silenceMs: 7 * DAY + MINUTE,
    outcome: 'the rejection is final',
    hasHappened: endedAs('rejected'),
  },
  {
    state: 'review',
    reach: async () => disputeOf(await decided('disputed')),
    silenceMs: 14 * DAY + MINUTE,
    outcome: 'half is paid and the bond returned',
    hasHappened: endedAs('resolved'),
  },
  {
    state: 'arbitration',
    reach: async () => {
      const claim = await decided('rejected')
      const dispute = disputeOf(claim)
      await until(async () => (await shownState(dispute).catch(() => '')) === 'rejected')
      engine.service.disputes.disputeOnChain(claim.sessionId)
      await dispute.signal(chainMoved, { chainJobId: '0x', event: 'DisputeOpened', txHash: '0x', blockNumber: '1', logIndex: 0 })
      return dispute
    },
    silenceMs: 14 * DAY + MINUTE,
    outcome: 'the contract’s rule holds',
    hasHappened: endedAs('closed'),
  },
  {
    state: 'vesting',
    reach: () => {
      read(engine, [waits(engine.now() + 2 * DAY), VESTED])
      return engine.beginVesting('0x1')
    },
    silenceMs: 2 * DAY + MINUTE,
    outcome: 'the deposit is announced',
    hasHappened: called('advanceVesting', 2),
  },
  {
    state: 'active',
    reach: () => {
      lockStands(engine, [locked('active', engine.now() + 30 * DAY), RELEASED])
      return engine.beginLock('0xa')
    },
    silenceMs: 30 * DAY + MINUTE,
    outcome: 'the lock is released at the end of its term',
    hasHappened: called('advanceLock', 2),
  },
  {
    state: 'exiting',
    reach: () => {
      lockStands(engine, [locked('exiting', engine.now() + 2 * DAY), RELEASED])
      return engine.beginLock('0xb', null)
    },
    silenceMs: 2 * DAY + MINUTE,
    outcome: 'the lock is released',
    hasHappened: called('advanceLock', 2),
  },
  {
    state: 'active',
    reach: () => {
      consentStands(engine, [engine.now() + 90 * DAY, null])
      return engine.beginIdleAllocation('0x3')
    },
    silenceMs: 90 * DAY + MINUTE,
    outcome: 'the consent expires',
    hasHappened: called('readIdleConsent', 2),
  },
  {
    state: 'unread',
    reach: () => {
      read(engine, [{ kind: 'unread', reason: 'chain_events_incomplete' }, VESTED])
      return engine.beginVesting('0x2')
    },
    silenceMs: 2 * MINUTE,
    outcome: 'the records are read again',
    hasHappened: called('advanceVesting', 2),
  },
  {
    state: 'waiting',
    reach: () => {
      roundsEnd(engine, [{ state: 'waiting', dueAt: null, details: 'Every event is delivered.' }])
      return engine.beginWebhook(ENDPOINT)
    },
    silenceMs: DAY + MINUTE,
    outcome: 'the records are read again',
    hasHappened: called('deliverEvents', 2),
  },
  {
    state: 'retrying',
    reach: () => {
      const dueAt = new Date(engine.now() + HOUR).toISOString()
      roundsEnd(engine, [
        { state: 'retrying', dueAt, details: 'One failed attempt.' },
        { state: 'paused', dueAt: null, details: 'Paused.' },
      ])
      return engine.beginWebhook(ENDPOINT)
    },
    silenceMs: HOUR + MINUTE,
    outcome: 'the delivery is tried again',
    hasHappened: called('deliverEvents', 2),
  },
  {
    state: 'blocked',
    reach: async () => {
      engine.service.play({ recordClaim: async () => Promise.reject(new ServiceError('job_not_found')) })
      return (await engine.beginClaim()).handle
    },
    silenceMs: 11 * MINUTE,
    outcome: 'the step is tried again',
    hasHappened: called('recordClaim', 2),
  },
]

describe('no process waits for ever', () => {
  test.each(WAITING)('$state: when nobody speaks, $outcome', async ({ state, reach, silenceMs, hasHappened }) => {
    const handle = await reach()
    await until(async () => (await shownState(handle).catch(() => '')) === state)
    await until(async () => (await timersOf(handle)).some(({ open }) => open))
    expect(await hasHappened(handle)).toBe(false)
    await engine.move(silenceMs)
    await until(() => hasHappened(handle))
  })

  test('a verification nobody decides goes to people', async () => {
    engine.service.play({ evaluateSubmission: async () => ({ kind: 'unavailable', reasonCode: 'AWAY', detail: 'away' }) })
    const handle = await engine.beginVerification('session-1')
    await until(async () => (await timersOf(handle)).some(({ open }) => open))
    await engine.move(48 * HOUR + MINUTE)
    await handle.result()
    expect(engine.service.callsOf('recordReviewRequired')).toHaveLength(1)
  })
})
