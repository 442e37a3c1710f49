import { sql } from 'kysely'
import { ROLLING_BUDGET_SECONDS } from '../../domain/common/constants.ts'
import type { CatalogueUse, WalletExposure } from '../../domain/eligibility/exposure.ts'
import { type Rows, readRow } from '../database/database.ts'
import { openSession } from '../sessions/records.ts'

/** Statuses that use none of the platform's money and free the exposure. */
const IS_EXPOSED = sql<boolean>`status not in ('expired', 'timed_out', 'closed')`

const windowStart = (now: number): Date => new Date(now - ROLLING_BUDGET_SECONDS * 1000)

/**
 * Exposure of one wallet over its curated claims; open intents count like claims. One statement sums both: between two of them a claim that
 * is being recorded would leave the intents and not be among the sessions yet.
 */
export const walletExposure = async (rows: Rows, wallet: string, now: number): Promise<WalletExposure> => {
  const exposure = sql<{ openRaw: string; settledRaw: string; settledJobs: number; rolling: { exposureRaw: string; claimedAt: string }[] }>`
    with intent as (select exposure_raw, created_at from claim_intent where wallet = ${wallet} and status = 'open'),
      settled as (select coalesce(sum(reward_raw), 0) as total, count(*)::integer as jobs from session where wallet = ${wallet} and status = 'resolved'),
      entry as (
        select exposure_raw, claimed_at from session where wallet = ${wallet} and claimed_at > ${windowStart(now)} and ${IS_EXPOSED}
        union all select exposure_raw, created_at from intent
      )
    select (
        select coalesce(sum(exposure_raw), 0) from session where wallet = ${wallet}
          and ${openSession}
      ) + (select coalesce(sum(exposure_raw), 0) from intent) as "openRaw",
      settled.total as "settledRaw", settled.jobs as "settledJobs",
      (select coalesce(json_agg(json_build_object('exposureRaw', exposure_raw::text, 'claimedAt', claimed_at) order by claimed_at), '[]') from entry) as rolling
    from settled`
  const { openRaw, settledRaw, settledJobs, rolling } = await readRow(rows, exposure)
  return {
    openRaw: BigInt(openRaw),
    lifetimeSettledRaw: BigInt(settledRaw),
    settledJobs,
    rolling: rolling.map(({ exposureRaw, claimedAt }) => ({ exposureRaw: BigInt(exposureRaw), claimedAt: Date.parse(claimedAt) })),
  }
}

/** Curated claims of every wallet in the last 24 hours. One statement, for the same reason. */
export const catalogueUse = async (rows: Rows, now: number): Promise<CatalogueUse> => {
  const use = sql<{ totalRaw: string; earliest: Date | null }>`
    select coalesce(sum(exposure_raw), 0) + (select coalesce(sum(exposure_raw), 0) from claim_intent where status = 'open') as "totalRaw",
      min(claimed_at) as earliest
    from session where claimed_at > ${windowStart(now)} and ${IS_EXPOSED}`
  const { totalRaw, earliest } = await readRow(rows, use)
  return { totalRaw: BigInt(totalRaw), earliestClaimedAt: earliest === null ? null : new Date(earliest).getTime() }
}

/** Onboarding subsidy reserved on a UTC day (`YYYY-MM-DD`), base units. */
export const subsidyOfDay = async (rows: Rows, day: string): Promise<bigint> => {
  const row = await rows
    .selectFrom('subsidy_reservation')
    .select(sql<string>`coalesce(sum(amount_raw), 0)`.as('total'))
    .where('day', '=', day)
    .executeTakeFirstOrThrow()
  return BigInt(row.total)
}
