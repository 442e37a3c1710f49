import { sql } from 'kysely'
import type { Rows } from '../../activities/database/database.ts'
import { awaitingVerdict } from '../../activities/sessions/records.ts'

/** A submission without progress for this long is stuck; a pull request has its own review deadline. */
const STUCK_MS = 30 * 60_000
const DAY_MS = 86_400_000
/** A refused gas grant is warned of for this long. */
const REFUSED_GRANT_MS = 7 * DAY_MS

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

/** Gas grants that did not pay: without a mined transfer after half an hour, or refused by the wallet in the last seven days. */
export const countUnpaidGrants = async (rows: Rows, now: number): Promise<number> => {
  const found = await rows
    .selectFrom('gas_grant')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where((where) =>
      where.or([
        where.and([where('status', '=', 'sending'), where('reservedAt', '<', now - STUCK_MS)]),
        where.and([where('status', '=', 'failed'), where('failedAt', '>', now - REFUSED_GRANT_MS)]),
      ]),
    )
    .executeTakeFirstOrThrow()
  return found.count
}

/** Locked deposits that left their term because the balance fell below them, while they exit; and those whose stored consent does not say what they bind. */
export const countTroubledLocks = async (rows: Rows): Promise<{ uncovered: number; unconsented: number }> => {
  const { rows: found } = await sql<{ uncovered: number; unconsented: number }>`
    select count(*) filter (where l.exit_reason = 'balance_below_encumbered')::integer as uncovered,
      count(*) filter (where c.kind <> 'locked_tier_consent_v1' or c.wallet <> l.wallet or c.terms->>'tier' is distinct from l.tier
        or c.terms->>'amountRaw' is distinct from l.amount_raw::text)::integer as unconsented
    from locked_deposit l join consent c on c.terms_hash = l.id
    where l.status <> 'released'`.execute(rows)
  return found[0] ?? { uncovered: 0, unconsented: 0 }
}

/** Adapters of the registered strategies, in the order of their registration, by the recorded events. */
export const listStrategyAdapters = async (rows: Rows, chainId: number): Promise<string[]> => {
  const found = await rows
    .selectFrom('chain_event')
    .select(sql<string>`args->>'adapter'`.as('adapter'))
    .where('chainId', '=', chainId)
    .where('contract', '=', 'registry')
    .where('event', '=', 'StrategyRegistered')
    .where('removedAt', 'is', null)
    .orderBy('blockNumber')
    .orderBy('logIndex')
    .execute()
  return found.map(({ adapter }) => adapter)
}

/** Disputes undecided for a day or longer, and when the oldest was opened (epoch ms). */
export interface WaitingForPeople {
  count: number
  oldestAt: number | null
}

/** Counts undecided disputes; a verdict that waits for its signature counts, too. */
export const countWaitingForPeople = async (rows: Rows, now: number): Promise<WaitingForPeople> => {
  const result = await sql<WaitingForPeople>`
    select count(*)::integer as count, (extract(epoch from min(d.opened_at)) * 1000)::float8 as "oldestAt"
    from dispute d left join dispute_verdict v on v.dispute_id = d.dispute_id and v.round = d.round
    where d.status = 'open' and d.opened_at <= ${new Date(now - DAY_MS)}
      and (v.round is null or (v.preparation is not null and d.arbitrator is null))`.execute(rows)
  return result.rows[0] ?? { count: 0, oldestAt: null }
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
