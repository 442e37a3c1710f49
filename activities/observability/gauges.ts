import { sql } from 'kysely'
import { type FollowerLag, readFollowerLag } from '../chain/follower/cursor.ts'
import { type Rows, readRow, readRows } from '../database/database.ts'

/** Maximum count, so that the cost of the metric stays bounded. */
const OUTBOX_COUNT_LIMIT = 100_000

/** Number of waiting items and the time of the oldest (epoch ms; null if there is none). */
export interface Waiting {
  count: number
  oldestAt: number | null
}

/** Numbers of waiting items by kind. */
export interface Figures {
  /** Admitted claims without a session, by stage. */
  claims: Map<string, Waiting>
  /** Claims past their expiry that nothing has ended. */
  overdueClaims: Waiting
  /** Sessions that wait for a verifier (`submitted`) or a person (`disputed`). */
  awaitingVerdict: Map<string, Waiting>
  /** Events whose public sequence is not assigned. */
  outbox: Waiting
  /** Lag of the records behind the chain; null before the first step of a follower. */
  follower: FollowerLag | null
  /** Changes of escrow jobs whose workflows are not notified yet. */
  pendingNotifications: Waiting
  /** Transactions that are not known to be mined, by function and status. */
  transactions: { functionName: string; status: string; count: number }[]
  /** Last result of each check of the audit. */
  audit: { name: string; outcome: string; findings: number; passedAgeSeconds: number | null }[]
  /** Age of transactions by signer: time of the oldest unsent and the oldest unmined one. */
  journal: { signer: string; oldestUnsentAt: number | null; oldestUnminedAt: number | null }[]
}

interface Counted extends Waiting {
  name: string
}

const byName = (found: Counted[]): Map<string, Waiting> => new Map(found.map((one) => [one.name, one]))

/** Epoch ms of an instant of three decimals, or null. */
const epochMs = (instant: string) => sql`(extract(epoch from ${sql.raw(instant)}) * 1000)::double precision`

const pendingClaims = async (rows: Rows): Promise<Map<string, Waiting>> => {
  const claims = sql<Counted>`
    select stage as name, count(*)::integer as count, ${epochMs('min(created_at)')} as "oldestAt"
    from claim_intent where status = 'open' group by stage`
  return byName(await readRows(rows, claims))
}

const liveSessions = async (rows: Rows, now: number): Promise<Map<string, Waiting>> => {
  const sessions = sql<Counted>`
    select name, count(*)::integer as count, ${epochMs('min(since)')} as "oldestAt" from (
      select 'overdue' as name, claim_expires_at as since from session
        where status = 'claimed' and submission is null and claim_expires_at < ${new Date(now)}
      union all
      select status, case status when 'submitted' then submitted_at else disputed_at end from session where status in ('submitted', 'disputed')
    ) sessions group by name`
  return byName(await readRows(rows, sessions))
}

const outbox = sql<Waiting>`
  select
    (select count(*)::integer from (select 1 from event where seq is null limit ${OUTBOX_COUNT_LIMIT}) counted) as count,
    (select ${epochMs('at')} from event where seq is null order by id limit 1) as "oldestAt"`

const pendingNotifications = (chainId: number) => sql<Waiting>`
  select count(*)::integer as count, ${epochMs('min(coalesce(removed_at, seen_at))')} as "oldestAt"
  from chain_event where chain_id = ${chainId} and moves_process and notified_revision < revision`

const pendingTransactions = (chainId: number) => sql<Figures['transactions'][number]>`
  select function_name as "functionName", status, count(*)::integer as count
  from chain_transaction where chain_id = ${chainId} and status in ('signed', 'broadcast') group by 1, 2`

const journalAges = (chainId: number) => sql<Figures['journal'][number]>`
  select n.signer,
    ${epochMs("min(t.updated_at) filter (where t.status = 'signed')")} as "oldestUnsentAt",
    ${epochMs('min(t.created_at)')} as "oldestUnminedAt"
  from chain_nonce n
  left join chain_transaction t on t.chain_id = n.chain_id and t.signer = n.signer and t.status in ('signed', 'broadcast')
  where n.chain_id = ${chainId} group by n.signer`

const auditChecks = sql<Figures['audit'][number]>`
  select name, outcome, findings, greatest(0, extract(epoch from now() - passed_at))::double precision as "passedAgeSeconds"
  from audit_check`

const NONE: Waiting = { count: 0, oldestAt: null }

/** Reads all metrics in sequence on one connection. Each statement uses an index of open rows, so history costs nothing. */
export const readFigures = async (rows: Rows, chainId: number, now: number): Promise<Figures> => {
  const claims = await pendingClaims(rows)
  const sessions = await liveSessions(rows, now)
  return {
    claims,
    overdueClaims: sessions.get('overdue') ?? NONE,
    awaitingVerdict: new Map(['submitted', 'disputed'].map((status) => [status, sessions.get(status) ?? NONE])),
    outbox: await readRow(rows, outbox),
    follower: await readFollowerLag(rows, chainId),
    pendingNotifications: await readRow(rows, pendingNotifications(chainId)),
    transactions: await readRows(rows, pendingTransactions(chainId)),
    journal: await readRows(rows, journalAges(chainId)),
    audit: await readRows(rows, auditChecks),
  }
}
