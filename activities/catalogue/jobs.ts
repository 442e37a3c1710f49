import { sql } from 'kysely'
import type { JobRecord } from '../../schemas/catalogue/record.ts'
import { type Rows, readRows } from '../database/database.ts'

/** Converts a row of `job` to a record. */
export const parseJobRow = (row: Omit<JobRecord, 'designatedClaimants'>): JobRecord => ({
  ...row,
  designatedClaimants: row.definition.designatedClaimants?.map((wallet) => wallet.toLowerCase()) ?? null,
})

/** Finds a job; null if there is none. */
export const findJob = async (rows: Rows, jobId: string): Promise<JobRecord | null> => {
  const row = await rows.selectFrom('job').selectAll().where('id', '=', jobId).executeTakeFirst()
  return row === undefined ? null : parseJobRow(row)
}

/** Finds a job and locks its row. The lock orders a delisting against a claim. */
export const lockJob = async (rows: Rows, jobId: string): Promise<JobRecord | null> => {
  const row = await rows.selectFrom('job').selectAll().where('id', '=', jobId).forUpdate().executeTakeFirst()
  return row === undefined ? null : parseJobRow(row)
}

/** Increments the catalogue's version because a list answer changes. Call it last in a transaction: all writers wait for this row. */
export const touchCatalogue = async (rows: Rows): Promise<void> => {
  await rows.updateTable('catalogue_version').set({ version: sql<bigint>`version + 1` }).where('id', '=', 1).execute()
}

/** Attempts of jobs that count against their retry limit, by the view `job_attempts`. */
export const countAttempts = async (rows: Rows, jobIds: string[]): Promise<Map<string, number>> => {
  if (jobIds.length === 0) return new Map()
  const counts = sql<{ jobId: string; attempts: number }>`
    select job_id as "jobId", attempts from job_attempts where job_id in (${sql.join(jobIds)})`
  return new Map((await readRows(rows, counts)).map(({ jobId, attempts }) => [jobId, attempts]))
}

/** Those of the wallets (lower case) that have a session, a claim or a reputation: to all others every job looks the same. */
export const walletsWithRecords = async (rows: Rows, wallets: readonly string[]): Promise<Set<string>> => {
  const found = sql<{ wallet: string }>`
    select wallet from unnest(${wallets}::text[]) asked(wallet)
    where exists (select 1 from session where session.wallet = asked.wallet)
      or exists (select 1 from claim_intent where claim_intent.wallet = asked.wallet)
      or exists (select 1 from reputation_event where reputation_event.wallet = asked.wallet)`
  return new Set((await readRows(rows, found)).map(({ wallet }) => wallet))
}
