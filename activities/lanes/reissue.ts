import { sql } from 'kysely'
import { reissueIdOf } from '../../domain/lanes/reissue.ts'
import type { Settings } from '../../schemas/settings.ts'
import { bankReading, type InventoryDeps, takeInventory } from '../catalogue/inventory.ts'
import { type Rows, readRow } from '../database/database.ts'

export interface ReissueDeps extends InventoryDeps {
  settings: Pick<Settings, 'REWARD_BANK_MAX_AGE_SECONDS' | 'STARTER_JOBS_MINIMUM'>
}

/**
 * Starter jobs that are missing at `now` (epoch ms) until the operator has as many claimable ones as wanted; 0 where the balance of the bank
 * is not known. Counts the catalogue, so ask once a page and not for each candidate.
 */
export const countMissingStarters = async (rows: Rows, deps: ReissueDeps, now: number): Promise<number> => {
  const minimum = deps.settings.STARTER_JOBS_MINIMUM
  if (minimum === 0 || !(await bankReading(rows, deps)).fresh) return 0
  const { waiverEligibleClaimableJobs } = await takeInventory(rows, deps, now)
  return Math.max(0, minimum - waiverEligibleClaimableJobs)
}

/** Candidate of a source. */
interface Origin {
  provider: string
  itemKey: string
}

const LIVE = sql`exists (select 1 from claim_intent i where i.job_id = j.id and i.status = 'open')
  or exists (select 1 from session s where s.job_id = j.id
    and (s.status in ('claimed', 'submitted', 'disputed') or (s.status = 'rejected' and s.rejection_finalized_at is null)))`
/** A session took the job for good, or its attempts are used up. */
const USED_UP = sql`exists (select 1 from session s where s.job_id = j.id and s.status not in ('claimed', 'submitted', 'disputed', 'expired'))
  or (select attempts from job_attempts a where a.job_id = j.id) >= nullif((j.definition ->> 'retryLimit')::integer, 0)`
/** Its listing ran out. What an operator paused or archived before that stays so, and is not listed again. */
const ranOut = (now: number) => sql`j.stale_at <= ${new Date(now)}
  and (j.lifecycle_status = 'open' or (j.lifecycle_status = 'archived' and j.updated_at >= j.stale_at))`

/** Whether an id was ever that of a job, a session or a candidate. */
const isUsed = async (rows: Rows, id: string): Promise<boolean> => {
  const { used } = await readRow(
    rows,
    sql<{ used: boolean }>`select exists (select 1 from job where id = ${id}) or exists (select 1 from session where job_id = ${id})
      or exists (select 1 from ingest_item where job_id = ${id}) as used`,
  )
  return used
}

/**
 * Id under which the job of a candidate is listed again at `now` (epoch ms); null while one of its jobs can be claimed, is worked on, or was
 * withdrawn by an operator. No job, session or candidate ever had the id.
 */
export const findReissueId = async (rows: Rows, { provider, itemKey }: Origin, now: number): Promise<string | null> => {
  const { firstId, listings, allEnded } = await readRow(
    rows,
    sql<{ firstId: string | null; listings: number; allEnded: boolean | null }>`
      select (array_agg(j.id order by j.created_at, j.id))[1] as "firstId", count(*)::integer as listings,
        bool_and(not (${LIVE}) and coalesce((${USED_UP}) or (${ranOut(now)}), false)) as "allEnded"
      from job j where j.ingested_from = ${provider} and j.ingested_key = ${itemKey}`,
  )
  if (firstId === null || allEnded !== true) return null
  let number = listings + 1
  while (await isUsed(rows, reissueIdOf(firstId, number))) number += 1
  return reissueIdOf(firstId, number)
}
