import { setTimeout as sleep } from 'node:timers/promises'
import { type WorkflowExecutionDescription, WorkflowNotFoundError } from '@temporalio/client'
import type { ErrorCode } from '../../schemas/errors.ts'
import { isUnprocessed, toCallFailure } from './failures.ts'
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
export const JOIN_OR_START = { workflowIdConflictPolicy: 'USE_EXISTING', workflowIdReusePolicy: 'ALLOW_DUPLICATE' } as const

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

/** Resolves as pending after `limitMs`, or soon once the API shuts down, unless `done` is aborted before. */
const pendingAfter = (limitMs: number, draining: AbortSignal, done: AbortSignal): Promise<{ kind: 'pending' }> =>
  new Promise((resolve) => {
    const startTimer = (milliseconds: number) => setTimeout(() => resolve({ kind: 'pending' }), milliseconds)
    let timer = startTimer(draining.aborted ? Math.min(limitMs, DRAINING_LIMIT_MS) : limitMs)
    const shorten = (): void => {
      clearTimeout(timer)
      timer = startTimer(Math.min(limitMs, DRAINING_LIMIT_MS))
    }
    draining.addEventListener('abort', shorten)
    const cleanUp = (): void => {
      clearTimeout(timer)
      draining.removeEventListener('abort', shorten)
    }
    done.addEventListener('abort', cleanUp, { once: true })
  })

/** Calls of the Temporal server with time-outs. */
export const createCalls = (deps: Omit<EngineDeps, 'waitMs'>) => {
  const { client, draining } = deps
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

  return { probe, watchOutages, within, updateWithin, describe }
}
