import { sql } from 'kysely'
import { type Database, type Rows, readRow } from '../database/database.ts'

/** Number of rows per transaction; the rest follows in the next. */
const BATCH = 500
/** Channel that notifies event streams; the payload is the newest number. */
export const EVENTS_CHANNEL = 'events'

const RELAY = sql`hashtext('event-relay')`

/** Keeps every relay from numbering until the transaction ends. */
export const lockRelay = async (rows: Rows): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${RELAY})`.execute(rows)
}

const areEventsWaiting = async (rows: Rows): Promise<boolean> =>
  (await rows.selectFrom('event').select('id').where('seq', 'is', null).limit(1).executeTakeFirst()) !== undefined

/**
 * Assigns public numbers to committed events in the order of writing, without gaps. An advisory lock admits one relay at a time until its
 * numbers are committed, so a reader never sees a lower number later. Returns how many it numbered; 0 if another process holds the lock.
 */
export const relayEvents = async (database: Database): Promise<number> => {
  // Outside of a transaction: one statement ten times a second and not three.
  if (!(await areEventsWaiting(database.rows))) return 0
  return database.transaction(async (rows) => {
    const lock = await readRow(rows, sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(${RELAY}) as taken`)
    if (!lock.taken) return 0
    const numbering = sql<{ numbered: number; newest: string | null }>`
      with base as (select coalesce(max(seq), 0) as last from event),
        waiting as (select id, row_number() over (order by id) as place from (select id from event where seq is null order by id limit ${BATCH}) w),
        given as (
          update event set seq = base.last + waiting.place from base, waiting where event.id = waiting.id returning event.seq
        )
      select count(*)::integer as numbered, max(seq) as newest from given`
    const { numbered, newest } = await readRow(rows, numbering)
    if (numbered > 0) await sql`select pg_notify(${EVENTS_CHANNEL}, ${String(newest)})`.execute(rows)
    return numbered
  })
}
