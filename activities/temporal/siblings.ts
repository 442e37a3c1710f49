import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client'
import { disputeStatus } from '../../domain/disputes/stage.ts'
import { pinnedDefinition } from '../../domain/sessions/snapshot.ts'
import { awaitsVerdict } from '../../domain/sessions/state-machine.ts'
import { claimWorkflowId, sessionFinal, verdictReached } from '../../schemas/claims/process.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { VerdictNotice } from '../../schemas/verification/process.ts'
import { findRequestId } from '../claims/intents.ts'
import type { Database } from '../database/database.ts'
import { findDisputeOfSession } from '../disputes/rows.ts'
import { disputeStart } from '../disputes/start.ts'
import { getSession } from '../sessions/records.ts'
import { latestVerdict } from '../verification/records.ts'
import { verifierStart } from '../verification/start.ts'
import { signalWorkflow } from './send.ts'

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
