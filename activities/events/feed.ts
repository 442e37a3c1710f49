import { type ExpressionBuilder, sql } from 'kysely'
import type { EventFilter } from '../../domain/events/filter.ts'
import type { Tables } from '../../schemas/entities/tables.ts'
import { type Rows, readRow } from '../database/database.ts'
import type { RecordedEvent } from './timeline.ts'

/** A numbered event. */
export type NumberedEvent = RecordedEvent & { seq: bigint }

/** The rule of `passes` in SQL. */
export const whereEvent = (filter: EventFilter) => (event: ExpressionBuilder<Tables, 'event'>) => {
  const { wallet, jobId, sessionId, correlationId, topics, sources, phases, severities } = filter
  return event.and([
    ...(wallet === null ? [] : [sql<boolean>`wallets @> ${JSON.stringify([wallet])}::jsonb`]),
    ...(jobId === null ? [] : [event('jobId', '=', jobId)]),
    ...(sessionId === null ? [] : [event('sessionId', '=', sessionId)]),
    ...(correlationId === null ? [] : [event('correlationId', '=', correlationId)]),
    ...(topics.length > 0 ? [event('topic', 'in', topics)] : []),
    ...(sources.length > 0 ? [event('source', 'in', sources)] : []),
    ...(phases.length > 0 ? [event('phase', 'in', phases)] : []),
    ...(severities.length > 0 ? [event('severity', 'in', severities)] : []),
  ])
}

/** Numbered events after a number, in order. */
export const readEventsAfter = (rows: Rows, filter: EventFilter, after: bigint, limit: number): Promise<NumberedEvent[]> =>
  rows.selectFrom('event').selectAll().where('seq', '>', after).where(whereEvent(filter)).orderBy('seq').limit(limit).execute() as Promise<
    NumberedEvent[]
  >

/** The last `limit` numbered events, in order. */
export const readLastEvents = async (rows: Rows, filter: EventFilter, from: bigint, limit: number): Promise<NumberedEvent[]> => {
  const numbered = rows.selectFrom('event').selectAll().where('seq', '>=', from).where(whereEvent(filter))
  return (await numbered.orderBy('seq', 'desc').limit(limit).execute()).toReversed() as NumberedEvent[]
}

/** Writers work side by side, so numbers are not quite in the order of time: the smallest of so many is the first. */
const OLDEST_ROWS = 1_000

/** Range of the numbers that streams serve: `oldest` is the first one since an instant (epoch ms), `newest` + 1 without any. Numbers begin at 1. */
export const readEventRange = async (rows: Rows, since: number): Promise<{ oldest: bigint; newest: bigint }> => {
  const range = sql<{ oldest: string | null; newest: string | null }>`
    select (select min(seq) from (select seq from event where seq is not null
        and coalesce(recorded_at, at) >= ${new Date(since).toISOString()}::timestamptz
        order by coalesce(recorded_at, at), seq limit ${OLDEST_ROWS}) first) as oldest,
      (select max(seq) from event) as newest`
  const found = await readRow(rows, range)
  const newest = BigInt(found.newest ?? 0)
  return { oldest: BigInt(found.oldest ?? newest + 1n), newest }
}

/** Number of the newest event; 0 without any. */
export const readNewestNumber = async (rows: Rows): Promise<bigint> => {
  const newest = await rows
    .selectFrom('event')
    .select(({ fn }) => fn.max('seq').as('seq'))
    .executeTakeFirstOrThrow()
  return BigInt(newest.seq ?? 0)
}
