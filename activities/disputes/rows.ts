import { sql } from 'kysely'
import { DAY_MS } from '../../domain/common/instants.ts'
import type { DisputeRecord, RoundDecision } from '../../schemas/disputes/record.ts'
import type { DisputeEntry } from '../../schemas/sessions/record.ts'
import { type Rows, readRow } from '../database/database.ts'

/** Members that most decisions lack. */
export const EMPTY_DECISION = {
  workerPayoutRaw: null,
  payoutSource: null,
  reasoningHash: null,
  verificationId: null,
  decisionRequestId: null,
  preparation: null,
  observed: null,
} as const satisfies Partial<RoundDecision>

/** The dispute of a session; null when it never had one. */
export const findDisputeOfSession = async (rows: Rows, sessionId: string): Promise<DisputeRecord | null> =>
  (await rows.selectFrom('dispute').selectAll().where('sessionId', '=', sessionId).executeTakeFirst()) ?? null

/** Disputes of several sessions, by session. */
export const findDisputesOfSessions = async (rows: Rows, sessionIds: readonly string[]): Promise<Map<string, DisputeRecord>> => {
  if (sessionIds.length === 0) return new Map()
  const found = await rows.selectFrom('dispute').selectAll().where('sessionId', 'in', sessionIds).execute()
  return new Map(found.map((dispute) => [dispute.sessionId, dispute]))
}

/** Finds the dispute of a session and locks its row. */
export const lockDispute = async (rows: Rows, sessionId: string): Promise<DisputeRecord | null> =>
  (await rows.selectFrom('dispute').selectAll().where('sessionId', '=', sessionId).forUpdate().executeTakeFirst()) ?? null

/** Finds a dispute by its id; null if there is none. */
export const findDispute = async (rows: Rows, disputeId: string): Promise<DisputeRecord | null> =>
  (await rows.selectFrom('dispute').selectAll().where('disputeId', '=', disputeId).executeTakeFirst()) ?? null

/** Decision of the dispute's present round; null while there is none, and without a dispute. */
export const findDecision = async (
  rows: Rows,
  dispute: Pick<DisputeRecord, 'disputeId' | 'round'> | null,
): Promise<RoundDecision | null> => {
  if (dispute === null) return null
  const { disputeId, round } = dispute
  const found = rows
    .selectFrom('dispute_verdict')
    .selectAll()
    .where((is) => is.and({ disputeId, round }))
  return (await found.executeTakeFirst()) ?? null
}

/** Decision of the present round of a session's dispute; null while there is none. */
export const findDecisionOfSession = async (rows: Rows, sessionId: string): Promise<RoundDecision | null> =>
  findDecision(rows, await findDisputeOfSession(rows, sessionId))

/** Decisions of the present rounds of several disputes, by dispute. */
export const findDecisions = async (rows: Rows, disputes: readonly DisputeRecord[]): Promise<Map<string, RoundDecision>> => {
  if (disputes.length === 0) return new Map()
  const ids = disputes.map(({ disputeId }) => disputeId)
  const found = await rows.selectFrom('dispute_verdict').selectAll().where('disputeId', 'in', ids).execute()
  const rounds = new Map(disputes.map(({ disputeId, round }) => [disputeId, round]))
  return new Map(found.filter((row) => rounds.get(row.disputeId) === row.round).map((row) => [row.disputeId, row]))
}

/** Stores the decision of the present round. False if the round has one: the first insert wins. */
export const insertDecision = async (rows: Rows, disputeId: string, decision: RoundDecision): Promise<boolean> => {
  const taken = await rows
    .insertInto('dispute_verdict')
    .values({ ...decision, disputeId })
    .onConflict((conflict) => conflict.columns(['disputeId', 'round']).doNothing())
    .returning('round')
    .executeTakeFirst()
  return taken !== undefined
}

/** Updates the decision of a round. */
export const updateDecision = async (
  rows: Rows,
  { disputeId, round }: Pick<DisputeRecord, 'disputeId' | 'round'>,
  changes: Partial<Omit<RoundDecision, 'round'>>,
): Promise<void> => {
  await rows.updateTable('dispute_verdict').set(changes).where('disputeId', '=', disputeId).where('round', '=', round).execute()
}

/** Timeline entries of several disputes, oldest first. */
export const listEntries = async (rows: Rows, disputeIds: readonly string[]): Promise<Map<string, DisputeEntry[]>> => {
  if (disputeIds.length === 0) return new Map()
  const found = await rows.selectFrom('dispute_event').selectAll().where('disputeId', 'in', disputeIds).orderBy('seq').execute()
  return Map.groupBy(found, ({ disputeId }) => disputeId)
}

export interface DisputeFilter {
  /** Only disputes of this participant. */
  party?: string | undefined
  status?: 'open' | 'resolved' | undefined
  limit: number
  /** Rows strictly after it, newest first. */
  after: { openedAt: number; disputeId: string } | null
}

/** Disputes, last opened first. */
export const listDisputes = async (rows: Rows, filter: DisputeFilter): Promise<DisputeRecord[]> => {
  const { party, status, after } = filter
  let query = rows.selectFrom('dispute').selectAll()
  if (party !== undefined) query = query.where((is) => is.or([is('claimant', '=', party), is('respondent', '=', party)]))
  if (status !== undefined) query = query.where('status', '=', status)
  if (after !== null)
    query = query
      .where('openedAt', '<=', after.openedAt)
      .where((is) => is.or([is('openedAt', '<', after.openedAt), is('disputeId', '>', after.disputeId)]))
  return query.orderBy('openedAt', 'desc').orderBy('disputeId').limit(filter.limit).execute()
}

/** Sets the arbitrator of an open dispute to the key that is configured now (its address; null without one) and returns the dispute. */
export const updateArbitrator = async (rows: Rows, dispute: DisputeRecord, arbitrator: string | null): Promise<DisputeRecord> => {
  if (dispute.status === 'resolved' || dispute.arbitrator === arbitrator) return dispute
  await rows.updateTable('dispute').set({ arbitrator }).where('disputeId', '=', dispute.disputeId).where('status', '=', 'open').execute()
  return { ...dispute, arbitrator }
}

/** Disputes undecided for a day or longer, and when the oldest was opened (epoch ms). */
export interface WaitingForPeople {
  count: number
  oldestAt: number | null
}

/** Counts undecided disputes; a verdict that waits for its signature counts, too. */
export const countWaitingForPeople = (rows: Rows, now: number): Promise<WaitingForPeople> => {
  const waiting = sql<WaitingForPeople>`
    select count(*)::integer as count, (extract(epoch from min(d.opened_at)) * 1000)::float8 as "oldestAt"
    from dispute d left join dispute_verdict v on v.dispute_id = d.dispute_id and v.round = d.round
    where d.status = 'open' and d.opened_at <= ${new Date(now - DAY_MS)}
      and (v.round is null or (v.preparation is not null and d.arbitrator is null))`
  return readRow(rows, waiting)
}
