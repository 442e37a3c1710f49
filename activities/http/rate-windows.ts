import { sql } from 'kysely'
import type { Rows } from '../database/database.ts'

/** A fixed window in which the requests of one caller are counted. */
export interface RateWindow {
  bucket: string
  /** Address or subject; cut to 128 characters. */
  key: string
  /** Epoch ms. */
  startsAt: number
}

/** Adds requests to a window. Returns its count, these included. One statement keeps the count exact across processes. */
export const addRequests = async (rows: Rows, { bucket, key, startsAt }: RateWindow, requests: number): Promise<number> => {
  const { count } = await rows
    .insertInto('rate_window')
    .values({ bucket, key: key.slice(0, 128), windowStart: startsAt, count: requests })
    .onConflict((conflict) =>
      conflict.columns(['bucket', 'key', 'windowStart']).doUpdateSet({ count: sql<number>`rate_window.count + excluded.count` }),
    )
    .returning('count')
    .executeTakeFirstOrThrow()
  return count
}

/** Deletes windows that began before `before` (epoch ms). */
export const deleteRateWindows = async (rows: Rows, before: number): Promise<void> => {
  await rows.deleteFrom('rate_window').where('windowStart', '<', before).execute()
}
