import { sql } from 'kysely'
import type { JobRecord } from '../../schemas/catalogue/record.ts'
import { type Rows, readRow } from '../database/database.ts'
import { parseJobRow } from './jobs.ts'
import { TEMPLATE_LANE } from './lanes.ts'

const FILTERS = ['sourceGroup', 'category', 'tier', 'verifierMode'] as const
/** Filters of the public list; an absent one matches every row. */
export type CatalogueFilter = { [Column in (typeof FILTERS)[number]]?: string | undefined } & { waiverEligible?: boolean | undefined }

export type CataloguePosition = Pick<JobRecord, 'listedAt' | 'id'>

/** True for a listing that is not stale at `now` (epoch ms). The expression matches the indexes for lists and counts. */
const isFresh = (now: number) => sql<boolean>`coalesce(stale_at, 'infinity'::timestamptz) > ${new Date(now)}::timestamptz`

/** True for every job but a recurring template. The literal matches the indexes for lists and counts. */
const IS_LISTED = sql<boolean>`lane <> ${sql.lit(TEMPLATE_LANE)}`

interface Page {
  limit: number
  after: CataloguePosition | null
}

/** Query of a page of jobs, newest first, strictly after `after`. */
const selectPage = (rows: Rows, { limit, after }: Page) => {
  const page = rows.selectFrom('job').selectAll().orderBy('listedAt', 'desc').orderBy('id').limit(limit)
  if (after === null) return page
  return page.where('listedAt', '<=', after.listedAt).where((is) => is.or([is('listedAt', '<', after.listedAt), is('id', '>', after.id)]))
}

/** Open, listed, fresh jobs, newest first, strictly after `after`. */
export const listOpenJobs = async (rows: Rows, filter: CatalogueFilter, page: Page & { now: number }): Promise<JobRecord[]> => {
  let query = selectPage(rows, page)
    .where('lifecycleStatus', '=', 'open')
    .where('delistedAt', 'is', null)
    .where(IS_LISTED)
    .where(isFresh(page.now))
  for (const column of FILTERS) if (filter[column] !== undefined) query = query.where(column, '=', filter[column])
  if (filter.waiverEligible !== undefined) query = query.where('waiverEligible', '=', filter.waiverEligible)
  return (await query.execute()).map(parseJobRow)
}

/** Every job for operators, newest first. */
export const listAllJobs = async (rows: Rows, status: string | undefined, page: Page): Promise<JobRecord[]> => {
  const query = selectPage(rows, page)
  return (await (status === undefined ? query : query.where(sql.ref<string>('lifecycleStatus'), '=', status)).execute()).map(parseJobRow)
}

export interface Inventory {
  claimableJobs: number
  waiverEligibleJobs: number
  waiverEligibleClaimableJobs: number
}

/**
 * Counts of the whole catalogue by the rules of the claim state: open, fresh, unclaimed, attempts left, reward covered by the bank, none of
 * the `unmet` verdict needs. Listed
 * jobs are read from an index alone and blockers from the sessions; a read per job is ten times slower. The cost grows with the catalogue, so
 * callers cache the answer and show its age.
 */
export const countInventory = async (
  rows: Rows,
  facts: { now: number; bankRaw: bigint; posterFeeBps: number; posterFeeFloorRaw: bigint; unmet: readonly string[] },
): Promise<Inventory> => {
  const lapsedBefore = new Date(Math.floor(facts.now / 1000) * 1000)
  // Without an unmet need no array is read.
  const unmet = facts.unmet.length === 0 ? sql`false` : sql`verdict_needs && ${[...facts.unmet]}::text[]`
  const inventory = sql<Inventory>`
    with held as materialized (
      select job_id from session where status not in ('expired', 'claimed')
      union select job_id from session where status = 'claimed'
        and not (submission is null and date_trunc('second', claim_expires_at) < ${lapsedBefore}::timestamptz)
    ), tried as materialized (
      select job_id, attempts from job_attempts a where not exists (select 1 from held where held.job_id = a.job_id)
    ), closed as (
      select job_id from held
      union all select job_id from tried join job on id = job_id where (definition->>'retryLimit')::integer between 1 and attempts
    ), priced as (
      select waiver_eligible, count(*) as listed, count(*) filter (where closed.job_id is null and not ${unmet}) as free,
        reward_raw + case when waiver_eligible then 0
          else greatest(floor(reward_raw * ${facts.posterFeeBps} / 10000), ${facts.posterFeeFloorRaw.toString()}::numeric) end <= ${facts.bankRaw.toString()}::numeric as covered
      from job left join closed on closed.job_id = id
      where lifecycle_status = 'open' and delisted_at is null and ${IS_LISTED} and ${isFresh(facts.now)}
      group by waiver_eligible, reward_raw
    )
    select
      coalesce(sum(free) filter (where covered), 0)::integer as "claimableJobs",
      coalesce(sum(listed) filter (where waiver_eligible), 0)::integer as "waiverEligibleJobs",
      coalesce(sum(free) filter (where covered and waiver_eligible), 0)::integer as "waiverEligibleClaimableJobs"
    from priced`
  return readRow(rows, inventory)
}

/** Counts jobs by lifecycle status. */
export const countLifecycle = (rows: Rows, now: number) => {
  const counts = sql<{ total: number; open: number; stale: number; paused: number; archived: number }>`
    select count(*)::integer as total,
      count(*) filter (where lifecycle_status = 'open' and (stale_at is null or stale_at > ${new Date(now)}))::integer as open,
      count(*) filter (where lifecycle_status = 'open' and stale_at <= ${new Date(now)})::integer as stale,
      count(*) filter (where lifecycle_status = 'paused')::integer as paused,
      count(*) filter (where lifecycle_status = 'archived')::integer as archived
    from job`
  return readRow(rows, counts)
}
