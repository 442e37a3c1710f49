import { sql } from 'kysely'
import type { JobRecord } from '../../schemas/catalogue/record.ts'
import type { Rows } from '../database/database.ts'

/** Converts a row of `job` to a record. */
export const parseJobRow = (row: Omit<JobRecord, 'designatedClaimants'>): JobRecord => ({ ...row, designatedClaimants: null })

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

/** Version of the catalogue; it changes with every list answer. */
export const catalogueVersion = async (rows: Rows): Promise<bigint> => {
  const row = await rows.selectFrom('catalogue_version').select('version').where('id', '=', 1).executeTakeFirstOrThrow()
  return BigInt(row.version)
}

/** Attempts of jobs that count against their retry limit, by the view `job_attempts`. */
export const countAttempts = async (rows: Rows, jobIds: string[]): Promise<Map<string, number>> => {
  if (jobIds.length === 0) return new Map()
  const result = await sql<{
    job_id: string
    attempts: number
  }>`select job_id, attempts from job_attempts where job_id in (${sql.join(jobIds)})`.execute(rows)
  return new Map(result.rows.map((row) => [row.job_id, row.attempts]))
}
