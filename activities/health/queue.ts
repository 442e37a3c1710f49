import { sql } from 'kysely'
import { iso } from '../../domain/common/instants.ts'
import { assetAmount } from '../../domain/common/money.ts'
import { QUEUE_RULES, type QueuePlace, remainderOf } from '../../domain/health/queue.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import type { QueueKind, QueueRow } from '../../schemas/health/queue.ts'
import { type Rows, readRow, readRows } from '../database/database.ts'
import { openDivergence } from '../sessions/counts.ts'

/** Rows of one kind to read: at most `limit` of them, after a place of the queue. */
export interface QueuePage {
  limit: number
  after: QueuePlace | null
}

/** Number of the rows of a kind, and the money that they are about, base units. */
interface QueueCount {
  count: number
  atStakeRaw: bigint
}

/** Where the rows of one kind come from. */
export interface QueueSource {
  read: (page: QueuePage) => Promise<QueueRow[]>
  count: () => Promise<QueueCount>
}

/** Condition for the rows without a deadline that follow a place; `id` is the column of their ids. */
const afterId = (kind: QueueKind, after: QueuePlace | null, id: string) => {
  if (after === null || after.deadline !== null) return sql<boolean>`true`
  const { ids } = remainderOf(kind, after)
  if (ids === 'all') return sql<boolean>`true`
  return ids === 'none' ? sql<boolean>`false` : sql<boolean>`${sql.ref(id)} > ${ids.after}`
}

interface Counted {
  count: number
  atStakeRaw: string
}
const counted = async (rows: Rows, statement: ReturnType<typeof sql<Counted>>): Promise<QueueCount> => {
  const { count, atStakeRaw } = await readRow(rows, statement)
  return { count, atStakeRaw: BigInt(atStakeRaw) }
}

const epoch = (at: Date | string | null): string | null => (at === null ? null : iso(new Date(at).getTime()))

interface DivergedRow {
  sessionId: string
  jobId: string
  title: string
  at: Date
  rewardRaw: string
}

/** Sessions that differ from the chain and that no operator has closed. */
const divergedSource = (rows: Rows, { asset }: Pick<ChainFile, 'asset'>): QueueSource => ({
  read: async ({ limit, after }) => {
    const found = await readRows(
      rows,
      sql<DivergedRow>`
        select session_id as "sessionId", job_id as "jobId", job_snapshot #>> '{specDefinition,title}' as title,
          coalesce(chain_state_diverged_at, updated_at) as at, reward_raw::text as "rewardRaw"
        from session where ${openDivergence} and ${afterId('diverged', after, 'session_id')} order by session_id limit ${limit}`,
    )
    return found.map(({ sessionId, jobId, title, at, rewardRaw }) => ({
      ...{ kind: 'diverged', id: sessionId, title, sessionId, jobId, reason: 'chain_state_diverged' },
      since: epoch(at),
      deadline: null,
      atStake: assetAmount(BigInt(rewardRaw), asset),
      byDefault: null,
      decidedBy: QUEUE_RULES.diverged.decidedBy,
    }))
  },
  count: () =>
    counted(
      rows,
      sql`select count(*)::integer as count, coalesce(sum(reward_raw), 0)::text as "atStakeRaw" from session where ${openDivergence}`,
    ),
})

interface RequestRow {
  requestId: string
  at: Date
  reason: string
  amountRaw: string
  isUnclear: boolean
}

/** Requests to another chain that an operator has to observe or to settle. */
const requestSource = (rows: Rows, { asset, contracts }: Pick<ChainFile, 'asset' | 'contracts'>): QueueSource => {
  const wrapper = contracts.xcm?.wrapper.address.toLowerCase() ?? null
  const waiting = sql`(
    select request_id, exhausted_at as at, coalesce(last_failure, 'finalize_exhausted') as reason, settled_assets_raw as amount_raw, false as is_unclear
    from cross_chain_outcome where wrapper = ${wrapper} and exhausted_at is not null and processed_at is null
    union all
    select request_id, started_at, unclear_reason, expected_raw, true
    from cross_chain_watch where wrapper = ${wrapper} and ended_at is null and unclear_reason is not null) as waiting`
  return {
    read: async ({ limit, after }) => {
      const found = await readRows(
        rows,
        sql<RequestRow>`
          select request_id as "requestId", at, reason, amount_raw::text as "amountRaw", is_unclear as "isUnclear"
          from ${waiting} where ${afterId('request', after, 'request_id')} order by request_id limit ${limit}`,
      )
      return found.map(({ requestId, at, reason, amountRaw, isUnclear }) => ({
        ...{ kind: 'request', id: requestId, requestId, reason, workflowId: `xcm/${requestId}` },
        title: isUnclear ? 'A cross-chain request whose balance cannot decide' : 'A cross-chain request whose tries are used up',
        since: epoch(at),
        deadline: null,
        // A failure settles nothing: what was asked for stands on chain alone.
        atStake: amountRaw === '0' ? null : assetAmount(BigInt(amountRaw), asset),
        byDefault: null,
        decidedBy: isUnclear ? { operation: 'observeXcmRequest', role: 'admin' } : QUEUE_RULES.request.decidedBy,
      }))
    },
    count: () => counted(rows, sql`select count(*)::integer as count, coalesce(sum(amount_raw), 0)::text as "atStakeRaw" from ${waiting}`),
  }
}

interface PlainRow {
  id: string
  title: string
  at: Date | null
  reason: string
}

/** Rows without a deadline and without money: a kind, and the table with `id`, `title`, `at` and `reason` that they come from. */
const plainSource = (
  rows: Rows,
  kind: 'webhook' | 'lane' | 'template',
  from: ReturnType<typeof sql>,
  more: (id: string) => Partial<QueueRow> = () => ({}),
): QueueSource => ({
  read: async ({ limit, after }) => {
    const found = await readRows(
      rows,
      sql<PlainRow>`select id, title, at, reason from (${from}) as waiting where ${afterId(kind, after, 'id')} order by id limit ${limit}`,
    )
    return found.map(({ id, title, at, reason }) => ({
      ...{ kind, id, title, reason, deadline: null, atStake: null, byDefault: null },
      since: epoch(at),
      decidedBy: QUEUE_RULES[kind].decidedBy,
      ...more(id),
    }))
  },
  count: () => counted(rows, sql`select count(*)::integer as count, '0' as "atStakeRaw" from (${from}) as waiting`),
})

const PAUSED_WEBHOOKS = sql`
  select id, 'A webhook endpoint of ' || wallet as title, failing_since as at, pause_reason as reason
  from webhook_endpoint where state = 'paused' and pause_reason <> 'paused_by_owner'`

const PAUSED_LANES = sql`select lane as id, 'The lane ' || lane || ' is paused' as title, at, 'lane_paused' as reason from lane_state where paused`

const PAUSED_TEMPLATES = sql`
  select t.template_id as id, j.definition ->> 'title' as title, t.paused_at as at,
    case when t.paused_by is null then 'recurring_reserve_exhausted' else 'paused_by_operator' end as reason
  from recurring_template t join job j on j.id = t.template_id
  where t.paused_at is not null and j.lifecycle_status = 'paused'`

/** Sources that are tables without decisions of disputes. */
export const createRecordSources = (
  rows: Rows,
  chain: ChainFile,
): Record<'request' | 'diverged' | 'webhook' | 'lane' | 'template', QueueSource> => ({
  request: requestSource(rows, chain),
  diverged: divergedSource(rows, chain),
  webhook: plainSource(rows, 'webhook', PAUSED_WEBHOOKS),
  lane: plainSource(rows, 'lane', PAUSED_LANES),
  template: plainSource(rows, 'template', PAUSED_TEMPLATES, (jobId) => ({ jobId })),
})
