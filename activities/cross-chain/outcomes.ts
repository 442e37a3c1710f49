import { type Insertable, type Selectable, sql } from 'kysely'
import { iso } from '../../domain/common/instants.ts'
import { replacesOutcome, type SourcedOutcome } from '../../domain/cross-chain/outcome.ts'
import { SETTLEMENT_TRIES } from '../../domain/cross-chain/settlement.ts'
import type { Tables } from '../../schemas/entities/tables.ts'
import type { Rows } from '../database/database.ts'
import { emit } from '../events/outbox.ts'
import { hasChanged, ofRequest, type RequestKey, type RequestSubject, requestEvent } from './requests.ts'
import { endWatch } from './watches.ts'

export type Outcome = Selectable<Tables['cross_chain_outcome']>

/** What was found out about a request. */
export interface NewOutcome extends SourcedOutcome {
  remoteBalanceRaw: bigint | null
}

const outcomeData = ({ status, settledAssetsRaw, settledSharesRaw, remoteRef, failureCode, observedAt, source }: NewOutcome) => ({
  status,
  settledAssetsRaw: settledAssetsRaw.toString(),
  settledSharesRaw: settledSharesRaw.toString(),
  remoteRef,
  failureCode,
  source,
  observedAt: iso(observedAt),
})

/** The recorded outcome of a request; null before there is one. */
export const findOutcome = async (rows: Rows, key: RequestKey): Promise<Outcome | null> =>
  (await rows.selectFrom('cross_chain_outcome').selectAll().where(ofRequest(key)).executeTakeFirst()) ?? null

const NOT_SETTLED = { processedAt: null, exhaustedAt: null, lastFailure: null, failedTry: null }

const insertOutcome = async (rows: Rows, values: Insertable<Tables['cross_chain_outcome']>): Promise<boolean> => {
  const { numInsertedOrUpdatedRows: inserted = 0n } = await rows
    .insertInto('cross_chain_outcome')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return inserted > 0n
}

/** Changes the outcome of a request while it is not settled. */
const changeUnsettled = (rows: Rows, key: RequestKey) =>
  rows.updateTable('cross_chain_outcome').where(ofRequest(key)).where('processedAt', 'is', null)

/**
 * Records an outcome and ends the watch, in a transaction of the caller. Returns false if the recorded outcome stays: it is settled, equal or as new.
 */
export const recordOutcome = async (rows: Rows, subject: RequestSubject, outcome: NewOutcome, now: number): Promise<boolean> => {
  const { wrapper, requestId } = subject
  const fresh = { ...outcome, ...NOT_SETTLED, recordedAt: now }
  const recorded = (await insertOutcome(rows, { wrapper, requestId, ...fresh })) || (await replaceOutcome(rows, subject, fresh))
  if (!recorded) return false
  await endWatch(rows, subject, now)
  await emit(rows, requestEvent(subject, 'xcm.outcome_observed', now, outcomeData(outcome)))
  return true
}

const replaceOutcome = async (rows: Rows, key: RequestKey, fresh: NewOutcome): Promise<boolean> => {
  const place = rows.selectFrom('cross_chain_outcome').selectAll().where(ofRequest(key))
  const standing = await place.forUpdate().executeTakeFirstOrThrow()
  if (!replacesOutcome(standing, fresh)) return false
  await rows.updateTable('cross_chain_outcome').set(fresh).where(ofRequest(key)).execute()
  return true
}

/** Marks the outcome of a request as settled, with the numbers of the chain; false if it was marked before. In a transaction of the caller. */
export const markProcessed = async (rows: Rows, subject: RequestSubject, end: SourcedOutcome, now: number): Promise<boolean> => {
  const { wrapper, requestId } = subject
  const { source, observedAt, ...numbers } = end
  await endWatch(rows, subject, now)
  const settled = { ...NOT_SETTLED, processedAt: now }
  if (await insertOutcome(rows, { wrapper, requestId, ...end, ...settled, remoteBalanceRaw: null, recordedAt: now })) return true
  return hasChanged(changeUnsettled(rows, subject).set({ ...numbers, processedAt: now, exhaustedAt: null }))
}

/** Begins a try: a request that is tried again is no longer exhausted, and its tries count from 1 again. */
export const beginTry = (rows: Rows, key: RequestKey) =>
  changeUnsettled(rows, key)
    .set({ exhaustedAt: null, failedTry: sql<number | null>`case when exhausted_at is null then failed_try end` })
    .execute()

/** Stores why a try failed; false if its failure is stored, by a worker that was lost before it answered. `failedTry` counts from 1. */
export const storeFailure = (rows: Rows, key: RequestKey, failedTry: number, lastFailure: string): Promise<boolean> =>
  hasChanged(
    changeUnsettled(rows, key)
      .set({ failedTry, lastFailure })
      .where((is) => is.or([is('failedTry', 'is', null), is('failedTry', '<>', failedTry)])),
  )

/** Marks a request whose tries are used up; false if it is marked or settled, or an outcome that was recorded since has tries left. */
export const markExhausted = (rows: Rows, key: RequestKey, now: number): Promise<boolean> =>
  hasChanged(
    changeUnsettled(rows, key).set({ exhaustedAt: now }).where('exhaustedAt', 'is', null).where('failedTry', '>=', SETTLEMENT_TRIES),
  )

/** Number of outcomes of a wrapper that are not settled. */
export const countUnsettled = async (rows: Rows, wrapper: string): Promise<number> => {
  const { count } = await rows
    .selectFrom('cross_chain_outcome')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('wrapper', '=', wrapper)
    .where('processedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Outcomes of a wrapper after a row, in the order in which they were recorded, or the exhausted ones in that in which their tries were used up. */
export const listOutcomes = (
  rows: Rows,
  wrapper: string,
  { order, after, limit }: { order: 'recordedAt' | 'exhaustedAt'; after: { at: number; requestId: string } | null; limit: number },
): Promise<Outcome[]> => {
  let query = rows.selectFrom('cross_chain_outcome').selectAll().where('wrapper', '=', wrapper).where(order, 'is not', null)
  if (after !== null)
    query = query.where(({ or, and, eb }) =>
      or([eb(order, '>', after.at), and([eb(order, '=', after.at), eb('requestId', '>', after.requestId)])]),
    )
  return query.orderBy(order).orderBy('requestId').limit(limit).execute()
}
