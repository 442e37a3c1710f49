import { describe, expect, test } from '@jest/globals'
import type { WorkflowHandle } from '@temporalio/client'
import { claimWorkflowId, expiryDue } from '../../../schemas/claims/process.ts'
import { disputeWorkflowId, verdictGiven } from '../../../schemas/disputes/process.ts'
import { chainMoved } from '../../../schemas/processes.ts'
import { MINUTE, shownState, until } from '../../workflows/support/engine.ts'
import { standOf, stepsSince } from '../../workflows/support/outcomes.ts'
import {
  announceTo,
  begunStep,
  CLAIM_STATES,
  contested,
  disputed,
  NEWS,
  OTHERS,
  REST_MS,
  type Reached,
  refuseOnce,
  SAYS,
  WORD,
} from '../../workflows/support/reach.ts'
import type { Step } from '../../workflows/support/scripted-service.ts'
import { useEngine } from '../../workflows/support/use-engine.ts'

const engine = useEngine()

const SLOW = 120_000
type Insisting = 'claimSession' | 'dispute'
type Run = Pick<Reached, 'handle' | 'sessionId'>

interface HeldStep {
  process: Insisting
  step: Step
  /** What the source insists on, where that is not the step itself. */
  insistsOn?: string
  /** Takes the process to the step, which is refused once. */
  reach(): Promise<Run>
  /** What it says of itself meanwhile. */
  says: string
  /** What it does when it has rested. */
  afterwards: string
  /** Where it goes. */
  stands: string
}

const refuse = (step: Step): void => refuseOnce(engine, step)

/** The deadline of a dispute is behind it, and it looks. */
const overdue = async (one: Run): Promise<Run> => {
  const { dispute } = engine.service.disputes.of(one.sessionId)
  if (dispute !== null) dispute.deadlineAt = engine.now() - MINUTE
  await one.handle.signal(chainMoved, NEWS)
  return one
}

/** A rejection that its worker disputes on chain, told of it, with a step refused on the way there. */
const disputedInTheWindow = async (step: Step): Promise<Run> => {
  const one = await contested(engine, 'rejected', 'window')
  engine.service.disputes.disputeOnChain(one.sessionId)
  refuse(step)
  await one.handle.signal(chainMoved, NEWS)
  return one
}

const CLAIM_STEPS: Omit<HeldStep, 'process'>[] = [
  {
    step: 'recordClaim',
    reach: () => CLAIM_STATES.blocked(engine),
    says: 'claiming',
    afterwards: 'admitClaim lockBond recordClaim',
    stands: 'claimed',
  },
  {
    step: 'timeoutClaim',
    insistsOn: 'timeOut',
    reach: () => CLAIM_STATES.resting(engine),
    says: 'expiring',
    afterwards: 'timeoutClaim recordExpiry',
    stands: 'ended expired',
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
    says: 'expiring',
    afterwards: 'recordExpiry',
    stands: 'ended expired',
  },
  {
    step: 'startVerifier',
    reach: async () => {
      refuse('startVerifier')
      return engine.submitted()
    },
    says: 'submitted',
    afterwards: 'startVerifier',
    stands: 'submitted',
  },
  {
    step: 'observeVerdict',
    reach: async () => {
      const claim = await engine.submitted()
      refuse('observeVerdict')
      await claim.handle.signal(chainMoved, NEWS)
      return claim
    },
    says: 'submitted',
    afterwards: 'observeVerdict',
    stands: 'submitted',
  },
  {
    step: 'settleApproval',
    reach: async () => {
      const claim = await engine.submitted()
      refuse('settleApproval')
      await announceTo(engine, claim, 'approved')
      return claim
    },
    says: 'paying',
    afterwards: 'settleApproval',
    stands: 'ended resolved',
  },
  {
    step: 'startDispute',
    reach: async () => {
      const claim = await engine.submitted()
      refuse('startDispute')
      await announceTo(engine, claim, 'rejected')
      return claim
    },
    says: 'contested',
    afterwards: 'startDispute',
    stands: 'contested',
  },
]

const DISPUTE_STEPS: Omit<HeldStep, 'process'>[] = [
  {
    step: 'disputeStanding',
    reach: () => disputedInTheWindow('disputeStanding'),
    says: 'window',
    // Told of news it reads where it stands, and then looks.
    afterwards: 'remindPeople reconcileWithChain remindPeople',
    stands: 'arbitration',
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
    says: 'verdict',
    afterwards: 'remindPeople takeVerdict reconcileWithChain remindPeople',
    stands: 'window',
  },
  {
    step: 'recordLaterVerdict',
    reach: async () => {
      const one = await contested(engine, 'disputed', 'review')
      refuse('recordLaterVerdict')
      await announceTo(engine, one, 'approved')
      return one
    },
    says: 'review',
    afterwards: 'remindPeople recordLaterVerdict applyDecision announceEnd',
    stands: 'ended resolved',
  },
  {
    step: 'reconcileWithChain',
    reach: () => disputedInTheWindow('reconcileWithChain'),
    says: 'window',
    afterwards: 'remindPeople reconcileWithChain remindPeople',
    stands: 'arbitration',
  },
  {
    step: 'remindPeople',
    reach: () => disputedInTheWindow('remindPeople'),
    says: 'window',
    afterwards: 'remindPeople remindPeople',
    stands: 'arbitration',
  },
  {
    step: 'applyDecision',
    reach: async () => {
      const one = await disputed(engine)
      refuse('applyDecision')
      await one.handle.signal(verdictGiven, WORD)
      return one
    },
    says: 'arbitration',
    afterwards: 'remindPeople applyDecision decisionAnswer announceEnd',
    stands: 'ended resolved',
  },
  {
    step: 'applyTimeout',
    reach: async () => {
      const one = await disputed(engine)
      refuse('applyTimeout')
      return overdue(one)
    },
    says: 'arbitration',
    afterwards: 'remindPeople applyTimeout announceEnd',
    stands: 'ended closed',
  },
  {
    // Of a silence that came to nothing before.
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
    says: 'arbitration',
    afterwards: 'remindPeople remindPeople applyTimeout announceEnd',
    stands: 'ended closed',
  },
]

const STEPS: HeldStep[] = [
  ...CLAIM_STEPS.map((row) => ({ process: 'claimSession' as const, ...row })),
  ...DISPUTE_STEPS.map((row) => ({ process: 'dispute' as const, ...row })),
]

const isRunning = async (handle: WorkflowHandle): Promise<boolean> => (await handle.describe()).status.name === 'RUNNING'
const untilBlocked = async (handle: WorkflowHandle): Promise<void> => {
  await until(async () => (await shownState(handle)) === 'blocked' || !(await isRunning(handle)))
  expect([await shownState(handle), await isRunning(handle)]).toEqual(['blocked', true])
}
/** What an operator sees of where it stands. */
const shownOf = (stands: string): string => (stands === 'window' ? 'rejected' : stands.replace('ended ', ''))

describe('a refused step', () => {
  test.each(STEPS)(
    'of $process, $step: is held with the job taken, tried again, and then it is $stands',
    async ({ process, reach, says, afterwards, stands }) => {
      const { handle, sessionId } = await reach()
      await untilBlocked(handle)
      expect(await isRunning(engine.client.workflow.getHandle(claimWorkflowId(sessionId.slice(0, sessionId.indexOf(':')))))).toBe(true)
      expect(await SAYS[process](handle)).toBe(says)
      const before = engine.service.steps().length
      await engine.move(REST_MS)
      expect(stepsSince(engine, before, OTHERS[process])).toBe(afterwards)
      expect(await standOf(handle, SAYS[process])).toBe(stands)
      expect(await shownState(handle)).toBe(shownOf(stands))
    },
    SLOW,
  )

  test('keeps what is said to the claim meanwhile', async () => {
    refuse('startVerifier')
    const claim = await engine.submitted()
    await untilBlocked(claim.handle)
    await announceTo(engine, claim, 'approved')
    const before = engine.service.steps().length
    await engine.move(REST_MS)
    expect(stepsSince(engine, before, OTHERS.claimSession)).toBe('startVerifier readVerdict settleApproval')
    expect(await standOf(claim.handle, SAYS.claimSession)).toBe('ended resolved')
  })
})
