import { sql } from 'kysely'
import { ROLLING_BUDGET_SECONDS } from '../../domain/common/constants.ts'
import type { CatalogueUse, WalletExposure } from '../../domain/eligibility/exposure.ts'
import type { Rows } from '../database/database.ts'

/** Statuses that use none of the platform's money and free the exposure. */
const UNEXPOSED_STATUSES = ['expired', 'timed_out', 'closed'] as const

const windowStart = (now: number): number => now - ROLLING_BUDGET_SECONDS * 1000

/** Exposure of one wallet over its curated claims; open intents count like claims. */
export const walletExposure = async (rows: Rows, wallet: string, now: number): Promise<WalletExposure> => {
  const [open, settled, rolling, intents] = await Promise.all([
    rows
      .selectFrom('session')
      .select(sql<string>`coalesce(sum(exposure_raw), 0)`.as('total'))
      .where('wallet', '=', wallet)
      .where((is) =>
        is.or([
          is('status', 'in', ['claimed', 'submitted', 'disputed']),
          is.and([is('status', '=', 'rejected'), is('rejectionFinalizedAt', 'is', null)]),
        ]),
      )
      .executeTakeFirstOrThrow(),
    rows
      .selectFrom('session')
      .select([sql<string>`coalesce(sum(reward_raw), 0)`.as('total'), sql<number>`count(*)::integer`.as('jobs')])
      .where('wallet', '=', wallet)
      .where('status', '=', 'resolved')
      .executeTakeFirstOrThrow(),
    rows
      .selectFrom('session')
      .select(['exposureRaw', 'claimedAt'])
      .where('wallet', '=', wallet)
      .where('claimedAt', '>', windowStart(now))
      .where('status', 'not in', UNEXPOSED_STATUSES)
      .orderBy('claimedAt')
      .execute(),
    rows
      .selectFrom('claim_intent')
      .select(['exposureRaw', 'createdAt as claimedAt'])
      .where('wallet', '=', wallet)
      .where('status', '=', 'open')
      .execute(),
  ])
  return {
    openRaw: BigInt(open.total) + intents.reduce((sum, { exposureRaw }) => sum + exposureRaw, 0n),
    lifetimeSettledRaw: BigInt(settled.total),
    settledJobs: settled.jobs,
    rolling: [...rolling, ...intents],
  }
}

/** Curated claims of every wallet in the last 24 hours. */
export const catalogueUse = async (rows: Rows, now: number): Promise<CatalogueUse> => {
  const [claims, intents] = await Promise.all([
    rows
      .selectFrom('session')
      .select([sql<string>`coalesce(sum(exposure_raw), 0)`.as('total'), sql<Date | null>`min(claimed_at)`.as('earliest')])
      .where('claimedAt', '>', windowStart(now))
      .where('status', 'not in', UNEXPOSED_STATUSES)
      .executeTakeFirstOrThrow(),
    rows
      .selectFrom('claim_intent')
      .select(sql<string>`coalesce(sum(exposure_raw), 0)`.as('total'))
      .where('status', '=', 'open')
      .executeTakeFirstOrThrow(),
  ])
  return {
    totalRaw: BigInt(claims.total) + BigInt(intents.total),
    earliestClaimedAt: claims.earliest === null ? null : new Date(claims.earliest).getTime(),
  }
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
