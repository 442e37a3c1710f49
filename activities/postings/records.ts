import { sql } from 'kysely'
import type { PostingRecord } from '../../schemas/postings/record.ts'
import { type Rows, readRow } from '../database/database.ts'

/** Agreements with a named wallet that may be in progress at once. Source: identity, "Proof-gated escrow". */
export const AGREEMENT_LIMIT = 5

/** Finds a posting by its job; null if there is none. */
export const findPosting = async (rows: Rows, jobId: string): Promise<PostingRecord | null> =>
  (await rows
    .selectFrom('posting')
    .selectAll()
    .where('jobId', '=', jobId.toLowerCase() as `0x${string}`)
    .executeTakeFirst()) ?? null

/** Locks a posting until the transaction ends. Throws if there is none. */
export const lockPosting = (rows: Rows, jobId: string): Promise<PostingRecord> =>
  rows
    .selectFrom('posting')
    .selectAll()
    .where('jobId', '=', jobId as `0x${string}`)
    .forUpdate()
    .executeTakeFirstOrThrow()

/** Posters (lower case) and titles of those of the jobs that were posted, by job. */
export const postersOf = async (rows: Rows, jobIds: readonly string[]): Promise<Map<string, { poster: string; title: string }>> => {
  if (jobIds.length === 0) return new Map()
  const found = await rows
    .selectFrom('posting')
    .select(['jobId', 'poster', sql<string>`definition ->> 'title'`.as('title')])
    .where('jobId', 'in', jobIds as `0x${string}`[])
    .execute()
  return new Map(found.map(({ jobId, poster, title }) => [jobId, { poster, title }]))
}

/** Agreements in progress: an agreement takes its place with its listing and leaves it with the end of its escrow. */
export const countAgreements = async (rows: Rows, except: string | null = null): Promise<number> => {
  const count = sql<{ agreements: number }>`
    select count(*)::integer as agreements from posting
    where is_designated and status in ('live', 'delisted') and job_id is distinct from ${except}`
  return (await readRow(rows, count)).agreements
}

/** Orders the listings of agreements until the transaction ends, so that their number is exact. */
export const lockAgreements = async (rows: Rows): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('posting:agreements'))`.execute(rows)
}
