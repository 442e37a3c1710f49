import { sql } from 'kysely'
import { baseIdOf, isReissued, nextListingId } from '../../domain/lanes/reissue.ts'
import type { Settings } from '../../schemas/settings.ts'
import { type InventoryDeps, takeInventory } from '../catalogue/inventory.ts'
import { type Rows, readRow, readRows } from '../database/database.ts'

/** Rows of a job under its id and under the ids of its reissues. */
const isListingOf = (column: string, baseId: string) => {
  const ref = sql.ref(column)
  return sql<boolean>`(${ref} = ${baseId} or (starts_with(${ref}, ${`${baseId}-r`}) and substr(${ref}, ${baseId.length + 3}) ~ '^[1-9][0-9]{0,5}$'))`
}

/**
 * The id under which a job is listed again: `<base>-r<n>` with a number that no job, session, claim or candidate of a source ever had, nor one of the ids in `parkedIds`.
 * `jobId` is the first id of the job or that of a reissue. Call it in the transaction that lists the job, under the lock of its lane.
 */
export const reissueId = async (rows: Rows, jobId: string, parkedIds: Iterable<string> = []): Promise<string> => {
  const baseId = baseIdOf(jobId)
  const used = await readRows(
    rows,
    sql<{ id: string }>`
      select id from job where ${isListingOf('id', baseId)}
      union select job_id from session where ${isListingOf('job_id', baseId)}
      union select job_id from claim_intent where ${isListingOf('job_id', baseId)}
      union select job_id from ingest_item where ${isListingOf('job_id', baseId)}`,
  )
  return nextListingId(baseId, [...used.map(({ id }) => id), ...parkedIds])
}

export interface ReissueDeps extends InventoryDeps {
  settings: Pick<Settings, 'REWARD_BANK_MAX_AGE_SECONDS' | 'STARTER_JOBS_MINIMUM'>
}

/**
 * Whether a job is listed again at `now` (epoch ms): fewer starter jobs can be claimed than the operator wants, none of its listings is live,
 * and its verifier compares with no secret values. Counts the catalogue, so ask once a run and not for each item.
 */
export const isReissueDue = async (rows: Rows, deps: ReissueDeps, jobId: string, now: number): Promise<boolean> => {
  const minimum = deps.settings.STARTER_JOBS_MINIMUM
  if (minimum === 0) return false
  const baseId = baseIdOf(jobId)
  const { live, secret, listed } = await readRow(
    rows,
    sql<{ live: boolean | null; secret: boolean | null; listed: number }>`
      select count(*)::integer as listed, bool_or(verifier_mode = 'deterministic') as secret, bool_or(lifecycle_status = 'open' and delisted_at is null
        and (stale_at is null or stale_at > ${new Date(now)})
        and ((definition->>'retryLimit')::integer = 0
          or coalesce((select attempts from job_attempts a where a.job_id = job.id), 0) < (definition->>'retryLimit')::integer)
        and not exists (select 1 from session s where s.job_id = job.id and s.status in ('resolved', 'closed', 'timed_out', 'chain_state_diverged', 'rejected'))
        or exists (select 1 from session s where s.job_id = job.id
          and (s.status in ('claimed', 'submitted', 'disputed') or (s.status = 'rejected' and s.rejection_finalized_at is null)))) as live
      from job where ${isListingOf('id', baseId)}`,
  )
  if (listed === 0) return false
  const { waiverEligibleClaimableJobs: claimableStarterJobs } = await takeInventory(rows, deps, now)
  return isReissued({ claimableStarterJobs, minimum, isLive: live === true, hasSecretAnswer: secret === true })
}
