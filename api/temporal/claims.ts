import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { WithStartWorkflowOperation, WorkflowExecutionAlreadyStartedError, type WorkflowExecutionDescription } from '@temporalio/client'
import proto from '@temporalio/proto'
import {
  type ClaimedSession,
  type ClaimInput,
  claimedUpdate,
  claimWorkflowId,
  expiryDue,
  type SubmitInput,
  type SubmittedSession,
  submissionOffered,
  submitUpdate,
} from '../../schemas/claims/process.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { SEARCH, TASK_QUEUE } from '../../schemas/processes.ts'
import { type EngineCalls, type Outcome, PROBE_LIMIT_MS } from './calls.ts'
import { isUnprocessed, unavailable, whenEnded } from './failures.ts'

/** How long the engine may take to store a piece of news. */
const OFFER_LIMIT_MS = 1_500
/** Longest wait for a lapsed run to end before the caller is told to come back: a chain write of some blocks. */
const LAPSED_RUN_LIMIT_MS = 8_000
/** Longest wait for a worker to take it up: the answer of an outage comes within two seconds. */
const IDLE_RUN_LIMIT_MS = 1_200
const { PENDING_ACTIVITY_STATE_SCHEDULED: FOR_A_WORKER } = proto.temporal.api.enums.v1.PendingActivityState

/** `pending`: the engine holds the claim and goes on with it; `over`: its run ended under the question, the records say how. */
export type ClaimAnswer = Outcome<ClaimedSession> | { kind: 'taken'; wallet: string | null } | { kind: 'over' }

/** What a claim starts with; the id of its outcome is made here. */
export type NewClaim = Omit<ClaimInput, 'updateId' | 'v'> & { title: string; chainJobId: string; verifierMode: string }

/** What requests have to do with the process of a claim. */
export const createClaimCalls = ({ client, waitMs, draining, within, takenWithin, describe }: EngineCalls) => {
  const isRunning = (description: WorkflowExecutionDescription | null): description is WorkflowExecutionDescription =>
    description?.status.name === 'RUNNING'

  /** A step that no worker has taken, or a task that takes a living worker milliseconds. */
  const waitsForWorker = ({ raw: { pendingWorkflowTask, pendingActivities } }: WorkflowExecutionDescription): boolean =>
    pendingWorkflowTask != null || (pendingActivities ?? []).some(({ state }) => state === FOR_A_WORKER)

  const memoOf = (description: WorkflowExecutionDescription): { wallet: string | null; updateId: string | null } => {
    const { wallet, updateId } = description.memo ?? {}
    return { wallet: typeof wallet === 'string' ? wallet : null, updateId: typeof updateId === 'string' ? updateId : null }
  }

  const startOperation = (claim: NewClaim, updateId: string) => {
    const { title, chainJobId, verifierMode, ...input } = claim
    return new WithStartWorkflowOperation('claimSession', {
      workflowId: claimWorkflowId(claim.jobId),
      taskQueue: TASK_QUEUE,
      workflowIdConflictPolicy: 'FAIL',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      args: [{ v: 1, ...input, updateId }],
      staticSummary: `Claim ${title}`,
      staticDetails: `Job ${claim.jobId}, claimed by ${claim.wallet}.`,
      memo: { wallet: claim.wallet, updateId },
      typedSearchAttributes: [
        { key: SEARCH.jobId, value: claim.jobId },
        { key: SEARCH.wallet, value: claim.wallet },
        { key: SEARCH.chainJobId, value: chainJobId },
        { key: SEARCH.verifierMode, value: verifierMode },
        { key: SEARCH.sessionState, value: 'claimed' },
      ],
    })
  }

  /** Awaits the outcome of a run that is going on; every twin uses the run's own update id. */
  const attach = (description: WorkflowExecutionDescription, updateId: string, gone: AbortSignal): Promise<Outcome<ClaimedSession>> => {
    const handle = client.workflow.getHandle(description.workflowId, description.runId)
    return takenWithin(waitMs, 'claim_in_progress', () => handle.executeUpdate(claimedUpdate, { updateId }), gone)
  }

  /** What a run that is over answered to an update. */
  const answerOf = (description: WorkflowExecutionDescription, updateId: string): Promise<Outcome<ClaimedSession>> =>
    within(PROBE_LIMIT_MS, 'claim_in_progress', () =>
      client.workflow.getHandle(description.workflowId, description.runId).getUpdateHandle<ClaimedSession>(updateId).result(),
    )

  const joined = async (claim: NewClaim, gone: AbortSignal): Promise<ClaimAnswer | 'ended'> => {
    const description = await describe(claimWorkflowId(claim.jobId), 'claim_in_progress')
    if (!isRunning(description)) return 'ended'
    const { wallet, updateId } = memoOf(description)
    if (wallet !== claim.wallet || updateId === null) return { kind: 'taken', wallet }
    return attach(description, updateId, gone)
  }

  /** The run has begun, and its first task ended without the question that came with it. */
  const passedOver = (error: unknown): { kind: 'passed_over' } => {
    if (isUnprocessed(error)) return { kind: 'passed_over' }
    throw error
  }

  const startOnce = async (claim: NewClaim, gone: AbortSignal): Promise<ClaimAnswer | 'ended'> => {
    const updateId = randomUUID()
    try {
      const startWorkflowOperation = startOperation(claim, updateId)
      const start = () => client.workflow.executeUpdateWithStart(claimedUpdate, { updateId, startWorkflowOperation })
      const outcome = await within(waitMs, 'claim_in_progress', start, gone).catch(passedOver)
      if (outcome.kind === 'done') return outcome
      const description = await describe(claimWorkflowId(claim.jobId), 'claim_in_progress')
      if (description === null) throw unavailable(new Error('the start of the claim was not confirmed'))
      const { wallet, updateId: latest } = memoOf(description)
      if (latest === updateId) {
        if (!isRunning(description)) return await answerOf(description, updateId)
        // Never started again: its run goes on, and is asked.
        return outcome.kind === 'pending' ? outcome : await attach(description, updateId, gone)
      }
      if (isRunning(description)) return { kind: 'taken', wallet }
      throw unavailable(new Error('the start of the claim was not confirmed'))
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return joined(claim, gone)
      throw error
    }
  }

  return {
    /** Starts the claim, or joins the run that holds the job, until the request's work is `gone`. Refusals are thrown with their code. */
    claim: async (claim: NewClaim, gone: AbortSignal): Promise<ClaimAnswer> => {
      const over = whenEnded({ kind: 'over' as const })
      const first = await startOnce(claim, gone).catch(over)
      const answer = first === 'ended' ? await startOnce(claim, gone).catch(over) : first
      if (answer === 'ended') throw new ServiceError('claim_in_progress', { details: { jobId: claim.jobId }, retryAfterSeconds: 1 })
      return answer
    },

    /** Wallet whose claim of a job the engine holds, admitted or not; null when none is going on. */
    claimant: async (jobId: string): Promise<string | null> => {
      const description = await describe(claimWorkflowId(jobId), 'workflow_engine_unavailable')
      return isRunning(description) ? memoOf(description).wallet : null
    },

    /** Whether this run of the claim on a job goes on. */
    isRunning: async (jobId: string, runId: string): Promise<boolean> => {
      const description = await describe(claimWorkflowId(jobId), 'workflow_engine_unavailable')
      return isRunning(description) && description.runId === runId
    },

    /** The run of a lapsed claim is told so; true once it has ended within the bound. False at once when another run has the job. */
    endLapsedRun: async (jobId: string, lapsedRunId: string): Promise<boolean> => {
      const handle = client.workflow.getHandle(claimWorkflowId(jobId), lapsedRunId)
      const began = performance.now()
      const since = (): number => performance.now() - began
      for (let toldAt = Number.NEGATIVE_INFINITY; since() < LAPSED_RUN_LIMIT_MS; ) {
        const description = await describe(handle.workflowId, 'claim_in_progress')
        if (!isRunning(description)) return true
        if (description.runId !== lapsedRunId || draining.aborted) return false
        if (since() > IDLE_RUN_LIMIT_MS && waitsForWorker(description)) return false
        if (since() - toldAt > 1_000) {
          await handle.signal(expiryDue).catch(() => undefined)
          toldAt = since()
        }
        await sleep(200)
      }
      return false
    },

    /** Hands a submission to the claim of a job; null when that run is over. Twins name the same update and share its outcome. */
    submit: (
      { jobId, runId, updateId }: { jobId: string; runId: string; updateId: string },
      input: SubmitInput,
      gone: AbortSignal,
    ): Promise<Outcome<SubmittedSession> | null> => {
      const handle = client.workflow.getHandle(claimWorkflowId(jobId), runId)
      const send = () => handle.executeUpdate(submitUpdate, { updateId, args: [input] })
      return takenWithin(waitMs, 'submit_in_progress', send, gone).catch(whenEnded(null))
    },

    /**
     * Leaves a submission with the claim of a job as news: an update that no worker has accepted is lost when the engine restarts, a
     * signal is not. False when that run is over, or does not confirm it.
     */
    offer: async ({ jobId, runId }: { jobId: string; runId: string }, input: SubmitInput, gone: AbortSignal): Promise<boolean> => {
      const handle = client.workflow.getHandle(claimWorkflowId(jobId), runId)
      const leave = () => handle.signal(submissionOffered, input)
      const left = await within(OFFER_LIMIT_MS, 'submit_in_progress', leave, gone).catch(whenEnded(null))
      return left?.kind === 'done'
    },
  }
}
