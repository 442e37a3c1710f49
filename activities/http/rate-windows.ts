import { sql } from 'kysely'
import type { Rows } from '../database/database.ts'

export interface RateCount {
  /** Requests in this window, this one included. */
  count: number
  /** Epoch ms at which the window ends. */
  resetAt: number
}

export interface RateKey {
  bucket: string
  /** Address or subject; cut to 128 characters. */
  key: string
  windowSeconds: number
}

/** Counts one request in the fixed window of `now` (epoch ms). One statement keeps the count exact across processes. */
export const countRequest = async (rows: Rows, { bucket, key, windowSeconds }: RateKey, now: number): Promise<RateCount> => {
  const windowMs = windowSeconds * 1000
  const windowStart = Math.floor(now / windowMs) * windowMs
  const { count } = await rows
    .insertInto('rate_window')
    .values({ bucket, key: key.slice(0, 128), windowStart, count: 1 })
    .onConflict((conflict) => conflict.columns(['bucket', 'key', 'windowStart']).doUpdateSet({ count: sql<number>`rate_window.count + 1` }))
    .returning('count')
    .executeTakeFirstOrThrow()
  return { count, resetAt: windowStart + windowMs }
}

/** Deletes windows that began before `before` (epoch ms). */
export const deleteRateWindows = async (rows: Rows, before: number): Promise<void> => {
  await rows.deleteFrom('rate_window').where('windowStart', '<', before).execute()
}
