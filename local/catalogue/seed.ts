import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { createSaltDerivation } from '../../activities/catalogue/expected-outputs.ts'
import { insertJob } from '../../activities/catalogue/writes.ts'
import { openDatabase, type Rows } from '../../activities/database/database.ts'
import { readChainFile } from '../../schemas/chain/chain-file.ts'
import type { StateFiles } from '../files.ts'
import { localKey } from '../keys.ts'
import { readServiceTime } from '../time/clock.ts'
import { type CataloguedJob, missingJobs, seedJobs } from './seed-jobs.ts'

/** Ids of the seeds, without the suffix of a reissue. */
const SEED_IDS = sql.join(seedJobs().map(({ id }) => id))

/** Seeds and their reissues in the catalogue. A seed is used up when closed, stale, held by a session or out of attempts. */
const listJobs = async (rows: Rows, now: number): Promise<CataloguedJob[]> => {
  const result = await sql<CataloguedJob>`
    select j.id,
      j.lifecycle_status = 'open' and j.delisted_at is null
        and (j.stale_at is null or j.stale_at > ${new Date(now)}::timestamptz)
        and not exists (select 1 from session s where s.job_id = j.id and s.status <> 'expired')
        and ((j.definition->>'retryLimit')::integer = 0
          or coalesce((select a.attempts from job_attempts a where a.job_id = j.id), 0) < (j.definition->>'retryLimit')::integer) as claimable
    from job j where j.posting_route = 'curated' and regexp_replace(j.id, '-r[0-9]+$', '') in (${SEED_IDS})`.execute(rows)
  return result.rows
}

/** Adds missing seeds to the catalogue. Returns the number of added jobs. */
export const seed = async (databaseUrl: string, files: StateFiles): Promise<number> => {
  const database = openDatabase({ url: databaseUrl, poolSize: 2 })
  const now = readServiceTime(files.clockOffset)
  const { asset } = readChainFile(files.chainFile)
  const posterAddress = localKey('operator').address.toLowerCase()
  const author = { posterAddress, deriveSalt: createSaltDerivation(readFileSync(files.answerSecret, 'utf8').trim()) }
  try {
    return await database.transaction(async (rows) => {
      // Serialises concurrent demos, so that each sees the jobs of the one before.
      await sql`select pg_advisory_xact_lock(hashtext('seed-catalogue'))`.execute(rows)
      const missing = missingJobs(await listJobs(rows, now), asset, author)
      for (const { job, status } of missing) await insertJob(rows, job, { now, posterAddress, status })
      return missing.length
    })
  } finally {
    await database.close()
  }
}
