import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, type WorkflowExecutionDescription, WorkflowNotFoundError } from '@temporalio/client'
import { stallTolerantTimeout } from '../../activities/common/timeout.ts'
import { databaseOutage } from '../../activities/database/outages.ts'
import type { ErrorCode } from '../../schemas/errors.ts'
import { isBusy, isUnprocessed, toCallFailure, unavailable } from './failures.ts'

/** Interval at which a waiting call probes the Temporal server, and the time-out of a probe. */
const PROBE_EVERY_MS = 200
export const PROBE_LIMIT_MS = 1_000
/** Interval between two reads of the database that decide on an outage. */
const SECOND_READ_MS = 500
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

export interface EngineDeps {
  client: Client
  /** How long a call waits for claim, submit and verify before they count as pending, ms. */
  waitMs: number
  /** A small read of the database, so that a waiting call also fails during an outage of the database. Default: no read. */
  readRecords?: () => Promise<unknown>
  /** Aborted when the API shuts down: waiting calls then count as pending soon. A repeated request gets the result from another instance. */
  draining: AbortSignal
}

export type EngineCalls = EngineDeps & ReturnType<typeof createCalls>

/** Calls of the Temporal server with time-outs. */
export const createCalls = ({ client, draining, readRecords }: Pick<EngineDeps, 'client' | 'draining' | 'readRecords'>) => {
  const probe = async (): Promise<void> => {
    const abort = new AbortController()
    const { connection } = client
    const { promise: timeout, reject } = Promise.withResolvers<never>()
    const clearTimer = stallTolerantTimeout(PROBE_LIMIT_MS, () => {
      // Rejected here, since the client notices the abort only before its next retry.
      reject(new Error(`the engine gave no answer within ${PROBE_LIMIT_MS} ms`))
      abort.abort()
    })
    const answer = connection.withAbortSignal(abort.signal, () => connection.workflowService.getSystemInfo({}))
    try {
      await Promise.race([answer, timeout])
    } finally {
      clearTimer()
    }
  }

  /** Shares one running check among all callers. */
  const share = (check: () => Promise<void>): (() => Promise<void>) => {
    let running: Promise<void> | undefined
    return () => {
      running ??= check().finally(() => {
        running = undefined
      })
      return running
    }
  }
  const sharedProbe = share(probe)

  const findDatabaseOutage = async (): Promise<Error | null> => {
    try {
      await readRecords?.()
      return null
    } catch (error) {
      return databaseOutage(error)
    }
  }
  /** Fails after two outages in a row: the server may just be restarting. */
  const sharedRead = share(async () => {
    const startedAt = performance.now()
    if ((await findDatabaseOutage()) === null) return
    await sleep(Math.max(0, SECOND_READ_MS - (performance.now() - startedAt)))
    const outage = await findDatabaseOutage()
    if (outage !== null) throw outage
  })

  /** Rejects when Temporal server or database stop answering; a slow update alone is no outage. */
  const rejectOnOutage = (signal: AbortSignal): Promise<never> =>
    new Promise((_resolve, reject) => {
      const watch = async (): Promise<void> => {
        while (!signal.aborted) {
          await sleep(PROBE_EVERY_MS)
          if (signal.aborted) return
          await Promise.all([
            sharedProbe().catch((error: unknown) => isBusy(error) || reject(unavailable(error))),
            sharedRead().catch(reject),
          ])
        }
      }
      void watch()
    })

  /**
   * Runs the work of a request and rejects early during an outage of Temporal server or database. The work itself cannot be stopped: it passes
   * `outage` to its engine calls, so that it sends nothing after the request was refused.
   */
  const watchOutages = async <T>(work: (outage: AbortSignal) => Promise<T>): Promise<T> => {
    const [done, outage] = [new AbortController(), new AbortController()]
    const rejected = rejectOnOutage(done.signal)
    rejected.catch((error: unknown) => outage.abort(error))
    const working = work(outage.signal)
    working.catch(() => undefined)
    try {
      return await Promise.race([working, rejected])
    } finally {
      done.abort()
    }
  }

  /** Rejects with the reason of the signal when it is aborted. */
  const rejectOnAbort = (signal: AbortSignal, done: AbortSignal): Promise<never> =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: done }))

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
    const timeout = new Promise<Outcome<T>>((resolve) => {
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
      done.signal.addEventListener('abort', cleanUp, { once: true })
    })
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
