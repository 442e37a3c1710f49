import { sql } from 'kysely'
import type { Rows } from '../database/database.ts'
import { awaitingVerdict } from './records.ts'

/** A submission without progress for this long is stuck; a pull request has its own review deadline. */
const STUCK_MS = 30 * 60_000
const DAY_MS = 86_400_000

/** By the mode of the claim: a submission without a valid address has no row in `pull_request`. */
const IS_PULL_REQUEST = sql<boolean>`coalesce(session.evidence ->> 'verifierMode', '') = 'codehost_pr'`

/** Progress of claims. Times are epoch ms. */
export interface SettlementCounts {
  claimed24h: number
  submitted24h: number
  settled24h: number
  paidSettled24h: number
  zeroPaySettled24h: number
  claimedNotSubmitted: number
  submittedNotSettled: number
  oldestSubmittedAt: number | null
  stuck: number
  failed24h: number
  /** Expired claims that are still `claimed`. */
  overdueTimeouts: number
  lastProgressAt: number | null
}

/** Counts sessions by their progress, in one statement. */
export const countSettlements = async (rows: Rows, now: number): Promise<SettlementCounts> => {
  const dayAgo = new Date(now - DAY_MS)
  const stuckSince = new Date(now - STUCK_MS)
  const result = await sql<SettlementCounts>`
    select
      count(*) filter (where claimed_at > ${dayAgo})::integer as "claimed24h",
      count(*) filter (where submitted_at > ${dayAgo})::integer as "submitted24h",
      count(*) filter (where resolved_at > ${dayAgo} or rejection_finalized_at > ${dayAgo})::integer as "settled24h",
      count(*) filter (where resolved_at > ${dayAgo})::integer as "paidSettled24h",
      count(*) filter (where rejection_finalized_at > ${dayAgo})::integer as "zeroPaySettled24h",
      count(*) filter (where status = 'claimed')::integer as "claimedNotSubmitted",
      count(*) filter (where status in ('submitted', 'disputed'))::integer as "submittedNotSettled",
      (extract(epoch from min(submitted_at) filter (where status in ('submitted', 'disputed'))) * 1000)::float8 as "oldestSubmittedAt",
      count(*) filter (
        where status = 'submitted' and updated_at < ${stuckSince} and not (${IS_PULL_REQUEST})
      )::integer as "stuck",
      count(*) filter (where greatest(closed_at, timed_out_at, chain_state_diverged_at) > ${dayAgo})::integer as "failed24h",
      count(*) filter (where status = 'claimed' and submission is null and claim_expires_at < ${stuckSince})::integer as "overdueTimeouts",
      (extract(epoch from max(updated_at)) * 1000)::float8 as "lastProgressAt"
    from session
    where claimed_at > ${dayAgo} or updated_at > ${dayAgo} or status in ('claimed', 'submitted', 'disputed')`.execute(rows)
  const [row] = result.rows
  if (row === undefined) throw new Error('a count without a row')
  return row
}

/** Diverged sessions (`hasDiverged`) that no operator has closed. */
export const countDiverged = async (rows: Rows): Promise<number> => {
  const row = await rows
    .selectFrom('session')
    .where((where) =>
      where.or([
        where('status', '=', 'chain_state_diverged'),
        where.and([where('status', '=', 'closed'), where('chainStateDivergence', 'is not', null)]),
      ]),
    )
    .where('operatorClose', 'is', null)
    .select(({ fn }) => fn.countAll().as('diverged'))
    .executeTakeFirstOrThrow()
  return Number(row.diverged)
}

/** Pull requests without a verdict after their review deadline. */
export const countOverdueReviews = async (rows: Rows, now: number): Promise<number> => {
  const row = await rows
    .selectFrom('session')
    .where(awaitingVerdict)
    .where(IS_PULL_REQUEST)
    .where('session.reviewEndsAt', '<', now)
    .select(({ fn }) => fn.countAll().as('overdue'))
    .executeTakeFirstOrThrow()
  return Number(row.overdue)
}
