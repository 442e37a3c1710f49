import type { WorkflowHandle } from '@temporalio/client'
import type { VerdictToSettle } from '../../../schemas/claims/process.ts'
import { disputeProgress, disputeWorkflowId } from '../../../schemas/disputes/process.ts'
import { ServiceError } from '../../../schemas/errors.ts'
import { chainMoved } from '../../../schemas/processes.ts'
import { type Engine, until } from '../support/engine.ts'
import type { Step } from '../support/scripted-service.ts'

/** One way through a process, from its start to its end. */
export interface Scenario {
  /** Name of the way; also of its file. */
  ending: string
  workflowType:
    | 'audit'
    | 'chainFollower'
    | 'claimSession'
    | 'contentDisclosure'
    | 'crossChainRequest'
    | 'dispute'
    | 'gasGrant'
    | 'idleAllocation'
    | 'lockedDeposit'
    | 'principalVesting'
    | 'sessionLog'
    | 'verifierRun'
    | 'webhook'
  /** What the process answers at its end, in part. */
  result: Record<string, unknown>
  /** Steps this way takes, and how often at least. */
  through: Partial<Record<Step, number>>
  /** Events after which the server calls a history long, where the way leads there. */
  longAfter?: number
  /** Drives the process; its handle, once nothing is left to do but to wait for the end. */
  play(engine: Engine): Promise<WorkflowHandle>
}

export type Claim = Awaited<ReturnType<Engine['claimed']>>

export const refuse = (code: ConstructorParameters<typeof ServiceError>[0]) => async () => Promise.reject(new ServiceError(code))

export const announce = ({ service, announce: tell }: Engine, { handle, sessionId }: Claim, outcome: VerdictToSettle['outcome']) =>
  tell(handle, sessionId, service.decide(sessionId, outcome))

export const decided = async (engine: Engine, outcome: VerdictToSettle['outcome']): Promise<Claim> => {
  const claim = await engine.submitted()
  await announce(engine, claim, outcome)
  return claim
}

export const NEWS = { chainJobId: '0x', event: 'DisputeOpened', txHash: '0x', blockNumber: '1', logIndex: 0 }

export const untilStage = (dispute: WorkflowHandle, stage: string) =>
  until(async () => (await dispute.query(disputeProgress).catch(() => ({ stage: '' }))).stage === stage)

/** A claim with this verdict, and its dispute, once that stands at `stage`. */
export const contested = async (engine: Engine, outcome: VerdictToSettle['outcome'], stage: string) => {
  const claim = await decided(engine, outcome)
  const dispute = engine.client.workflow.getHandle(disputeWorkflowId(claim.sessionId))
  await untilStage(dispute, stage)
  return { ...claim, dispute }
}

/** A rejection that the worker disputed on chain. */
export const disputed = async (engine: Engine) => {
  const claim = await contested(engine, 'rejected', 'window')
  engine.service.disputes.disputeOnChain(claim.sessionId)
  await claim.dispute.signal(chainMoved, NEWS)
  await untilStage(claim.dispute, 'arbitration')
  return claim
}

/** An arbitrator's word. */
export const word = (verdict: string, supersedes?: string) => ({
  verdict,
  rationale: 'The work answers the whole task.',
  by: '0xarbitrator',
  ...(supersedes !== undefined && { supersedes }),
})
/** What people say. */
export const people = (verdict: string) => ({ verdict, rationale: 'It was looked at.', by: '0xverifier' })
