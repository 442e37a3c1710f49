import { type RawBuilder, sql } from 'kysely'
import { SPLIT_AHEAD_SECONDS } from '../../domain/common/constants.ts'
import type { SessionOrder, SessionRecord, SessionStatus, SessionView, WaitingFor } from '../../schemas/sessions/record.ts'
import { type Rows, readRows } from '../database/database.ts'
import { STUCK_MS } from './counts.ts'
import { findSessions } from './records.ts'

/** Place of a row in the list, instants in epoch ms; `deadline` is null in the order of updates. */
interface OperatorPosition {
  deadline: number | null
  updatedAt: number
  sessionId: string
}

export interface OperatorFilter {
  jobId?: string | undefined
  wallet?: string | undefined
  status?: SessionStatus | undefined
  waitingFor?: WaitingFor | undefined
  view?: SessionView | undefined
  order: SessionOrder
  limit: number
  /** Rows strictly after it; null at the start. */
  after: OperatorPosition | null
}

/** Queue of an open session and its own deadline, as the migration's functions and indexes know them. */
const QUEUE = sql<string | null>`session_queue(session.status, session.submission is not null, session.evidence ->> 'verifierMode',
  session.rejection_finalized_at is not null, session.chain_state_divergence is not null, session.operator_close is not null)`
const DEADLINE = sql<Date | null>`session_deadline(session.status, session.claim_expires_at, session.submitted_at, session.review_ends_at, session.rejected_at)`

/** `decisionDeadline` and `disputeWait` of `domain/disputes/stage.ts` in SQL. */
const DISPUTE = sql`left join dispute on dispute.session_id = session.session_id
  left join dispute_verdict decision on decision.dispute_id = dispute.dispute_id and decision.round = dispute.round`
const DISPUTE_DEADLINE = sql<Date | null>`case
  when dispute.is_proof_gated and dispute.stage = 'review' then dispute.opened_at
  when dispute.stage = 'arbitration' and dispute.arbitrator is not null and decision.round is null
    and (dispute.is_proof_gated or dispute.origin <> 'participant') then dispute.deadline_at - ${`${SPLIT_AHEAD_SECONDS} seconds`}::interval
  else dispute.deadline_at end`
const DISPUTE_WAITS_FOR = sql<WaitingFor>`case
  when dispute.session_id is null then case when session.chain_state = 'submitted' then 'reviewer' else 'arbitrator' end
  when decision.round is not null and not (decision.preparation is not null and decision.observed is null and dispute.arbitrator is null) then 'chain'
  when dispute.stage = 'review' then 'reviewer'
  else 'arbitrator' end`

/** A part of all sessions whose rows wait for the same and have the same kind of deadline. The parts do not overlap. */
interface Part {
  /** Statuses that its rows show. */
  statuses: readonly SessionStatus[]
  waitingFor: readonly (WaitingFor | null)[]
  where: RawBuilder<unknown>
  deadline: RawBuilder<Date | null> | null
  isDispute?: true
  /** Which of its rows are stuck; null for none. */
  stuck: RawBuilder<unknown> | null
}

const ENDED: readonly SessionStatus[] = ['rejected', 'resolved', 'closed', 'expired', 'timed_out', 'chain_state_diverged']

const queue = (name: string) => sql`${QUEUE} = ${sql.lit(name)}`
const ALL = sql`true`
/** No queue. The database knows how many rows have a status, and not how many have no queue. */
const HAS_ENDED = sql`(session.status in ('resolved', 'expired', 'timed_out') or (session.status in ('rejected', 'closed', 'chain_state_diverged') and ${QUEUE} is null))`

/** The parts at `now` (epoch ms). A deadline includes its whole second, as `isPast` compares. */
const partsAt = (now: number): Part[] => {
  const second = new Date(Math.floor(now / 1000) * 1000)
  const stuckSince = new Date(now - STUCK_MS)
  const at = new Date(now)
  const idle = sql`session.updated_at < ${stuckSince}`
  const longOver = sql`${DEADLINE} < ${stuckSince}`
  const over = sql`${DEADLINE} < ${at}`
  const work = queue('work')
  const rejection = queue('rejection')
  const dispute = { statuses: ['disputed'], waitingFor: ['chain', 'reviewer', 'arbitrator'], isDispute: true } as const
  return [
    { statuses: ['claimed'], waitingFor: ['worker'], where: sql`${work} and ${DEADLINE} >= ${second}`, deadline: DEADLINE, stuck: null },
    { statuses: ['expired'], waitingFor: [null], where: sql`${work} and ${DEADLINE} < ${second}`, deadline: null, stuck: longOver },
    { statuses: ['claimed'], waitingFor: ['chain'], where: queue('sending'), deadline: null, stuck: idle },
    { statuses: ['submitted'], waitingFor: ['verifier'], where: queue('verdict'), deadline: DEADLINE, stuck: sql`(${idle} or ${over})` },
    { statuses: ['submitted'], waitingFor: ['pull_request'], where: queue('pull_request'), deadline: DEADLINE, stuck: over },
    {
      ...dispute,
      where: sql`${queue('dispute')} and dispute.session_id is not null`,
      deadline: DISPUTE_DEADLINE,
      stuck: sql`${DISPUTE_DEADLINE} < ${at}`,
    },
    { ...dispute, where: sql`${queue('dispute')} and dispute.session_id is null`, deadline: null, stuck: null },
    {
      statuses: ['rejected'],
      waitingFor: ['worker'],
      where: sql`${rejection} and ${DEADLINE} >= ${second}`,
      deadline: DEADLINE,
      stuck: null,
    },
    {
      statuses: ['rejected'],
      waitingFor: [null],
      where: sql`${rejection} and (${DEADLINE} < ${second}) is not false`,
      deadline: null,
      stuck: longOver,
    },
    { statuses: ['chain_state_diverged', 'closed'], waitingFor: ['operator'], where: queue('divergence'), deadline: null, stuck: ALL },
    { statuses: ENDED, waitingFor: [null], where: HAS_ENDED, deadline: null, stuck: null },
  ]
}

const holdsMoney = ({ statuses }: Part): boolean => statuses !== ENDED

/** The part without its rows that the filter leaves out; null for none. */
const narrow = (part: Part, { status, waitingFor, view }: OperatorFilter): Part | null => {
  const conditions = [part.where]
  if (status !== undefined && !part.statuses.includes(status)) return null
  if (status !== undefined && part.statuses.length > 1) conditions.push(sql`session.status = ${sql.lit(status)}`)
  if (waitingFor !== undefined && !part.waitingFor.includes(waitingFor)) return null
  if (waitingFor !== undefined && part.isDispute) conditions.push(sql`${DISPUTE_WAITS_FOR} = ${sql.lit(waitingFor)}`)
  if (view === 'money_waiting' && !holdsMoney(part)) return null
  if (view === 'stuck') {
    if (part.stuck === null) return null
    conditions.push(part.stuck)
  }
  return { ...part, where: sql.join(conditions, sql` and `) }
}

/** Parts that the filter leaves; all sessions are one part where their order alone decides. */
const partsOf = (filter: OperatorFilter, now: number): Part[] => {
  const { status, waitingFor, view, order } = filter
  if (status === undefined && waitingFor === undefined && view === undefined && order === 'updated')
    return [{ statuses: [], waitingFor: [], where: ALL, deadline: null, stuck: null }]
  return partsAt(now).flatMap((part) => narrow(part, filter) ?? [])
}

/** The first rows of one part in the order of the list; null where all of them stand before the position. */
const readPart = (part: Part, { jobId, wallet, order, after, limit }: OperatorFilter): RawBuilder<unknown> | null => {
  const byDeadline = order === 'deadline' ? part.deadline : null
  const conditions = [part.where]
  if (jobId !== undefined) conditions.push(sql`session.job_id = ${jobId}`)
  if (wallet !== undefined) conditions.push(sql`session.wallet = ${wallet}`)
  if (byDeadline !== null) {
    if (after !== null && after.deadline === null) return null
    conditions.push(sql`${byDeadline} is not null`)
  }
  if (after !== null && byDeadline !== null && after.deadline !== null) {
    const from = new Date(after.deadline)
    conditions.push(sql`${byDeadline} >= ${from} and (${byDeadline} > ${from} or session.session_id > ${after.sessionId})`)
  }
  if (after !== null && byDeadline === null && after.deadline === null) {
    const from = new Date(after.updatedAt)
    conditions.push(sql`session.updated_at <= ${from} and (session.updated_at < ${from} or session.session_id > ${after.sessionId})`)
  }
  const sortKey = byDeadline === null ? sql`session.updated_at desc` : byDeadline
  return sql`(select session.session_id, session.updated_at, ${byDeadline ?? sql`null::timestamptz`} as deadline
    from session ${part.isDispute ? DISPUTE : sql``}
    where ${sql.join(conditions, sql` and `)} order by ${sortKey}, session.session_id limit ${limit})`
}

/** A row of the list with its place. */
export interface OperatorSession {
  session: SessionRecord
  position: OperatorPosition
}

/** Sessions for operators at `now` (epoch ms): each part is read in its order, and the first rows of all parts are merged. */
export const listOperatorSessions = async (rows: Rows, filter: OperatorFilter, now: number): Promise<OperatorSession[]> => {
  const parts = partsOf(filter, now).flatMap((part) => readPart(part, filter) ?? [])
  if (parts.length === 0) return []
  const found = await readRows(
    rows,
    sql<{ sessionId: string; deadline: string | null }>`
      select session_id as "sessionId", (extract(epoch from deadline) * 1000)::bigint::text as deadline
      from (${sql.join(parts, sql` union all `)}) listed
      order by listed.deadline, listed.updated_at desc, session_id limit ${filter.limit}`,
  )
  const sessions = await findSessions(
    rows,
    found.map(({ sessionId }) => sessionId),
  )
  return found.flatMap(({ sessionId, deadline }) => {
    const session = sessions.get(sessionId)
    if (session === undefined) return []
    return [{ session, position: { deadline: deadline === null ? null : Number(deadline), updatedAt: session.updatedAt, sessionId } }]
  })
}
