import { randomUUID } from 'node:crypto'
import { types } from 'node:util'
import {
  ApplicationFailure,
  type Client,
  ServiceError as EngineError,
  isGrpcServiceError,
  WithStartWorkflowOperation,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowExecutionDescription,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client'
import { ActivityFailure } from '@temporalio/common'
import { verifierStart } from '../activities/processes/siblings.ts'
import { ERRORS, type ErrorCode, type ErrorInfo, ServiceError } from '../schemas/errors.ts'
import {
  type ClaimedSession,
  type ClaimInput,
  claimedUpdate,
  claimWorkflowId,
  expiryDue,
  type SubmitInput,
  type SubmittedSession,
  submitUpdate,
} from '../schemas/processes/claim-session.ts'
import { SEARCH, TASK_QUEUE } from '../schemas/processes/common.ts'
import { type RunResult, runUpdate, type VerifierInput, verifierWorkflowId } from '../schemas/processes/verifier-run.ts'

/** How often a waiting call makes sure that the engine is still there, and how long the engine may take to say so. */
const PROBE_EVERY_MS = 400
const PROBE_LIMIT_MS = 800
/** How long a call may still wait once its process is to end. */
const DRAINING_LIMIT_MS = 3_000
/** Longest wait for a lapsed run to end before the caller is told to come back. */
const LAPSED_RUN_LIMIT_MS = 8_000

export type Outcome<T> = { kind: 'done'; value: T } | { kind: 'pending' }
export type ClaimAnswer = Outcome<ClaimedSession> | { kind: 'taken'; wallet: string | null }

/** What a claim starts with; the id of its outcome is made here. */
export type NewClaim = Omit<ClaimInput, 'updateId' | 'v'> & { title: string; chainJobId: string; verifierMode: string }

/** A code the service knows, with the facts its thrower gave; anything else stays unknown to the caller. */
const serviceErrorOf = (failure: ApplicationFailure): ServiceError => {
  const code = failure.type
  if (code === undefined || code === null || !(code in ERRORS)) return new ServiceError('internal_error', { cause: failure })
  const [info] = (failure.details ?? []) as [ErrorInfo?]
  return new ServiceError(code as ErrorCode, { ...info, cause: failure })
}

/** The server's own words for an update that met the end of its run: taken and not finished, or not even looked at. */
const RUN_ENDED = new Set(['AcceptedUpdateCompletedWorkflow', 'UnprocessedUpdate'])

/** Failure of an update as the error of its code: thrown by a handler itself or by an activity under it. */
const updateFailure = (error: unknown): unknown => {
  if (!(error instanceof WorkflowUpdateFailedError)) return error
  const cause = error.cause instanceof ActivityFailure ? error.cause.cause : error.cause
  if (!(cause instanceof ApplicationFailure) || RUN_ENDED.has(cause.type ?? '')) return error
  return serviceErrorOf(cause)
}

/** Status with which the server says that it has more to do than it takes. */
const RESOURCE_EXHAUSTED = 8
const isBusy = (error: unknown): boolean =>
  types.isNativeError(error) && (isGrpcServiceError(error) ? Number(error.code) === RESOURCE_EXHAUSTED : isBusy(error.cause))

/** True when the run ended under an update: no refusal, the caller looks at the record instead. */
const endedUnder = (error: unknown): boolean => error instanceof WorkflowUpdateFailedError || error instanceof WorkflowNotFoundError

const unavailable = (cause: unknown): ServiceError => new ServiceError('workflow_engine_unavailable', { retryAfterSeconds: 2, cause })

/** What a call ended with, as the error of its code: an engine that is busy, one that is gone, or the failure of an update. */
const failureOf = (error: unknown, busy: ErrorCode): unknown => {
  if (!isGrpcServiceError(error) && !(error instanceof EngineError)) return updateFailure(error)
  return isBusy(error) ? new ServiceError(busy, { retryAfterSeconds: 1, cause: error }) : unavailable(error)
}

export interface EngineDeps {
  client: Client
  /** How long claim, submit and verify are waited for before they count as pending, ms. */
  waitMs: number
  /** Aborted when the process is to end: what is waited for then counts as pending soon, and converges when another process is asked. */
  draining: AbortSignal
}

/** The only caller of the Temporal client in the API. */
export const createEngine = ({ client, waitMs, draining }: EngineDeps) => {
  const probe = async (): Promise<void> => {
    await client.connection.withDeadline(Date.now() + PROBE_LIMIT_MS, () => client.connection.workflowService.getSystemInfo({}))
  }

  let probing: Promise<void> | undefined
  /** One look at a time, however many wait. */
  const sharedProbe = (): Promise<void> => {
    probing ??= probe().finally(() => {
      probing = undefined
    })
    return probing
  }

  /** Rejects as soon as the engine stops answering; a slow update alone is no outage. */
  const outage = (signal: AbortSignal): Promise<never> =>
    new Promise((_resolve, reject) => {
      const watch = async (): Promise<void> => {
        while (!signal.aborted) {
          await new Promise((resolve) => setTimeout(resolve, PROBE_EVERY_MS))
          if (signal.aborted) return
          await sharedProbe().catch((error: unknown) => isBusy(error) || reject(unavailable(error)))
        }
      }
      void watch()
    })

  /** Runs a call within a bound: its value, or pending when the bound passes; `busy` when the engine takes no more, 503 when it is gone. */
  const within = async <T>(limitMs: number, busy: ErrorCode, call: (signal: AbortSignal) => Promise<T>): Promise<Outcome<T>> => {
    const done = new AbortController()
    const bound = new Promise<Outcome<T>>((resolve) => {
      const giveUpIn = (milliseconds: number) => setTimeout(() => resolve({ kind: 'pending' }), milliseconds)
      let timer = giveUpIn(draining.aborted ? Math.min(limitMs, DRAINING_LIMIT_MS) : limitMs)
      const hurry = (): void => {
        clearTimeout(timer)
        timer = giveUpIn(Math.min(limitMs, DRAINING_LIMIT_MS))
      }
      draining.addEventListener('abort', hurry)
      const forget = (): void => {
        clearTimeout(timer)
        draining.removeEventListener('abort', hurry)
      }
      done.signal.addEventListener('abort', forget, { once: true })
    })
    try {
      const work = client.connection
        .withAbortSignal(done.signal, () => call(done.signal))
        .then((value): Outcome<T> => ({ kind: 'done', value }))
      // The loser of the race is cancelled below; its rejection is of no interest then.
      work.catch(() => undefined)
      return await Promise.race([work, bound, outage(done.signal)])
    } catch (error) {
      throw failureOf(error, busy)
    } finally {
      done.abort()
    }
  }

  const describe = async (workflowId: string): Promise<WorkflowExecutionDescription | null> => {
    try {
      return await client.connection.withDeadline(Date.now() + 2_000, () => client.workflow.getHandle(workflowId).describe())
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return null
      throw failureOf(error, 'claim_in_progress')
    }
  }

  const isRunning = (description: WorkflowExecutionDescription | null): description is WorkflowExecutionDescription =>
    description?.status.name === 'RUNNING'

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
        { key: SEARCH.sessionState, value: 'admitting' },
      ],
    })
  }

  /** Awaits the outcome of a run that is going on; every twin uses the run's own update id. */
  const attach = (description: WorkflowExecutionDescription, updateId: string): Promise<Outcome<ClaimedSession>> =>
    within(waitMs, 'claim_in_progress', () =>
      client.workflow.getHandle(description.workflowId, description.runId).executeUpdate(claimedUpdate, { updateId }),
    )

  /** What a run that is over answered to an update. */
  const answerOf = (description: WorkflowExecutionDescription, updateId: string): Promise<Outcome<ClaimedSession>> =>
    within(PROBE_LIMIT_MS, 'claim_in_progress', () =>
      client.workflow.getHandle(description.workflowId, description.runId).getUpdateHandle<ClaimedSession>(updateId).result(),
    )

  const joined = async (claim: NewClaim): Promise<ClaimAnswer | 'ended'> => {
    const description = await describe(claimWorkflowId(claim.jobId))
    if (!isRunning(description)) return 'ended'
    const { wallet, updateId } = memoOf(description)
    if (wallet !== claim.wallet || updateId === null) return { kind: 'taken', wallet }
    return attach(description, updateId)
  }

  const startOnce = async (claim: NewClaim): Promise<ClaimAnswer | 'ended'> => {
    const updateId = randomUUID()
    try {
      const outcome = await within(waitMs, 'claim_in_progress', () =>
        client.workflow.executeUpdateWithStart(claimedUpdate, { updateId, startWorkflowOperation: startOperation(claim, updateId) }),
      )
      if (outcome.kind === 'done') return outcome
      const description = await describe(claimWorkflowId(claim.jobId))
      if (description === null) throw unavailable(new Error('the start of the claim was not confirmed'))
      const { wallet, updateId: latest } = memoOf(description)
      if (latest === updateId) return isRunning(description) ? outcome : await answerOf(description, updateId)
      if (isRunning(description)) return { kind: 'taken', wallet }
      throw unavailable(new Error('the start of the claim was not confirmed'))
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return joined(claim)
      throw error
    }
  }

  return {
    /** Fails when the engine cannot be reached. */
    probe,

    /** Starts the claim, or joins the run that holds the job. Refusals are thrown with their code. */
    claim: async (claim: NewClaim): Promise<ClaimAnswer> => {
      try {
        const first = await startOnce(claim)
        const answer = first === 'ended' ? await startOnce(claim) : first
        if (answer === 'ended') throw new ServiceError('claim_in_progress', { details: { jobId: claim.jobId }, retryAfterSeconds: 1 })
        return answer
      } catch (error) {
        if (endedUnder(error)) return { kind: 'pending' }
        throw error
      }
    },

    /** The run of a lapsed claim is told so; true once it has ended within the bound. False at once when another run has the job. */
    endLapsedRun: async (jobId: string, lapsedRunId: string): Promise<boolean> => {
      const handle = client.workflow.getHandle(claimWorkflowId(jobId), lapsedRunId)
      for (let waitedMs = 0; waitedMs < LAPSED_RUN_LIMIT_MS; waitedMs += 200) {
        const description = await describe(handle.workflowId)
        if (!isRunning(description)) return true
        if (description.runId !== lapsedRunId || draining.aborted) return false
        if (waitedMs % 1_000 === 0) await handle.signal(expiryDue).catch(() => undefined)
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
      return false
    },

    /** Hands a submission to the claim of a job; null when that run is over. Twins name the same update and share its outcome. */
    submit: async (
      target: { jobId: string; runId: string; updateId: string },
      input: SubmitInput,
    ): Promise<Outcome<SubmittedSession> | null> => {
      try {
        return await within(waitMs, 'submit_in_progress', () =>
          client.workflow
            .getHandle(claimWorkflowId(target.jobId), target.runId)
            .executeUpdate(submitUpdate, { updateId: target.updateId, args: [input] }),
        )
      } catch (error) {
        if (endedUnder(error)) return null
        throw error
      }
    },

    /** Runs the verifier of a submitted session now, on the run that is going on or a new one. Twins name the same update and share its outcome. */
    verify: (
      session: Parameters<typeof verifierStart>[0],
      input: Omit<VerifierInput, 'v'>,
      updateId: string,
    ): Promise<Outcome<RunResult>> =>
      within<RunResult>(waitMs, 'upstream_failure', () =>
        client.workflow.executeUpdateWithStart(runUpdate, {
          updateId,
          args: [{ requestId: input.requestId, requestedBy: input.requestedBy }],
          startWorkflowOperation: new WithStartWorkflowOperation('verifierRun', {
            ...verifierStart(session, { v: 1, ...input }),
            workflowIdConflictPolicy: 'USE_EXISTING',
            workflowIdReusePolicy: 'ALLOW_DUPLICATE',
          }),
        }),
      ).catch((error: unknown) => {
        if (endedUnder(error)) return { kind: 'pending' }
        throw error
      }),

    /** What the latest verification of a session answers to an update; null when it does not know the update. */
    verified: (sessionId: string, updateId: string): Promise<Outcome<RunResult> | null> =>
      within<RunResult>(waitMs, 'upstream_failure', () =>
        client.workflow.getHandle(verifierWorkflowId(sessionId)).getUpdateHandle<RunResult>(updateId).result(),
      ).catch((error: unknown) => {
        if (endedUnder(error)) return null
        throw error
      }),
  }
}
export type Engine = ReturnType<typeof createEngine>
