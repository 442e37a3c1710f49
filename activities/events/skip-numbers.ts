import { sql } from 'kysely'
import { TOPICS } from '../../domain/events/topics.ts'
import type { Database } from '../database/database.ts'
import { lockRelay } from './relay.ts'

/** More events than the service writes between a backup and a loss. */
const SKIPPED_NUMBERS = 1_000_000n

/**
 * Lets the numbers of events begin above all that readers may have seen before the records were restored, with an event that says so: a reader would
 * pass over another event under a number that it knows. Returns that number. `now` in epoch ms.
 */
export const skipEventNumbers = (database: Database, now: number): Promise<bigint> =>
  database.transaction(async (rows) => {
    await lockRelay(rows)
    const { newest } = await rows
      .selectFrom('event')
      .select(sql<string>`coalesce(max(seq), 0)::text`.as('newest'))
      .executeTakeFirstOrThrow()
    const seq = BigInt(newest) + SKIPPED_NUMBERS
    const data = { lastKept: newest, nextAfter: seq.toString() }
    await rows
      .insertInto('event')
      .values({ ...TOPICS['service.restored'], topic: 'service.restored', seq, correlationId: 'none', wallets: [], at: now, data })
      .execute()
    return seq
  })
