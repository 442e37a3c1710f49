import type { WorkflowHandle } from '@temporalio/client'
import { claimProgress } from '../../../schemas/claims/process.ts'
import { disputeProgress, disputeWorkflowId, verdictGiven, verdictUpdate } from '../../../schemas/disputes/process.ts'
import { type ErrorCode, ServiceError } from '../../../schemas/errors.ts'
import { chainMoved } from '../../../schemas/processes.ts'
import { type PullRequestResult, verifierProgress } from '../../../schemas/verification/process.ts'
import { type Engine, gate, MINUTE, shownState, until } from './engine.ts'
import { HELD, heldPullRequest } from './pull-requests.ts'
import type { Step } from './scripted-service.ts'

/** A workflow in a state. */
export interface Reached {
  handle: WorkflowHandle
  sessionId: string
  /** Lets the step under way end, or ends the pause of a blocked one; nothing where the workflow waits. */
  release(): void | Promise<void>
}

export const CHAIN_EVENT = { chainJobId: '0x', event: 'DisputeOpened', txHash: '0x', blockNumber: '1', logIndex: 0 }
export const DECISION = { verdict: 'dismissed', rationale: 'The work answers the whole task.', by: '0xarbitrator' }

/** Keeps a step under way until the returned function is called. */
export const hold = (engine: Engine, step: Step): (() => void) => {
  const way = gate()
  const usual = engine.service.usual[step] as (input: never) => Promise<unknown>
  engine.service.replay({
    [step]: async (input: never) => {
      await way.passed
      return usual(input)
    },
  })
  return way.open
}

/** Longer than the first pause of a blocked step. */
export const REST_MS = 11 * MINUTE
/** Refuses a step once; then it succeeds. */
export const refuseOnce = (engine: Engine, step: Step, code: ErrorCode = 'invalid_session_transition'): void => {
  const usual = engine.service.usual[step] as (input: never) => Promise<unknown>
  let refused = false
  engine.service.replay({
    [step]: async (input: never) => {
      if (refused) return usual(input)
      refused = true
      throw new ServiceError(code)
    },
  })
}
const shownAsBlocked = (handle: WorkflowHandle) => until(async () => (await shownState(handle)) === 'blocked')

export const begunStep = (engine: Engine, step: Step) => until(() => engine.service.callsOf(step).length > 0)
const waiting = { release: () => undefined }

export const announceTo = async (
  engine: Engine,
  claim: { handle: WorkflowHandle; sessionId: string },
  outcome: 'approved' | 'rejected' | 'disputed',
) => engine.announce(claim.handle, claim.sessionId, engine.service.decide(claim.sessionId, outcome))

export const stageIs = (handle: WorkflowHandle, stage: string) =>
  until(async () => (await handle.query(disputeProgress).catch(() => null))?.stage === stage)

export const contested = async (
  engine: Engine,
  outcome: 'rejected' | 'disputed',
  stage: string,
): Promise<Reached & { claim: WorkflowHandle }> => {
  const claim = await engine.submitted()
  await announceTo(engine, claim, outcome)
  const handle = engine.client.workflow.getHandle(disputeWorkflowId(claim.sessionId))
  await engine.untilIdle()
  await stageIs(handle, stage)
  return { handle, claim: claim.handle, sessionId: claim.sessionId, ...waiting }
}

export const disputed = async (engine: Engine): Promise<Reached & { claim: WorkflowHandle }> => {
  const one = await contested(engine, 'rejected', 'window')
  engine.service.disputes.disputeOnChain(one.sessionId)
  await one.handle.signal(chainMoved, CHAIN_EVENT)
  await engine.untilIdle()
  await stageIs(one.handle, 'arbitration')
  return one
}

/** Every state of a claim, and how a claim reaches it. */
export const CLAIM_STATES = {
  claiming: async (engine: Engine): Promise<Reached> => {
    const release = hold(engine, 'lockBond')
    const { handle, sessionId } = await engine.beginClaim()
    await begunStep(engine, 'lockBond')
    return { handle, sessionId, release }
  },
  blocked: async (engine: Engine): Promise<Reached> => {
    refuseOnce(engine, 'recordClaim', 'job_not_found')
    const { handle, sessionId } = await engine.beginClaim()
    await shownAsBlocked(handle)
    return { handle, sessionId, ...waiting }
  },
  claimed: async (engine: Engine): Promise<Reached> => ({ ...(await engine.claimed()), ...waiting }),
  /** Shown as claimed: a submission is on its way to the chain. */
  submitting: async (engine: Engine): Promise<Reached> => {
    const { handle, sessionId } = await engine.claimed()
    const release = hold(engine, 'submitOnChain')
    await engine.handIn(handle, sessionId, 'work')
    await begunStep(engine, 'submitOnChain')
    return { handle, sessionId, release }
  },
  expiring: async (engine: Engine): Promise<Reached> => {
    const { handle, sessionId, expiresAt } = await engine.claimed()
    const release = hold(engine, 'timeoutClaim')
    engine.moveServiceClock(expiresAt + 1_000 - engine.now())
    await handle.signal('expiryDue')
    await begunStep(engine, 'timeoutClaim')
    return { handle, sessionId, release }
  },
  /** Shown as blocked: the time-out was refused and is retried later. */
  resting: async (engine: Engine): Promise<Reached> => {
    const { handle, sessionId, expiresAt } = await engine.claimed()
    refuseOnce(engine, 'timeoutClaim', 'blockchain_revert')
    engine.moveServiceClock(expiresAt + 1_000 - engine.now())
    await handle.signal('expiryDue')
    await shownAsBlocked(handle)
    return { handle, sessionId, ...waiting }
  },
  submitted: async (engine: Engine): Promise<Reached> => {
    const claim = await engine.submitted()
    await engine.untilIdle()
    return { ...claim, ...waiting }
  },
  /** The payout of an approval is under way. */
  paying: async (engine: Engine): Promise<Reached> => {
    const claim = await engine.submitted()
    const release = hold(engine, 'settleApproval')
    await announceTo(engine, claim, 'approved')
    await begunStep(engine, 'settleApproval')
    return { ...claim, release }
  },
  contested: async (engine: Engine): Promise<Reached> => {
    const { claim, sessionId } = await contested(engine, 'rejected', 'window')
    return { handle: claim, sessionId, ...waiting }
  },
  refused: async (engine: Engine): Promise<Reached> => {
    engine.service.play({ admitClaim: async () => Promise.reject(new ServiceError('job_not_found')) })
    const { handle, sessionId } = await engine.beginClaim()
    await handle.result()
    return { handle, sessionId, ...waiting }
  },
  resolved: async (engine: Engine): Promise<Reached> => {
    const claim = await engine.submitted()
    await announceTo(engine, claim, 'approved')
    await claim.handle.result()
    return { ...claim, ...waiting }
  },
}

/** Every state of a dispute: the stages of its record, and the steps between them. */
export const DISPUTE_STATES = {
  verdict: async (engine: Engine): Promise<Reached> => {
    const claim = await engine.submitted()
    const release = hold(engine, 'takeVerdict')
    await announceTo(engine, claim, 'rejected')
    await begunStep(engine, 'takeVerdict')
    return { handle: engine.client.workflow.getHandle(disputeWorkflowId(claim.sessionId)), sessionId: claim.sessionId, release }
  },
  review: (engine: Engine): Promise<Reached> => contested(engine, 'disputed', 'review'),
  window: (engine: Engine): Promise<Reached> => contested(engine, 'rejected', 'window'),
  arbitration: (engine: Engine): Promise<Reached> => disputed(engine),
  /** A reconciliation was refused during a review, and is retried later. */
  blocked: async (engine: Engine): Promise<Reached> => {
    const one = await contested(engine, 'disputed', 'review')
    refuseOnce(engine, 'reconcileWithChain')
    await one.handle.signal(chainMoved, CHAIN_EVENT)
    await shownAsBlocked(one.handle)
    return { ...one, release: () => engine.move(REST_MS) }
  },
  /** A verdict was prepared; the arbitrator has to sign it. */
  prepared: async (engine: Engine): Promise<Reached> => {
    engine.service.disputes.holdArbitratorKey(false)
    const one = await disputed(engine)
    await one.handle.executeUpdate(verdictUpdate, { args: [{ ...DECISION, verdict: 'split' }] })
    await engine.untilIdle()
    return one
  },
  /** The chain step of a decision is under way. */
  deciding: async (engine: Engine): Promise<Reached> => {
    const one = await disputed(engine)
    const release = hold(engine, 'applyDecision')
    await one.handle.signal(verdictGiven, { ...DECISION, verdict: 'upheld' })
    await begunStep(engine, 'applyDecision')
    return { ...one, release }
  },
  /** The session is final; the claim is being notified. */
  final: async (engine: Engine): Promise<Reached> => {
    const one = await disputed(engine)
    const release = hold(engine, 'announceEnd')
    await one.handle.signal(verdictGiven, DECISION)
    await begunStep(engine, 'announceEnd')
    return { ...one, release }
  },
  ended: async (engine: Engine): Promise<Reached> => {
    const one = await disputed(engine)
    await one.handle.signal(verdictGiven, DECISION)
    await one.handle.result()
    return one
  },
}

const verification = async (engine: Engine, step: Step): Promise<Omit<Reached, 'release'>> => {
  const sessionId = `session-${engine.now()}`
  const handle = await engine.beginVerification(sessionId)
  await begunStep(engine, step)
  return { handle, sessionId }
}
const UNAVAILABLE = { kind: 'unavailable', reasonCode: 'AWAY', detail: 'The page is away.' } as const

/** Every state of a verification: of one that a handler decides, and of one that watches a pull request. */
export const VERIFIER_STATES = {
  evaluating: async (engine: Engine): Promise<Reached> => {
    const release = hold(engine, 'evaluateSubmission')
    return { ...(await verification(engine, 'evaluateSubmission')), release }
  },
  unavailable: async (engine: Engine): Promise<Reached> => {
    engine.service.play({ evaluateSubmission: async () => UNAVAILABLE })
    const one = await verification(engine, 'evaluateSubmission')
    await engine.untilIdle()
    return { ...one, ...waiting }
  },
  announcing: async (engine: Engine): Promise<Reached> => {
    const release = hold(engine, 'announceVerdict')
    return { ...(await verification(engine, 'announceVerdict')), release }
  },
  reading: async (engine: Engine): Promise<Reached> => {
    const way = gate()
    const read = async (): Promise<PullRequestResult> => {
      await way.passed
      return HELD
    }
    engine.service.play(heldPullRequest(engine, { readPullRequest: read }))
    return { ...(await verification(engine, 'readPullRequest')), release: way.open }
  },
  /** The reading under way brings the approval. */
  approving: async (engine: Engine): Promise<Reached> => {
    engine.service.play(heldPullRequest(engine))
    const release = hold(engine, 'readPullRequest')
    return { ...(await verification(engine, 'readPullRequest')), release }
  },
  /** The claim is being notified of a pull request's approval. */
  notifying: async (engine: Engine): Promise<Reached> => {
    engine.service.play(heldPullRequest(engine, { readPullRequest: engine.service.usual.readPullRequest }))
    const release = hold(engine, 'announceVerdict')
    return { ...(await verification(engine, 'announceVerdict')), release }
  },
  watching: async (engine: Engine): Promise<Reached> => {
    engine.service.play(heldPullRequest(engine))
    const one = await verification(engine, 'readPullRequest')
    await engine.untilIdle()
    return { ...one, ...waiting }
  },
  decided: async (engine: Engine): Promise<Reached> => {
    const one = await verification(engine, 'announceVerdict')
    await one.handle.result()
    return { ...one, ...waiting }
  },
}

/** State that each workflow shows to operators. */
export const STATE_OF = {
  claimSession: async (handle: WorkflowHandle): Promise<string> => (await handle.query(claimProgress)).state,
  dispute: async (handle: WorkflowHandle): Promise<string> => (await handle.query(disputeProgress)).stage,
  verifierRun: async (handle: WorkflowHandle): Promise<string> => (await handle.query(verifierProgress)).state,
}

/** Steps of the workflow that runs beside this one. */
export const SIBLING_STEPS: Record<keyof typeof STATE_OF, ReadonlySet<string>> = {
  claimSession: new Set(['takeVerdict', 'reconcileWithChain', 'remindPeople', 'applyTimeout', 'announceEnd']),
  dispute: new Set(['readEnd', 'startDispute']),
  verifierRun: new Set(),
}
