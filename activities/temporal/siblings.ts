import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client'
import type { SignalDefinition } from '@temporalio/common'
import { disputeStatus } from '../../domain/disputes/stage.ts'
import { pinnedDefinition } from '../../domain/sessions/snapshot.ts'
import { awaitsVerdict } from '../../domain/sessions/state-machine.ts'
import { claimWorkflowId, sessionFinal, verdictReached } from '../../schemas/claims/process.ts'
import { type CrossChainInput, crossChainWorkflowId } from '../../schemas/cross-chain/process.ts'
import { type DisputeInput, disputeWorkflowId } from '../../schemas/disputes/process.ts'
import { type IdleAllocationInput, idleAllocationWorkflowId } from '../../schemas/idle-allocation/process.ts'
import { type LockedDepositInput, lockedDepositWorkflowId } from '../../schemas/locked-deposits/process.ts'
import { type VestingInput, vestingWorkflowId } from '../../schemas/pool/process.ts'
import { SEARCH, TASK_QUEUE } from '../../schemas/processes.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import { type VerifierInput, type VerifierSubject, verifierWorkflowId } from '../../schemas/verification/process.ts'
import { type WebhookInput, webhookWorkflowId } from '../../schemas/webhooks/process.ts'
import { findRequestId } from '../claims/intents.ts'
import type { Database } from '../database/database.ts'
import { findDisputeOfSession } from '../disputes/rows.ts'
import { getSession } from '../sessions/records.ts'
import { latestVerdict } from '../verification/records.ts'

/** Search attributes of a session's workflows. */
type Subject = Pick<VerifierSubject, 'sessionId' | 'jobId' | 'wallet' | 'chainJobId' | 'verifierMode' | 'title'>

const searchAttributes = (session: Subject) => [
  { key: SEARCH.jobId, value: session.jobId },
  { key: SEARCH.sessionId, value: session.sessionId },
  { key: SEARCH.wallet, value: session.wallet },
  { key: SEARCH.chainJobId, value: session.chainJobId },
  { key: SEARCH.verifierMode, value: session.verifierMode },
]

/** Start options of a verifier run, for every starter. */
export const verifierStart = (session: Subject, input: VerifierInput) => ({
  taskQueue: TASK_QUEUE,
  workflowId: verifierWorkflowId(session.sessionId),
  args: [input] as [VerifierInput],
  staticSummary: `Verify ${session.title}`,
  staticDetails: `Submission of ${session.wallet} for job ${session.jobId}.`,
  // The attribute never changes: after the run its status shows the end.
  typedSearchAttributes: [...searchAttributes(session), { key: SEARCH.sessionState, value: 'verifying' }],
})

/** Start options of a dispute, for every starter. */
export const disputeStart = (session: Subject, input: DisputeInput) => ({
  taskQueue: TASK_QUEUE,
  workflowId: disputeWorkflowId(session.sessionId),
  args: [input] as [DisputeInput],
  staticSummary: `Dispute over ${session.title}`,
  staticDetails: `Session ${session.sessionId} of ${session.wallet}, job ${session.jobId}.`,
  typedSearchAttributes: searchAttributes(session),
})

/** Start options of a wallet's vesting, for every starter. */
export const vestingStart = (input: VestingInput) => ({
  taskQueue: TASK_QUEUE,
  workflowId: vestingWorkflowId(input.wallet),
  args: [input] as [VestingInput],
  staticSummary: `Vesting of ${input.wallet}`,
  staticDetails: 'Waits 48 hours for each deposit in the pool, longer under an open loan, and announces when it has vested.',
  typedSearchAttributes: [{ key: SEARCH.wallet, value: input.wallet }],
})

/** Start options of a locked deposit of a wallet (lower case), for every starter. */
export const lockedDepositStart = (input: LockedDepositInput, wallet: string) => ({
  taskQueue: TASK_QUEUE,
  workflowId: lockedDepositWorkflowId(input.id),
  args: [input] as [LockedDepositInput],
  staticSummary: `Locked deposit of ${wallet}`,
  staticDetails: `Terms ${input.id}. Waits for the end of the term, or 48 hours after an early exit; no funds move.`,
  typedSearchAttributes: [{ key: SEARCH.wallet, value: wallet }],
})

/** Start options of the idle-balance allocation of a wallet, for every starter. */
export const idleAllocationStart = (input: IdleAllocationInput) => ({
  taskQueue: TASK_QUEUE,
  workflowId: idleAllocationWorkflowId(input.wallet),
  args: [input] as [IdleAllocationInput],
  staticSummary: `Idle balance of ${input.wallet}`,
  staticDetails: 'Lends the idle balance of the wallet to the deposit pool while its consent is active.',
  typedSearchAttributes: [{ key: SEARCH.wallet, value: input.wallet }],
})

/** Start options of a cross-chain request, for every starter. */
export const crossChainStart = (input: CrossChainInput) => ({
  taskQueue: TASK_QUEUE,
  workflowId: crossChainWorkflowId(input.requestId),
  args: [input] as [CrossChainInput],
  staticSummary: `Cross-chain request ${input.requestId}`,
  staticDetails: 'Watches the balance at the destination for 15 minutes and settles the request by what it saw.',
})

/** Start options of the deliveries to a webhook endpoint of a wallet (lower case), for every starter. */
export const webhookStart = (input: WebhookInput, wallet: string) => ({
  taskQueue: TASK_QUEUE,
  workflowId: webhookWorkflowId(input.id),
  args: [input] as [WebhookInput],
  staticSummary: `Webhook of ${wallet}`,
  staticDetails: 'Delivers the events of the wallet to its endpoint, in order, and tries again for 24 hours.',
  typedSearchAttributes: [{ key: SEARCH.wallet, value: wallet }],
})

interface VerdictNotice {
  sessionId: string
  verdictId: string
}

/** Signals a workflow. Returns false for a workflow that does not exist or has ended. */
export const signalWorkflow = async <Payload>(
  client: Client,
  workflowId: string,
  signal: SignalDefinition<[Payload]>,
  payload: Payload,
): Promise<boolean> => {
  try {
    await client.workflow.getHandle(workflowId).signal(signal, payload)
    return true
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false
    throw error
  }
}

/** Starts and signals other workflows on behalf of a workflow. */
export const createSiblings = ({ client, database }: { client: Client; database: Database }) => {
  const announceEnd = async ({ sessionId, status }: { sessionId: string; status: string }): Promise<void> => {
    const session = await getSession(database.rows, sessionId)
    // A claim that does not wait has ended, or never knew of the dispute.
    await signalWorkflow(client, claimWorkflowId(session.jobId), sessionFinal, { sessionId, status })
  }

  /** Starts the verifier run of a session unless it runs. `policy` may forbid a new run after one that ended. */
  const ensureVerification = async (session: SessionRecord, requestId: string, policy?: 'ALLOW_DUPLICATE_FAILED_ONLY'): Promise<void> => {
    const title = pinnedDefinition(session.jobSnapshot).title
    const { sessionId } = session
    const start = verifierStart({ ...session, title }, { v: 1, sessionId, requestId, requestedBy: 'system:auto-verifier' })
    try {
      await client.workflow.start('verifierRun', { ...start, ...(policy && { workflowIdReusePolicy: policy }) })
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
    }
  }

  /**
   * Starts the dispute with the verdict, or signals the running one, which ignores a repeat. Ensures that a pull request stays watched. For an
   * ended session it announces the end again instead of starting a run.
   */
  const startDispute = async ({ sessionId, verdictId, requestId }: VerdictNotice & { requestId: string }): Promise<void> => {
    const session = await getSession(database.rows, sessionId)
    const standing = disputeStatus(session, await findDisputeOfSession(database.rows, sessionId), null)
    if (standing.stage === 'final') return announceEnd({ sessionId, status: session.status })
    const title = pinnedDefinition(session.jobSnapshot).title
    await client.workflow.signalWithStart('dispute', {
      ...disputeStart({ ...session, title }, { v: 1, sessionId, requestId }),
      signal: verdictReached,
      signalArgs: [{ sessionId, verdictId }],
    })
    // A pull request is watched while its escrow waits, also during a review. A lost run is restarted, but not one that completed.
    if (session.verifierMode === 'codehost_pr' && awaitsVerdict(session))
      await ensureVerification(session, requestId, 'ALLOW_DUPLICATE_FAILED_ONLY')
  }

  /**
   * Signals a verdict to the claim. If the claim workflow is gone but its session is open, it was terminated or lost. The dispute then takes
   * the verdict from the recorded state and pays or rejects.
   */
  const announceVerdict = async ({ sessionId, verdictId }: VerdictNotice): Promise<void> => {
    const session = await getSession(database.rows, sessionId)
    if (await signalWorkflow(client, claimWorkflowId(session.jobId), verdictReached, { sessionId, verdictId })) return
    const requestId = await findRequestId(database.rows, session.runId)
    await startDispute({ sessionId, verdictId, requestId: requestId ?? verdictId })
  }

  return {
    announceVerdict,
    startDispute,
    announceEnd,

    /** Starts the verifier run of a session. If a verdict exists, announces it again instead. */
    startVerifier: async ({ sessionId, requestId }: { sessionId: string; requestId: string }): Promise<void> => {
      const session = await getSession(database.rows, sessionId)
      const decided = await latestVerdict(database.rows, sessionId)
      if (decided !== null) return announceVerdict({ sessionId, verdictId: decided.id })
      await ensureVerification(session, requestId)
    },
  }
}
