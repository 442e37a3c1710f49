import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client'
import { standingOf } from '../../domain/disputes/stage.ts'
import { pinnedDefinition } from '../../domain/sessions/snapshot.ts'
import { awaitsVerdict } from '../../domain/sessions/state-machine.ts'
import { claimWorkflowId, sessionFinal, verdictReached } from '../../schemas/claims/process.ts'
import { type DisputeInput, disputeWorkflowId } from '../../schemas/disputes/process.ts'
import { SEARCH, TASK_QUEUE } from '../../schemas/processes.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import { type VerifierInput, type VerifierSubject, verifierWorkflowId } from '../../schemas/verification/process.ts'
import { requestOfRun } from '../claims/intents.ts'
import type { Database } from '../database/database.ts'
import { findDisputeOfSession } from '../disputes/rows.ts'
import { getSession, runOfSession } from '../sessions/records.ts'
import { latestVerdict } from '../verification/records.ts'

export interface SiblingDeps {
  client: Client
  database: Database
}

/** What a process of a session needs to be found by. */
type Subject = Pick<VerifierSubject, 'sessionId' | 'jobId' | 'wallet' | 'chainJobId' | 'verifierMode' | 'title'>

const searchAttributes = (session: Subject) => [
  { key: SEARCH.jobId, value: session.jobId },
  { key: SEARCH.sessionId, value: session.sessionId },
  { key: SEARCH.wallet, value: session.wallet },
  { key: SEARCH.chainJobId, value: session.chainJobId },
  { key: SEARCH.verifierMode, value: session.verifierMode },
]

/** Options under which a verification runs, whoever starts it. */
export const verifierStart = (session: Subject, input: VerifierInput) => ({
  taskQueue: TASK_QUEUE,
  workflowId: verifierWorkflowId(session.sessionId),
  args: [input] as [VerifierInput],
  staticSummary: `Verify ${session.title}`,
  staticDetails: `Submission of ${session.wallet} for job ${session.jobId}.`,
  // Never another word: a run that has ended keeps this one, and is told by its status.
  typedSearchAttributes: [...searchAttributes(session), { key: SEARCH.sessionState, value: 'verifying' }],
})

/** Options under which a dispute runs, whoever starts it. */
export const disputeStart = (session: Subject, input: DisputeInput) => ({
  taskQueue: TASK_QUEUE,
  workflowId: disputeWorkflowId(session.sessionId),
  args: [input] as [DisputeInput],
  staticSummary: `Dispute over ${session.title}`,
  staticDetails: `Session ${session.sessionId} of ${session.wallet}, job ${session.jobId}.`,
  typedSearchAttributes: searchAttributes(session),
})

interface VerdictNotice {
  sessionId: string
  verdictId: string
}

/** Starts and signals sibling processes on behalf of a workflow. */
export const createSiblings = ({ client, database }: SiblingDeps) => {
  const announceEnd = async ({ sessionId, status }: { sessionId: string; status: string }): Promise<void> => {
    const session = await getSession(database.rows, sessionId)
    try {
      await client.workflow.getHandle(claimWorkflowId(session.jobId)).signal(sessionFinal, { sessionId, status })
    } catch (error) {
      // Nobody waits: the claim is over, or never knew of the dispute.
      if (!(error instanceof WorkflowNotFoundError)) throw error
    }
  }

  /** Starts the verification of a session unless it runs, and unless `policy` forbids it to follow on one that has ended. */
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
   * A pull request is looked at while its escrow waits, also once people were called: a watch that was lost begins again. One that has
   * come to its end has seen all there was.
   */
  const ensurePullRequestWatch = async (session: SessionRecord, requestId: string): Promise<void> => {
    if (session.verifierMode !== 'codehost_pr' || !awaitsVerdict(session)) return
    await ensureVerification(session, requestId, 'ALLOW_DUPLICATE_FAILED_ONLY')
  }

  /**
   * Makes sure that the dispute runs and hears of the verdict, and that a pull request is watched while its escrow waits; a dispute that has
   * heard of the verdict before takes it once. Of one that is over the end is told again: a step that is repeated late starts no second run.
   */
  const startDispute = async ({ sessionId, verdictId, requestId }: VerdictNotice & { requestId: string }): Promise<void> => {
    const session = await getSession(database.rows, sessionId)
    const standing = standingOf(session, await findDisputeOfSession(database.rows, sessionId), null)
    if (standing.stage === 'final') return announceEnd({ sessionId, status: session.status })
    const title = pinnedDefinition(session.jobSnapshot).title
    await client.workflow.signalWithStart('dispute', {
      ...disputeStart({ ...session, title }, { v: 1, sessionId, requestId }),
      signal: verdictReached,
      signalArgs: [{ sessionId, verdictId }],
    })
    await ensurePullRequestWatch(session, requestId)
  }

  /**
   * Tells the claim of a verdict. Where the claim is gone and its session is not over, it was ended by hand or lost with the engine: then
   * the dispute, which begins wherever the record stands, takes the verdict and pays or rejects.
   */
  const announceVerdict = async ({ sessionId, verdictId }: VerdictNotice): Promise<void> => {
    const session = await getSession(database.rows, sessionId)
    try {
      await client.workflow.getHandle(claimWorkflowId(session.jobId)).signal(verdictReached, { sessionId, verdictId })
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error
      const runId = await runOfSession(database.rows, sessionId)
      const requestId = runId === null ? undefined : await requestOfRun(database.rows, runId)
      await startDispute({ sessionId, verdictId, requestId: requestId ?? verdictId })
    }
  }

  return {
    announceVerdict,
    startDispute,
    announceEnd,

    /** Makes sure a verification runs. One that decided while nobody listened is announced again instead. */
    startVerifier: async ({ sessionId, requestId }: { sessionId: string; requestId: string }): Promise<void> => {
      const session = await getSession(database.rows, sessionId)
      const decided = await latestVerdict(database.rows, sessionId)
      if (decided !== null) return announceVerdict({ sessionId, verdictId: decided.id })
      await ensureVerification(session, requestId)
    },
  }
}
