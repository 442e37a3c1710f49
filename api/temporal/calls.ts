import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, type WorkflowExecutionDescription, WorkflowNotFoundError } from '@temporalio/client'
import { stallTolerantTimeout } from '../../activities/common/timeout.ts'
import { databaseOutage } from '../../activities/database/outages.ts'
import type { ErrorCode } from '../../schemas/errors.ts'
import { failureOf, isBusy, isUnprocessed, unavailable } from './failures.ts'

/** How often a waiting call makes sure that the engine is still there, and how long the engine may take to say so. */
const PROBE_EVERY_MS = 200
export const PROBE_LIMIT_MS = 1_000
/** Records that were away are asked again so long after they were asked. */
const AGAIN_AFTER_MS = 500
/** An update that no workflow task took is sent again so much later, then twice as much, and so on. */
const UNTAKEN_PAUSE_MS = 100
const UNTAKEN_PAUSE_LIMIT_MS = 1_000
/** How long a call may still wait once its process is to end. */
const DRAINING_LIMIT_MS = 3_000
/** How long the engine may take to say how a process stands. */
const DESCRIBE_LIMIT_MS = 1_500

export type Outcome<T> = { kind: 'done'; value: T } | { kind: 'pending' }

/** The run that is going on takes the message; else a new one begins. */
export const JOINED_OR_STARTED = { workflowIdConflictPolicy: 'USE_EXISTING', workflowIdReusePolicy: 'ALLOW_DUPLICATE' } as const

export interface EngineDeps {
  client: Client
  /** How long claim, submit and verify are waited for before they count as pending, ms. */
  waitMs: number
  /** A small read of the records: who waits for a process hears of their outage as of the engine's. Default: nobody looks. */
  readRecords?: () => Promise<unknown>
  /** Aborted when the process is to end: what is waited for then counts as pending soon, and converges when another process is asked. */
  draining: AbortSignal
}

export type EngineCalls = EngineDeps & ReturnType<typeof createCalls>

/** Calls of the engine that end in time, whatever it does. */
export const createCalls = ({ client, draining, readRecords }: Pick<EngineDeps, 'client' | 'draining' | 'readRecords'>) => {
  const probe = async (): Promise<void> => {
    const ending = new AbortController()
    const { connection } = client
    const { promise: silence, reject } = Promise.withResolvers<never>()
    const forget = stallTolerantTimeout(PROBE_LIMIT_MS, () => {
      // The client would wait for its next try before it hears of the end.
      reject(new Error(`the engine gave no answer within ${PROBE_LIMIT_MS} ms`))
      ending.abort()
    })
    const answer = connection.withAbortSignal(ending.signal, () => connection.workflowService.getSystemInfo({}))
    try {
      await Promise.race([answer, silence])
    } finally {
      forget()
    }
  }

  /** One look at a time, however many wait. */
  const shared = (look: () => Promise<void>): (() => Promise<void>) => {
    let looking: Promise<void> | undefined
    return () => {
      looking ??= look().finally(() => {
        looking = undefined
      })
      return looking
    }
  }
  const sharedProbe = shared(probe)

  const recordsOutage = async (): Promise<Error | null> => {
    try {
      await readRecords?.()
      return null
    } catch (error) {
      return databaseOutage(error)
    }
  }
  /** Fails at the second outage in a row: one may be a server that is just being restarted. */
  const sharedRead = shared(async () => {
    const began = performance.now()
    if ((await recordsOutage()) === null) return
    await sleep(Math.max(0, AGAIN_AFTER_MS - (performance.now() - began)))
    const again = await recordsOutage()
    if (again !== null) throw again
  })

  /** Rejects as soon as engine or records stop answering; a slow update alone is no outage. */
  const outage = (signal: AbortSignal): Promise<never> =>
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
   * Work of a request that needs the engine in the end: an outage of engine or records ends it early, however long a crowd keeps it from
   * getting there. The work goes on unobserved, so it looks at `gone` before it hands anything to the engine, and gives it to the call that
   * does: what was refused for an outage is not handed over behind the refusal.
   */
  const watched = async <T>(work: (gone: AbortSignal) => Promise<T>): Promise<T> => {
    const [done, gone] = [new AbortController(), new AbortController()]
    const lost = outage(done.signal)
    lost.catch((error: unknown) => gone.abort(error))
    const working = work(gone.signal)
    working.catch(() => undefined)
    try {
      return await Promise.race([working, lost])
    } finally {
      done.abort()
    }
  }

  /** Rejects when the work that a call is a part of ends without it. */
  const endOf = (gone: AbortSignal, done: AbortSignal): Promise<never> =>
    new Promise((_resolve, reject) => gone.addEventListener('abort', () => reject(gone.reason), { once: true, signal: done }))

  /**
   * Runs a call within a bound: its value, or pending when the bound passes; `busy` when the engine takes no more, 503 when it is gone.
   * As a part of watched work it ends with that; else it watches by itself.
   */
  const within = async <T>(
    limitMs: number,
    busy: ErrorCode,
    call: (ending: AbortSignal) => Promise<T>,
    gone?: AbortSignal,
  ): Promise<Outcome<T>> => {
    gone?.throwIfAborted()
    const done = new AbortController()
    const ending = gone === undefined ? done.signal : AbortSignal.any([done.signal, gone])
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
      const work = client.connection.withAbortSignal(ending, () => call(ending)).then((value): Outcome<T> => ({ kind: 'done', value }))
      // The loser of the race is cancelled below; its rejection is of no interest then.
      work.catch(() => undefined)
      return await Promise.race([work, bound, gone === undefined ? outage(done.signal) : endOf(gone, done.signal)])
    } catch (error) {
      throw failureOf(error, busy)
    } finally {
      done.abort()
    }
  }

  /**
   * The same for an update of a run that goes on, or of one that may begin anew without harm: under a crowd a workflow task may end
   * without an update that came to it, which is then sent again until it is taken or the wait ends.
   */
  const takenWithin = <T>(limitMs: number, busy: ErrorCode, call: () => Promise<T>, gone?: AbortSignal): Promise<Outcome<T>> => {
    const untilTaken = async (ending: AbortSignal): Promise<T> => {
      for (let pauseMs = UNTAKEN_PAUSE_MS; ; pauseMs *= 2) {
        try {
          return await call()
        } catch (error) {
          if (!isUnprocessed(error)) throw error
        }
        // Fails when the wait has ended: nothing is sent for nobody.
        await sleep(Math.min(pauseMs, UNTAKEN_PAUSE_LIMIT_MS), undefined, { signal: ending })
      }
    }
    return within(limitMs, busy, untilTaken, gone)
  }

  /** The latest run of a process; null when there never was one. */
  const describe = async (workflowId: string, busy: ErrorCode): Promise<WorkflowExecutionDescription | null> => {
    try {
      return await client.connection.withDeadline(Date.now() + DESCRIBE_LIMIT_MS, () => client.workflow.getHandle(workflowId).describe())
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return null
      throw failureOf(error, busy)
    }
  }

  return { probe, watched, within, takenWithin, describe }
}
