import { setTimeout as sleep } from 'node:timers/promises'
import {
  WithStartWorkflowOperation,
  type WorkflowExecutionDescription,
  WorkflowNotFoundError,
  type WorkflowStartOptions,
} from '@temporalio/client'
import type { UpdateDefinition } from '@temporalio/common'
import type { ErrorCode } from '../../schemas/errors.ts'
import { isUnprocessed, toCallFailure, whenEnded } from './failures.ts'
import { createOutageWatch, type WatchedDeps } from './outages.ts'

/** First pause before an unprocessed update is sent again; each further pause doubles, up to the limit. */
const RESEND_PAUSE_MS = 100
const RESEND_PAUSE_LIMIT_MS = 1_000
/** Longest wait of a call once the API shuts down. */
const DRAINING_LIMIT_MS = 3_000
/** Time-out of a description of a workflow. */
const DESCRIBE_LIMIT_MS = 1_500

export type Outcome<T> = { kind: 'done'; value: T } | { kind: 'pending' }

/** The running workflow receives the update; without one, a new run starts. */
const JOIN_OR_START = { workflowIdConflictPolicy: 'USE_EXISTING', workflowIdReusePolicy: 'ALLOW_DUPLICATE' } as const

export interface EngineDeps extends WatchedDeps {
  /** How long a call waits for claim, submit and verify before they count as pending, ms. */
  waitMs: number
  /** Aborted when the API shuts down: waiting calls then count as pending soon. A repeated request gets the result from another instance. */
  draining: AbortSignal
}

export type EngineCalls = EngineDeps & ReturnType<typeof createCalls>

/** Rejects with the reason of the signal when it is aborted. */
const rejectOnAbort = (signal: AbortSignal, done: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: done }))

/** Resolves after `milliseconds`, or once the signal is aborted. */
const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  sleep(milliseconds, undefined, { signal }).catch(() => undefined)

/** Resolves as pending after `limitMs`, or soon once the API shuts down; the timers end when `done` is aborted. */
const pendingAfter = async (limitMs: number, draining: AbortSignal, done: AbortSignal): Promise<{ kind: 'pending' }> => {
  await pause(limitMs, AbortSignal.any([draining, done]))
  if (draining.aborted) await pause(Math.min(limitMs, DRAINING_LIMIT_MS), done)
  return { kind: 'pending' }
}

/** Calls of the Temporal server with time-outs. */
export const createCalls = (deps: EngineDeps) => {
  const { client, draining, waitMs } = deps
  const { probe, rejectOnOutage, watchOutages } = createOutageWatch(deps)

  /**
   * Runs a call for at most `limitMs`: its value, or pending after that. Throws `busy` when the Temporal server is overloaded, 503 when it does
   * not answer. Inside {@link watchOutages} pass its signal; otherwise the call watches for outages itself.
   */
  const within = async <T>(
    limitMs: number,
    busy: ErrorCode,
    call: (ending: AbortSignal) => Promise<T>,
    outage?: AbortSignal,
  ): Promise<Outcome<T>> => {
    outage?.throwIfAborted()
    const done = new AbortController()
    const ending = outage === undefined ? done.signal : AbortSignal.any([done.signal, outage])
    const timeout = pendingAfter(limitMs, draining, done.signal)
    try {
      const work = client.connection.withAbortSignal(ending, () => call(ending)).then((value): Outcome<T> => ({ kind: 'done', value }))
      // The call is cancelled below when it loses the race.
      work.catch(() => undefined)
      const failure = outage === undefined ? rejectOnOutage(done.signal) : rejectOnAbort(outage, done.signal)
      return await Promise.race([work, timeout, failure])
    } catch (error) {
      throw toCallFailure(error, busy)
    } finally {
      done.abort()
    }
  }

  /**
   * As {@link within}, for an update that may be sent twice. Under load a workflow task may complete without processing an update; it is then
   * sent again until it is processed or the time is over.
   */
  const updateWithin = <T>(limitMs: number, busy: ErrorCode, call: () => Promise<T>, outage?: AbortSignal): Promise<Outcome<T>> => {
    const resendUntilProcessed = async (ending: AbortSignal): Promise<T> => {
      for (let pauseMs = RESEND_PAUSE_MS; ; pauseMs *= 2) {
        try {
          return await call()
        } catch (error) {
          if (!isUnprocessed(error)) throw error
        }
        // Throws when the call has ended, so that nothing is sent afterwards.
        await sleep(Math.min(pauseMs, RESEND_PAUSE_LIMIT_MS), undefined, { signal: ending })
      }
    }
    return within(limitMs, busy, resendUntilProcessed, outage)
  }

  /** The latest run of a process; null when there never was one. */
  const describe = async (workflowId: string, busy: ErrorCode): Promise<WorkflowExecutionDescription | null> => {
    try {
      return await client.connection.withDeadline(Date.now() + DESCRIBE_LIMIT_MS, () => client.workflow.getHandle(workflowId).describe())
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return null
      throw toCallFailure(error, busy)
    }
  }

  /** Id of the running run of a workflow; null without one. */
  const findRunningRun = async (workflowId: string): Promise<string | null> => {
    const description = await describe(workflowId, 'workflow_engine_unavailable')
    return description?.status.name === 'RUNNING' ? description.runId : null
  }

  /**
   * Sends an update to the running workflow, or to a new run. Repeated requests use the same update id and share its outcome. Pending also when
   * the run ended before it answered.
   */
  const updateOrStart = <T, Input>(
    update: UpdateDefinition<T, [Input]>,
    { updateId, input }: { updateId: string; input: Input },
    workflowType: string,
    start: WorkflowStartOptions,
  ): Promise<Outcome<T>> =>
    updateWithin<T>(waitMs, 'upstream_failure', () =>
      client.workflow.executeUpdateWithStart(update, {
        updateId,
        args: [input],
        startWorkflowOperation: new WithStartWorkflowOperation(workflowType, { ...start, ...JOIN_OR_START }),
      }),
    ).catch(whenEnded({ kind: 'pending' as const }))

  /** Result of an update from the latest run of a workflow; null for an unknown update. */
  const readResult = <T>(workflowId: string, updateId: string): Promise<Outcome<T> | null> =>
    within<T>(waitMs, 'upstream_failure', () => client.workflow.getHandle(workflowId).getUpdateHandle<T>(updateId).result()).catch(
      whenEnded(null),
    )

  return { probe, watchOutages, within, updateWithin, updateOrStart, readResult, describe, findRunningRun }
}
