import { sql } from 'kysely'
import { owedRaw } from '../../domain/chain/account-position.ts'
import { DAY_MS } from '../../domain/common/instants.ts'
import type { DirectoryCounts } from '../../domain/directory/aggregate.ts'
import type { AgentCounts, OpenSession, RowFacts } from '../../domain/directory/profile.ts'
import { activeLocks } from '../../domain/locked-deposits/lock.ts'
import { countingTier, tierOfLocks } from '../../domain/locked-deposits/tiers.ts'
import { CURRENT_ACTIVITY_STATUSES } from '../../schemas/directory/record.ts'
import { SHOWN_IN_ROW } from '../../schemas/directory/shapes.ts'
import { readOrElse } from '../chain/reachable.ts'
import type { ChainReads } from '../chain/reads.ts'
import { type Rows, readRow, readRows } from '../database/database.ts'
import { liveLocks } from '../locked-deposits/records.ts'
import { openSession } from '../sessions/records.ts'

const ACTIVE_DAYS = 30

/** Counts over all wallets, listed or not. `now` in epoch ms. */
export const countDirectory = async (rows: Rows, now: number): Promise<DirectoryCounts> => {
  const since = new Date(now - ACTIVE_DAYS * DAY_MS)
  const counts = sql<DirectoryCounts>`
    select count(*)::integer as participants,
      (count(*) filter (where s.last_active_at > ${since}))::integer as "activeLast30d",
      coalesce(sum(s.finished), 0)::integer as "completedSessions",
      (count(*) filter (where c.public_profile))::integer as listed,
      (count(*) filter (where c.public_profile is not true))::integer as private,
      (count(*) filter (where c.public_profile is not true and s.last_active_at > ${since}))::integer as "privateActive",
      coalesce(sum(s.finished) filter (where c.public_profile is not true), 0)::integer as "privateCompleted"
    from agent_statistics s full join agent_consent c using (wallet) where s.sessions > 0 or c.public_profile`
  return readRow(rows, counts)
}

const COUNTS = sql`s.wallet, s.approved, s.rejected, s.expired, s.finished, s.skill, s.reliability, s.economic::text as economic, s.score::text as score,
  (extract(epoch from s.first_active_at) * 1000)::float8 as "firstActiveAt", (extract(epoch from s.last_active_at) * 1000)::float8 as "lastActiveAt"`

type CountsRow = Omit<AgentCounts, 'economic' | 'score'> & { economic: string; score: string }
const parseCounts = ({ economic, score, ...row }: CountsRow): AgentCounts => ({ ...row, economic: BigInt(economic), score: BigInt(score) })

/** A listed wallet with its counts. */
export type ListedAgent = AgentCounts & { showsActivity: boolean }

/** Up to `limit` wallets with a public profile after a position, highest score first, without the wallets of `hidden`. */
export const listAgents = async (
  rows: Rows,
  { limit, after, hidden }: { limit: number; after: { score: string; wallet: string } | null; hidden: readonly string[] },
): Promise<ListedAgent[]> => {
  const place =
    after === null
      ? sql`true`
      : sql`s.score <= ${after.score}::numeric and (s.score < ${after.score}::numeric or s.wallet > ${after.wallet})`
  const listed = sql<CountsRow & { showsActivity: boolean }>`
    select ${COUNTS}, c.current_activity as "showsActivity"
    from agent_statistics s join agent_consent c on c.wallet = s.wallet and c.public_profile
    where s.wallet <> all(${hidden}::text[]) and ${place}
    order by s.score desc, s.wallet limit ${limit}`
  return (await readRows(rows, listed)).map(({ showsActivity, ...row }) => ({ ...parseCounts(row), showsActivity }))
}

/** Counts of one wallet; null before its first session or consent. */
export const findCounts = async (rows: Rows, wallet: string): Promise<AgentCounts | null> => {
  const [row] = await readRows(rows, sql<CountsRow>`select ${COUNTS} from agent_statistics s where s.wallet = ${wallet}`)
  return row === undefined ? null : parseCounts(row)
}

/** Newest open session of each of these wallets. */
export const openSessions = async (rows: Rows, wallets: readonly string[]): Promise<Map<string, OpenSession>> => {
  if (wallets.length === 0) return new Map()
  const found = await rows
    .selectFrom('session')
    .select(['wallet', 'sessionId', 'jobId', 'status', 'claimedAt', 'submittedAt', 'updatedAt', 'claimExpiresAt'])
    .select(sql<string | null>`job_snapshot -> 'definition' ->> 'title'`.as('title'))
    .distinctOn('wallet')
    .where('wallet', 'in', wallets)
    .where('status', 'in', CURRENT_ACTIVITY_STATUSES)
    .orderBy('wallet')
    .orderBy('updatedAt', 'desc')
    .orderBy('sessionId')
    .execute()
  return new Map(
    found.map(({ title, status, ...row }) => [row.wallet, { ...row, status: status as OpenSession['status'], title: title ?? row.jobId }]),
  )
}

/** Of these wallets, those with an active t90 lock whose terms publish it, and no debt. An unreadable debt shows nothing. */
const committedDepositors = async (
  rows: Rows,
  reads: Pick<ChainReads, 'walletFacts'>,
  wallets: readonly string[],
  now: number,
): Promise<Set<string>> => {
  const found = await rows
    .selectFrom('locked_deposit')
    .select('wallet')
    .distinct()
    .where('wallet', 'in', wallets)
    .where('tier', '=', 't90')
    .where('publicProfileOptIn', '=', true)
    .execute()
  const isCommitted = async (wallet: string): Promise<boolean> => {
    const locks = (await liveLocks(rows, wallet, now)).filter(({ publicProfileOptIn }) => publicProfileOptIn)
    if (tierOfLocks(activeLocks(locks, now), now) !== 't90') return false
    const facts = await readOrElse(
      () => reads.walletFacts(wallet as `0x${string}`),
      () => null,
    )
    return facts !== null && countingTier('t90', owedRaw(facts.creditDebtRaw, facts.position) ?? undefined) === 't90'
  }
  const committed = await Promise.all(found.map(async ({ wallet }) => ((await isCommitted(wallet)) ? [wallet] : [])))
  return new Set(committed.flat())
}

/** What the list shows of each wallet beside its counts. */
export const readRowFacts = async (
  rows: Rows,
  reads: Pick<ChainReads, 'walletFacts'>,
  agents: readonly ListedAgent[],
  now: number,
): Promise<Map<string, RowFacts>> => {
  const wallets = agents.map(({ wallet }) => wallet)
  if (wallets.length === 0) return new Map()
  const active = agents.filter(({ showsActivity }) => showsActivity).map(({ wallet }) => wallet)
  const [stakes, badges, slashes, activities, committed] = await Promise.all([
    sql<{ wallet: string; raw: string }>`
      select wallet, sum(claim_stake_raw)::text as raw from session
      where wallet = any(${wallets}::text[])
        and ${openSession}
      group by wallet`.execute(rows),
    sql<{ wallet: string; sessionId: string; category: string; level: number; issuedAt: number }>`
      select w.wallet, b.* from unnest(${wallets}::text[]) as w (wallet) cross join lateral (
        select session_id as "sessionId", category, level, (extract(epoch from issued_at) * 1000)::float8 as "issuedAt"
        from badge where worker = w.wallet order by issued_at desc, session_id limit ${SHOWN_IN_ROW}) b`.execute(rows),
    sql<{ wallet: string; sessionId: string; reason: string; at: number }>`
      select w.wallet, e.* from unnest(${wallets}::text[]) as w (wallet) cross join lateral (
        select session_id as "sessionId", reason, (extract(epoch from at) * 1000)::float8 as at
        from reputation_event where wallet = w.wallet and kind in ('rejection_final', 'dispute_lost')
        order by seq desc limit ${SHOWN_IN_ROW}) e`.execute(rows),
    openSessions(rows, active),
    committedDepositors(rows, reads, wallets, now),
  ])
  const stakeOf = new Map(stakes.rows.map(({ wallet, raw }) => [wallet, BigInt(raw)]))
  const badgesOf = Map.groupBy(badges.rows, ({ wallet }) => wallet)
  const slashesOf = Map.groupBy(slashes.rows, ({ wallet }) => wallet)
  const factsOf = (wallet: string): RowFacts => ({
    stakeRaw: stakeOf.get(wallet) ?? 0n,
    badges: (badgesOf.get(wallet) ?? []).map(({ wallet: _, ...badge }) => badge),
    slashes: (slashesOf.get(wallet) ?? []).map(({ wallet: _, ...event }) => event),
    activity: activities.get(wallet) ?? null,
    isCommittedDepositor: committed.has(wallet),
  })
  return new Map(wallets.map((wallet) => [wallet, factsOf(wallet)]))
}
