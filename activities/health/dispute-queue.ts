import { sql } from 'kysely'
import { iso } from '../../domain/common/instants.ts'
import { assetAmount } from '../../domain/common/money.ts'
import { decisionDeadline, timeoutOutcome } from '../../domain/disputes/stage.ts'
import { describeTimeout } from '../../domain/disputes/timeouts.ts'
import { QUEUE_RULES, remainderOf } from '../../domain/health/queue.ts'
import { bondRaw } from '../../domain/sessions/economics-view.ts'
import { pinnedDefinition } from '../../domain/sessions/snapshot.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import type { DisputeRecord, RoundDecision } from '../../schemas/disputes/record.ts'
import type { QueueRow } from '../../schemas/health/queue.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import { type Rows, readRow, readRows } from '../database/database.ts'
import { findDecisions } from '../disputes/rows.ts'
import { sessionsById } from '../sessions/records.ts'
import type { QueuePage, QueueSource } from './queue.ts'

type DisputeKind = 'review' | 'dispute' | 'signature'

const ROUND = sql`dispute d left join dispute_verdict v on v.dispute_id = d.dispute_id and v.round = d.round`

/** Which open disputes wait for a person, and for whom. */
const WAITING: Readonly<Record<DisputeKind, ReturnType<typeof sql<boolean>>>> = {
  review: sql`d.stage = 'review' and v.round is null`,
  dispute: sql`d.stage = 'arbitration' and v.round is null`,
  signature: sql`v.preparation is not null and v.observed is null and d.arbitrator is null`,
}

/** `decisionDeadline` in SQL. */
const DEADLINE = sql`case
  when d.is_proof_gated and d.stage = 'review' then d.opened_at
  when d.stage = 'arbitration' and v.round is null and d.arbitrator is not null and (d.is_proof_gated or d.origin <> 'participant')
    then d.deadline_at - interval '15 minutes'
  else d.deadline_at end`

/** Condition for the disputes that follow a place. Each has a deadline. */
const following = (kind: DisputeKind, after: QueuePage['after']) => {
  if (after === null) return sql`true`
  const { deadline, ids } = remainderOf(kind, after)
  if (deadline === null) return sql`false`
  const at = new Date(deadline)
  if (ids === 'none') return sql`deadline > ${at}`
  return ids === 'all' ? sql`deadline >= ${at}` : sql`(deadline, id) > (${at}, ${ids.after})`
}

const readIds = async (rows: Rows, kind: DisputeKind, { limit, after }: QueuePage): Promise<string[]> => {
  const found = await readRows(
    rows,
    sql<{ id: string }>`
      select id from (select d.dispute_id as id, ${DEADLINE} as deadline from ${ROUND} where d.status = 'open' and ${WAITING[kind]}) as waiting
      where ${following(kind, after)} order by deadline, id limit ${limit}`,
  )
  return found.map(({ id }) => id)
}

/** A verdict that waits for its signature says what became of the round; otherwise the reason of the opening does. */
const reasonOf = ({ reasonCode }: DisputeRecord, decision: RoundDecision | null): string => decision?.reasonCode ?? reasonCode

const rowOf = (
  kind: DisputeKind,
  dispute: DisputeRecord,
  { session, decision, asset }: { session: SessionRecord; decision: RoundDecision | null; asset: ChainFile['asset'] },
): QueueRow => {
  const { disputeId, sessionId, jobId } = dispute
  const outcome = timeoutOutcome(dispute, decision)
  return {
    kind,
    id: disputeId,
    title: pinnedDefinition(session.jobSnapshot).title,
    ...{ sessionId, jobId, disputeId },
    workflowId: `dispute/${sessionId}`,
    since: iso(decision?.decidedAt ?? dispute.openedAt),
    deadline: iso(decisionDeadline(dispute, decision)),
    reason: reasonOf(dispute, decision),
    // The decision moves the rest of the reward and the bond.
    atStake: assetAmount(dispute.remainingRaw + bondRaw(session.economics), asset),
    byDefault: { code: outcome, text: describeTimeout(outcome, bondRaw(session.economics) > 0n) },
    decidedBy: QUEUE_RULES[kind].decidedBy,
  }
}

/** Open disputes that wait for a reviewer, for an arbitrator, or for the signature of one. */
export const createDisputeSource = (rows: Rows, { asset }: Pick<ChainFile, 'asset'>, kind: DisputeKind): QueueSource => ({
  read: async (page) => {
    const ids = await readIds(rows, kind, page)
    if (ids.length === 0) return []
    const found = await rows.selectFrom('dispute').selectAll().where('disputeId', 'in', ids).execute()
    const disputes = new Map(found.map((dispute) => [dispute.disputeId, dispute]))
    const sessionIds = found.map(({ sessionId }) => sessionId)
    const [decisions, sessions] = await Promise.all([findDecisions(rows, found), sessionsById(rows, sessionIds)])
    return ids.flatMap((id) => {
      const dispute = disputes.get(id)
      const session = dispute && sessions.get(dispute.sessionId)
      return dispute && session ? [rowOf(kind, dispute, { session, decision: decisions.get(id) ?? null, asset })] : []
    })
  },
  count: async () => {
    const { count, atStakeRaw } = await readRow(
      rows,
      sql<{ count: number; atStakeRaw: string }>`
        select count(*)::integer as count, coalesce(sum(d.remaining_raw + s.claim_stake_raw + s.claim_fee_raw), 0)::text as "atStakeRaw"
        from ${ROUND} join session s on s.session_id = d.session_id where d.status = 'open' and ${WAITING[kind]}`,
    )
    return { count, atStakeRaw: BigInt(atStakeRaw) }
  },
})
