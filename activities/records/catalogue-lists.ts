import { sql } from 'kysely'
import type { JobRecord } from '../../schemas/job-record.ts'
import { jobRecordOf } from './catalogue.ts'
import type { Rows } from './database.ts'

/** Filters of the public list; an absent one matches every row. */
export interface CatalogueFilter {
  sourceGroup?: string | undefined
  category?: string | undefined
  tier?: string | undefined
  verifierMode?: string | undefined
}

export interface CataloguePosition {
  listedAt: number
  id: string
}

/** Open, listed, fresh jobs, newest first, strictly after `after`. */
export const listOpenJobs = async (
  rows: Rows,
  filter: CatalogueFilter,
  page: { now: number; limit: number; after: CataloguePosition | null },
): Promise<JobRecord[]> => {
  let query = rows
    .selectFrom('job')
    .selectAll()
    .where('lifecycleStatus', '=', 'open')
    .where('delistedAt', 'is', null)
    .where((is) => is.or([is('staleAt', 'is', null), is('staleAt', '>', page.now)]))
  if (filter.sourceGroup !== undefined) query = query.where('sourceGroup', '=', filter.sourceGroup)
  if (filter.category !== undefined) query = query.where('category', '=', filter.category)
  if (filter.tier !== undefined) query = query.where('tier', '=', filter.tier)
  if (filter.verifierMode !== undefined) query = query.where('verifierMode', '=', filter.verifierMode)
  const { after } = page
  if (after !== null)
    query = query.where((is) =>
      is.or([is('listedAt', '<', after.listedAt), is.and([is('listedAt', '=', after.listedAt), is('id', '>', after.id)])]),
    )
  const found = await query.orderBy('listedAt', 'desc').orderBy('id').limit(page.limit).execute()
  return found.map(jobRecordOf)
}

/** Every job for operators, newest first. */
export const listAllJobs = async (
  rows: Rows,
  status: string | undefined,
  page: { limit: number; after: CataloguePosition | null },
): Promise<JobRecord[]> => {
  let query = rows.selectFrom('job').selectAll()
  if (status !== undefined) query = query.where('lifecycleStatus', '=', status)
  const { after } = page
  if (after !== null)
    query = query.where((is) =>
      is.or([is('listedAt', '<', after.listedAt), is.and([is('listedAt', '=', after.listedAt), is('id', '>', after.id)])]),
    )
  const found = await query.orderBy('listedAt', 'desc').orderBy('id').limit(page.limit).execute()
  return found.map(jobRecordOf)
}

export interface Inventory {
  claimableJobs: number
  waiverEligibleJobs: number
  waiverEligibleClaimableJobs: number
}

interface InventoryRow {
  claimable: number
  waiver: number
  waiver_claimable: number
}

/**
 * Catalogue-wide counts by the rule of the claim state (open, fresh, no session that holds it, attempts left, reward covered by
 * the bank). Expensive at size: callers keep the answer for a while and say when it was counted.
 */
export const countInventory = async (
  rows: Rows,
  facts: { now: number; bankRaw: bigint; posterFeeBps: number; posterFeeFloorRaw: bigint },
): Promise<Inventory> => {
  const now = new Date(facts.now)
  const lapsedBefore = new Date(Math.floor(facts.now / 1000) * 1000)
  const result = await sql<InventoryRow>`
    select
      count(*) filter (where claimable)::integer as claimable,
      count(*) filter (where waiver_eligible)::integer as waiver,
      count(*) filter (where claimable and waiver_eligible)::integer as waiver_claimable
    from (
      select j.waiver_eligible,
        j.reward_raw + case when j.waiver_eligible then 0
          else greatest(floor(j.reward_raw * ${facts.posterFeeBps} / 10000), ${facts.posterFeeFloorRaw.toString()}::numeric) end <= ${facts.bankRaw.toString()}::numeric
        and not exists (
          select 1 from session s where s.job_id = j.id and s.status <> 'expired'
            and not (s.status = 'claimed' and s.submission is null and date_trunc('second', s.claim_expires_at) < ${lapsedBefore}::timestamptz))
        and ((j.definition->>'retryLimit')::integer = 0
          or coalesce((select a.attempts from job_attempts a where a.job_id = j.id), 0) < (j.definition->>'retryLimit')::integer) as claimable
      from job j
      where j.lifecycle_status = 'open' and j.delisted_at is null and (j.stale_at is null or j.stale_at > ${now}::timestamptz)
    ) listed`.execute(rows)
  const [row] = result.rows
  return {
    claimableJobs: row?.claimable ?? 0,
    waiverEligibleJobs: row?.waiver ?? 0,
    waiverEligibleClaimableJobs: row?.waiver_claimable ?? 0,
  }
}

/** How many jobs stand in each lifecycle word. */
export const countLifecycle = async (
  rows: Rows,
  now: number,
): Promise<{ total: number; open: number; stale: number; paused: number; archived: number }> => {
  const result = await sql<{ total: number; open: number; stale: number; paused: number; archived: number }>`
    select count(*)::integer as total,
      count(*) filter (where lifecycle_status = 'open' and (stale_at is null or stale_at > ${new Date(now)}))::integer as open,
      count(*) filter (where lifecycle_status = 'open' and stale_at <= ${new Date(now)})::integer as stale,
      count(*) filter (where lifecycle_status = 'paused')::integer as paused,
      count(*) filter (where lifecycle_status = 'archived')::integer as archived
    from job`.execute(rows)
  const [row] = result.rows
  if (row === undefined) throw new Error('a count without a row')
  return row
}
