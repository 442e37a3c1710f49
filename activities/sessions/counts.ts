import { sql } from 'kysely'
import { DAY_MS } from '../../domain/common/instants.ts'
import { type Rows, readRow, readRows } from '../database/database.ts'
import type { RecordedEvent } from '../events/timeline.ts'
import { awaitingVerdict } from './records.ts'

/** A submission without progress for this long is stuck; a pull request has its own review deadline. */
export const STUCK_MS = 30 * 60_000

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
  const counts = sql<SettlementCounts>`
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
    where claimed_at > ${dayAgo} or updated_at > ${dayAgo} or status in ('claimed', 'submitted', 'disputed')`
  return readRow(rows, counts)
}

/** Condition for diverged sessions (`hasDiverged`) that no operator has closed. The index `session_diverged` has the same. */
export const openDivergence = sql<boolean>`(
  (status = 'chain_state_diverged' or (status = 'closed' and chain_state_divergence is not null)) and operator_close is null)`

/** Diverged sessions that no operator has closed. */
export const countDiverged = async (rows: Rows): Promise<number> => {
  const row = await rows
    .selectFrom('session')
    .where(openDivergence)
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

/** Work that is under way. */
export interface WorkSummary {
  activeSessions: number
  activeWallets: number
  /** Rewards of these sessions, base units. */
  atWorkRaw: bigint
  resolvedRecently: number
  topJobs: { jobId: string; sessionCount: number }[]
}

/** Counts the sessions that are under way, the payments of a day and the jobs with the most sessions of a week. */
export const summariseWork = async (rows: Rows, now: number): Promise<WorkSummary> => {
  const [dayAgo, weekAgo] = [new Date(now - DAY_MS), new Date(now - 7 * DAY_MS)]
  const counts = sql<{ activeSessions: number; activeWallets: number; atWork: string; resolvedRecently: number }>`
    select
      count(*) filter (where status in ('claimed', 'submitted', 'disputed'))::integer as "activeSessions",
      count(distinct wallet) filter (where status in ('claimed', 'submitted', 'disputed'))::integer as "activeWallets",
      coalesce(sum(reward_raw) filter (where status in ('claimed', 'submitted', 'disputed')), 0)::text as "atWork",
      count(*) filter (where resolved_at > ${dayAgo})::integer as "resolvedRecently"
    from session where status in ('claimed', 'submitted', 'disputed') or updated_at > ${dayAgo}`
  const mostClaimed = sql<{ jobId: string; sessionCount: number }>`
    select job_id as "jobId", count(*)::integer as "sessionCount" from session where claimed_at > ${weekAgo}
    group by job_id order by 2 desc, 1 limit 10`
  const [{ atWork, ...numbers }, topJobs] = await Promise.all([readRow(rows, counts), readRows(rows, mostClaimed)])
  return { ...numbers, atWorkRaw: BigInt(atWork), topJobs }
}

/** The newest events of any kind, newest first. */
export const listNewestEvents = (rows: Rows, limit: number): Promise<RecordedEvent[]> =>
  rows.selectFrom('event').selectAll().orderBy('id', 'desc').limit(limit).execute()
