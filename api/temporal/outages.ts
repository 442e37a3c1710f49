import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import { stallTolerantTimeout } from '../../activities/common/timeout.ts'
import { databaseOutage } from '../../activities/database/outages.ts'
import { shareRunning } from '../http/cache.ts'
import { isBusy, unavailable } from './failures.ts'

/** Interval at which a waiting call probes the Temporal server, and the time-out of a probe. */
const PROBE_EVERY_MS = 200
export const PROBE_LIMIT_MS = 1_000
/** Interval between two reads of the database that decide on an outage. */
const SECOND_READ_MS = 500

export interface WatchedDeps {
  client: Client
  /** A small read of the database, so that a waiting call also fails during an outage of the database. Default: no read. */
  readRecords?: () => Promise<unknown>
}

/** Watches Temporal server and database while calls wait. */
export const createOutageWatch = ({ client, readRecords }: WatchedDeps) => {
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

  const sharedProbe = shareRunning(probe)

  const findDatabaseOutage = async (): Promise<Error | null> => {
    try {
      await readRecords?.()
      return null
    } catch (error) {
      return databaseOutage(error)
    }
  }
  /** Fails after two outages in a row: the server may just be restarting. */
  const sharedRead = shareRunning(async () => {
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

  return { probe, rejectOnOutage, watchOutages }
}
