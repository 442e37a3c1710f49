import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { WithStartWorkflowOperation, WorkflowExecutionAlreadyStartedError, type WorkflowExecutionDescription } from '@temporalio/client'
import proto from '@temporalio/proto'
import { claimStart } from '../../activities/claims/start.ts'
import {
  type ClaimedSession,
  claimedUpdate,
  claimWorkflowId,
  expiryDue,
  type NewClaim,
  type SubmitInput,
  type SubmittedSession,
  submissionOffered,
  submitUpdate,
} from '../../schemas/claims/process.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { EngineCalls, Outcome } from './calls.ts'
import { isUnprocessed, unavailable, whenEnded } from './failures.ts'
import { PROBE_LIMIT_MS } from './outages.ts'

/** Time-out of a signal with a submission. */
const OFFER_LIMIT_MS = 1_500
/** Longest wait for the end of a lapsed run, which sends a transaction. */
const LAPSED_RUN_LIMIT_MS = 8_000
/** Longest wait for a worker to start on it, so that a caller gets an answer within two seconds. */
const IDLE_RUN_LIMIT_MS = 1_200
const { PENDING_ACTIVITY_STATE_SCHEDULED: FOR_A_WORKER } = proto.temporal.api.enums.v1.PendingActivityState

/** `pending`: the claim's workflow is still running. `over`: it ended before it answered; the records hold the outcome. */
export type ClaimAnswer = Outcome<ClaimedSession> | { kind: 'taken'; wallet: string | null } | { kind: 'over' }

const isRunning = (description: WorkflowExecutionDescription | null): description is WorkflowExecutionDescription =>
  description?.status.name === 'RUNNING'

/** Whether an activity or a workflow task waits for a worker. */
const waitsForWorker = ({ raw: { pendingWorkflowTask, pendingActivities } }: WorkflowExecutionDescription): boolean =>
  pendingWorkflowTask != null || (pendingActivities ?? []).some(({ state }) => state === FOR_A_WORKER)

const memoOf = (description: WorkflowExecutionDescription): { wallet: string | null; updateId: string | null } => {
  const { wallet, updateId } = description.memo ?? {}
  return { wallet: typeof wallet === 'string' ? wallet : null, updateId: typeof updateId === 'string' ? updateId : null }
}

/** Starts the claim's run, unless one is running. */
const startOperation = (claim: NewClaim, updateId: string) => new WithStartWorkflowOperation('claimSession', claimStart(claim, updateId))

/** The run started, and its first workflow task completed without processing the update. */
const whenUnprocessed = (error: unknown): { kind: 'unprocessed' } => {
  if (isUnprocessed(error)) return { kind: 'unprocessed' }
  throw error
}

/** Calls of the API to the process of a claim. */
export const createClaimCalls = ({ client, waitMs, draining, within, updateWithin, describe }: EngineCalls) => {
  /** Awaits the outcome of a running claim. All repeated requests use the run's own update id. */
  const attach = (description: WorkflowExecutionDescription, updateId: string, outage: AbortSignal): Promise<Outcome<ClaimedSession>> => {
    const handle = client.workflow.getHandle(description.workflowId, description.runId)
    return updateWithin(waitMs, 'claim_in_progress', () => handle.executeUpdate(claimedUpdate, { updateId }), outage)
  }

  /** Reads the result of an update from an ended run. */
  const readAnswer = (description: WorkflowExecutionDescription, updateId: string): Promise<Outcome<ClaimedSession>> =>
    within(PROBE_LIMIT_MS, 'claim_in_progress', () =>
      client.workflow.getHandle(description.workflowId, description.runId).getUpdateHandle<ClaimedSession>(updateId).result(),
    )

  const join = async (claim: NewClaim, outage: AbortSignal): Promise<ClaimAnswer | 'ended'> => {
    const description = await describe(claimWorkflowId(claim.jobId), 'claim_in_progress')
    if (!isRunning(description)) return 'ended'
    const { wallet, updateId } = memoOf(description)
    if (wallet !== claim.wallet || updateId === null) return { kind: 'taken', wallet }
    return attach(description, updateId, outage)
  }

  const startOnce = async (claim: NewClaim, outage: AbortSignal): Promise<ClaimAnswer | 'ended'> => {
    const updateId = randomUUID()
    try {
      const startWorkflowOperation = startOperation(claim, updateId)
      const start = () => client.workflow.executeUpdateWithStart(claimedUpdate, { updateId, startWorkflowOperation })
      const outcome = await within(waitMs, 'claim_in_progress', start, outage).catch(whenUnprocessed)
      if (outcome.kind === 'done') return outcome
      const description = await describe(claimWorkflowId(claim.jobId), 'claim_in_progress')
      if (description === null) throw unavailable(new Error('the start of the claim was not confirmed'))
      const { wallet, updateId: latest } = memoOf(description)
      if (latest === updateId) {
        if (!isRunning(description)) return await readAnswer(description, updateId)
        return outcome.kind === 'pending' ? outcome : await attach(description, updateId, outage)
      }
      if (isRunning(description)) return { kind: 'taken', wallet }
      throw unavailable(new Error('the start of the claim was not confirmed'))
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return join(claim, outage)
      throw error
    }
  }

  return {
    /** Starts the claim, or joins the wallet's running claim of the job, unless an outage ends the request. Throws refusals with their code. */
    claim: async (claim: NewClaim, outage: AbortSignal): Promise<ClaimAnswer> => {
      const over = whenEnded({ kind: 'over' as const })
      const first = await startOnce(claim, outage).catch(over)
      const answer = first === 'ended' ? await startOnce(claim, outage).catch(over) : first
      if (answer === 'ended') throw new ServiceError('claim_in_progress', { details: { jobId: claim.jobId }, retryAfterSeconds: 1 })
      return answer
    },

    /**
     * The running claim process of a job, with the wallet it was started for (lower case; null when its memo has none); null without a run.
     * It may already have a session.
     */
    findClaimRun: async (jobId: string): Promise<{ wallet: string | null; runId: string } | null> => {
      const description = await describe(claimWorkflowId(jobId), 'workflow_engine_unavailable')
      return isRunning(description) ? { wallet: memoOf(description).wallet, runId: description.runId } : null
    },

    /** Notifies the run of a lapsed claim. Returns true once it has ended in time, false at once when another run has the job. */
    endLapsedRun: async (jobId: string, lapsedRunId: string): Promise<boolean> => {
      const handle = client.workflow.getHandle(claimWorkflowId(jobId), lapsedRunId)
      const startedAt = performance.now()
      const elapsed = (): number => performance.now() - startedAt
      for (let signalledAt = Number.NEGATIVE_INFINITY; elapsed() < LAPSED_RUN_LIMIT_MS; ) {
        const description = await describe(handle.workflowId, 'claim_in_progress')
        if (!isRunning(description)) return true
        if (description.runId !== lapsedRunId || draining.aborted) return false
        if (elapsed() > IDLE_RUN_LIMIT_MS && waitsForWorker(description)) return false
        if (elapsed() - signalledAt > 1_000) {
          await handle.signal(expiryDue).catch(() => undefined)
          signalledAt = elapsed()
        }
        await sleep(200)
      }
      return false
    },

    /** Sends a submission to the claim of a job; null when that run is over. Repeated requests use the same update id and share its outcome. */
    submit: (
      { jobId, runId, updateId }: { jobId: string; runId: string; updateId: string },
      input: SubmitInput,
      outage: AbortSignal,
    ): Promise<Outcome<SubmittedSession> | null> => {
      const handle = client.workflow.getHandle(claimWorkflowId(jobId), runId)
      const send = () => handle.executeUpdate(submitUpdate, { updateId, args: [input] })
      return updateWithin(waitMs, 'submit_in_progress', send, outage).catch(whenEnded(null))
    },

    /**
     * Sends a submission to the claim of a job by signal: unlike an update that no worker has accepted, a signal survives a restart of the
     * Temporal server. Returns false when that run is over or the signal was not confirmed.
     */
    offer: async ({ jobId, runId }: { jobId: string; runId: string }, input: SubmitInput, outage: AbortSignal): Promise<boolean> => {
      const handle = client.workflow.getHandle(claimWorkflowId(jobId), runId)
      const send = () => handle.signal(submissionOffered, input)
      const sent = await within(OFFER_LIMIT_MS, 'submit_in_progress', send, outage).catch(whenEnded(null))
      return sent?.kind === 'done'
    },
  }
}
