import { type Insertable, type Selectable, sql } from 'kysely'
import { iso } from '../../domain/common/instants.ts'
import { type OutcomeFacts, replacesOutcome } from '../../domain/cross-chain/outcome.ts'
import { watchEnd } from '../../domain/cross-chain/watch.ts'
import type { OutcomeStatus, UnclearReason } from '../../schemas/cross-chain/record.ts'
import type { Tables } from '../../schemas/entities/tables.ts'
import type { Rows } from '../database/database.ts'
import { emit, type NewEvent } from '../events/outbox.ts'

export type Outcome = Selectable<Tables['cross_chain_outcome']>
export type Watch = Selectable<Tables['cross_chain_watch']>

/** Key of a request; the wrapper in lower case. */
export interface RequestKey {
  wrapper: string
  requestId: string
}

/** What the service says about a request in its events. */
export interface RequestSubject extends RequestKey {
  /** Account and recipient, lower case. */
  wallets: string[]
}

/** What was found out about a request. */
export interface NewOutcome extends OutcomeFacts {
  source: string
  remoteBalanceRaw: bigint | null
}

/** An event of a request; its correlation id is the id of the request. `at` is service time, epoch ms. */
export const requestEvent = (
  { wrapper, requestId, wallets }: RequestSubject,
  topic: NewEvent['topic'],
  at: number,
  data: Record<string, unknown>,
): NewEvent => ({ topic, wallets: [...new Set(wallets)], correlationId: requestId, at, data: { requestId, wrapper, ...data } })

const outcomeData = ({ status, settledAssetsRaw, settledSharesRaw, remoteRef, failureCode, observedAt, source }: NewOutcome) => ({
  ...{ status, settledAssetsRaw: settledAssetsRaw.toString(), settledSharesRaw: settledSharesRaw.toString() },
  ...{ remoteRef, failureCode, source, observedAt: iso(observedAt) },
})

/** The recorded outcome of a request; null before there is one. */
export const findOutcome = async (rows: Rows, { wrapper, requestId }: RequestKey): Promise<Outcome | null> =>
  (await rows
    .selectFrom('cross_chain_outcome')
    .selectAll()
    .where('wrapper', '=', wrapper)
    .where('requestId', '=', requestId)
    .executeTakeFirst()) ?? null

/** Account and recipient of a queued request by the records of the follower, lower case; null for an unknown request. */
export const findParties = async (rows: Rows, { wrapper, requestId }: RequestKey): Promise<string[] | null> => {
  const found = await sql<{ account: string; recipient: string }>`
    select args->>'account' as account, args->>'recipient' as recipient from chain_event
    where contract = 'xcm' and event = 'RequestQueued' and removed_at is null
      and address = ${wrapper} and args->>'requestId' = ${requestId}`.execute(rows)
  const [row] = found.rows
  return row === undefined ? null : [row.account, row.recipient]
}

/** The watch of a request: the stored one, a new one, or null while another request of the wrapper is watched. `now` in epoch ms. */
export const beginWatch = async (
  rows: Rows,
  { wrapper, requestId }: RequestKey,
  expectedRaw: bigint,
  now: number,
): Promise<Watch | null> => {
  const values = {
    wrapper,
    requestId,
    expectedRaw,
    startRaw: null,
    startAssetRaw: null,
    unclearReason: null,
    startedAt: now,
    endsAt: watchEnd(now),
    endedAt: null,
  }
  await rows
    .insertInto('cross_chain_watch')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const watch = await rows
    .selectFrom('cross_chain_watch')
    .selectAll()
    .where('wrapper', '=', wrapper)
    .where('requestId', '=', requestId)
    .executeTakeFirst()
  return watch ?? null
}

/** Balances before the dispatch, base units: what is watched, and the assets at the venue. */
export interface StartBalances {
  startRaw: bigint
  startAssetRaw: bigint
}

/** Stores newer balances before the dispatch. */
export const refreshStart = (rows: Rows, { wrapper, requestId }: RequestKey, balances: StartBalances): Promise<Watch> =>
  rows
    .updateTable('cross_chain_watch')
    .set(balances)
    .where('wrapper', '=', wrapper)
    .where('requestId', '=', requestId)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Marks that the balance cannot decide a request; false if it was marked before. */
export const markUnclear = async (rows: Rows, { wrapper, requestId }: RequestKey, unclearReason: UnclearReason): Promise<boolean> => {
  const marked = await rows
    .updateTable('cross_chain_watch')
    .set({ unclearReason })
    .where('wrapper', '=', wrapper)
    .where('requestId', '=', requestId)
    .where('unclearReason', 'is', null)
    .returning('requestId')
    .executeTakeFirst()
  return marked !== undefined
}

/** The watch of a request; null without one. */
export const findWatch = async (rows: Rows, { wrapper, requestId }: RequestKey): Promise<Watch | null> =>
  (await rows
    .selectFrom('cross_chain_watch')
    .selectAll()
    .where('wrapper', '=', wrapper)
    .where('requestId', '=', requestId)
    .executeTakeFirst()) ?? null

/** Forgets the watch of a request that the chain has lost. */
export const dropWatch = async (rows: Rows, { wrapper, requestId }: RequestKey): Promise<void> => {
  await rows.deleteFrom('cross_chain_watch').where('wrapper', '=', wrapper).where('requestId', '=', requestId).execute()
}

/** Whether another request of the wrapper was dispatched, by the recorded events, and has not ended. */
export const isAnotherUnderWay = async (rows: Rows, { wrapper, requestId }: RequestKey): Promise<boolean> => {
  const found = await sql<{ other: string }>`
    select d.args->>'requestId' as other from chain_event d
    where d.contract = 'xcm' and d.event = 'RequestLegDispatched' and d.removed_at is null and d.address = ${wrapper}
      and d.args->>'requestId' <> ${requestId} and not exists (
        select 1 from cross_chain_outcome o
        where o.wrapper = ${wrapper} and o.request_id = d.args->>'requestId' and o.processed_at is not null
      )
    limit 1`.execute(rows)
  return found.rows.length > 0
}

/** Stores the balances before, once, and announces that the balance is watched. The time of the watch begins with it. */
export const storeStart = async (rows: Rows, subject: RequestSubject, balances: StartBalances, now: number): Promise<Watch> => {
  const { wrapper, requestId } = subject
  const stored = await rows
    .updateTable('cross_chain_watch')
    .set({ ...balances, startedAt: now, endsAt: watchEnd(now) })
    .where('wrapper', '=', wrapper)
    .where('requestId', '=', requestId)
    .where('startRaw', 'is', null)
    .returningAll()
    .executeTakeFirstOrThrow()
  const data = { expectedRaw: stored.expectedRaw.toString(), startRaw: balances.startRaw.toString(), endsAt: iso(stored.endsAt) }
  await emit(rows, requestEvent(subject, 'xcm.balance_watch_started', now, data))
  return stored
}

const endWatch = (rows: Rows, { wrapper, requestId }: RequestKey, now: number) =>
  rows
    .updateTable('cross_chain_watch')
    .set({ endedAt: now })
    .where('wrapper', '=', wrapper)
    .where('requestId', '=', requestId)
    .where('endedAt', 'is', null)
    .execute()

const insertOutcome = async (rows: Rows, values: Insertable<Tables['cross_chain_outcome']>): Promise<boolean> => {
  const inserted = await rows
    .insertInto('cross_chain_outcome')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .returning('requestId')
    .executeTakeFirst()
  return inserted !== undefined
}

/**
 * Records an outcome and ends the watch, in a transaction of the caller. Returns false if the recorded outcome stays: it is settled, equal or as new.
 */
export const recordOutcome = async (rows: Rows, subject: RequestSubject, outcome: NewOutcome, now: number): Promise<boolean> => {
  const { wrapper, requestId } = subject
  const fresh = { ...outcome, recordedAt: now, processedAt: null, exhaustedAt: null, lastFailure: null, failedTry: null }
  const recorded = (await insertOutcome(rows, { wrapper, requestId, ...fresh })) || (await replaceOutcome(rows, subject, fresh))
  if (!recorded) return false
  await endWatch(rows, subject, now)
  await emit(rows, requestEvent(subject, 'xcm.outcome_observed', now, outcomeData(outcome)))
  return true
}

const replaceOutcome = async (rows: Rows, { wrapper, requestId }: RequestKey, fresh: NewOutcome): Promise<boolean> => {
  const place = rows.selectFrom('cross_chain_outcome').selectAll().where('wrapper', '=', wrapper).where('requestId', '=', requestId)
  const standing = await place.forUpdate().executeTakeFirstOrThrow()
  if (!replacesOutcome(standing, fresh)) return false
  await rows.updateTable('cross_chain_outcome').set(fresh).where('wrapper', '=', wrapper).where('requestId', '=', requestId).execute()
  return true
}

/** The end of a request on chain. */
export interface EndOnChain {
  status: OutcomeStatus
  settledAssetsRaw: bigint
  settledSharesRaw: bigint
  remoteRef: string
  failureCode: string
  /** Epoch ms. */
  observedAt: number
  source: string
}

/** Marks the outcome of a request as settled, with the numbers of the chain; false if it was marked before. In a transaction of the caller. */
export const markProcessed = async (rows: Rows, subject: RequestSubject, end: EndOnChain, now: number): Promise<boolean> => {
  const { wrapper, requestId } = subject
  const { source, observedAt, ...numbers } = end
  await endWatch(rows, subject, now)
  const done = { processedAt: now, exhaustedAt: null }
  if (
    await insertOutcome(rows, {
      wrapper,
      requestId,
      ...end,
      remoteBalanceRaw: null,
      recordedAt: now,
      lastFailure: null,
      failedTry: null,
      ...done,
    })
  )
    return true
  const marked = await rows
    .updateTable('cross_chain_outcome')
    .set({ ...numbers, ...done })
    .where('wrapper', '=', wrapper)
    .where('requestId', '=', requestId)
    .where('processedAt', 'is', null)
    .returning('requestId')
    .executeTakeFirst()
  return marked !== undefined
}

const unsettled = (rows: Rows, { wrapper, requestId }: RequestKey) =>
  rows.updateTable('cross_chain_outcome').where('wrapper', '=', wrapper).where('requestId', '=', requestId).where('processedAt', 'is', null)

/** Begins a try: a request that is tried again is no longer exhausted, and its tries count from 1 again. */
export const beginTry = (rows: Rows, key: RequestKey) =>
  unsettled(rows, key)
    .set({ exhaustedAt: null, failedTry: sql<number | null>`case when exhausted_at is null then failed_try end` })
    .execute()

/** Stores why a try failed; false if its failure is stored, by a worker that was lost before it answered. `failedTry` counts from 1. */
export const storeFailure = async (rows: Rows, key: RequestKey, failedTry: number, lastFailure: string): Promise<boolean> => {
  const { numUpdatedRows } = await unsettled(rows, key)
    .set({ failedTry, lastFailure })
    .where((is) => is.or([is('failedTry', 'is', null), is('failedTry', '<>', failedTry)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Marks a request whose tries are used up; false if it is marked or settled. */
export const markExhausted = async (rows: Rows, { wrapper, requestId }: RequestKey, now: number): Promise<boolean> => {
  const marked = await rows
    .updateTable('cross_chain_outcome')
    .set({ exhaustedAt: now })
    .where('wrapper', '=', wrapper)
    .where('requestId', '=', requestId)
    .where('processedAt', 'is', null)
    .where('exhaustedAt', 'is', null)
    .returning('requestId')
    .executeTakeFirst()
  return marked !== undefined
}

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

/** Where a list of outcomes continues: after this row. */
export interface ListPlace {
  at: number
  requestId: string
}

/** Outcomes of a wrapper in the order in which they were recorded, or the exhausted ones in the order in which their tries were used up. */
export const listOutcomes = (
  rows: Rows,
  wrapper: string,
  { order, after, limit }: { order: 'recordedAt' | 'exhaustedAt'; after: ListPlace | null; limit: number },
): Promise<Outcome[]> => {
  let query = rows.selectFrom('cross_chain_outcome').selectAll().where('wrapper', '=', wrapper).where(order, 'is not', null)
  if (after !== null)
    query = query.where(({ or, and, eb }) =>
      or([eb(order, '>', after.at), and([eb(order, '=', after.at), eb('requestId', '>', after.requestId)])]),
    )
  return query.orderBy(order).orderBy('requestId').limit(limit).execute()
}

/**
 * Assets in the adapter that did not come home with a withdrawal, by the recorded events: of deposits that are neither sent nor ended, and those
 * that were recovered for failed deposits and not yet paid, up to a block. Base units.
 */
export const readForeignAssets = async (
  rows: Rows,
  chainId: number,
  at: { wrapper: string; adapter: string; block: bigint },
): Promise<bigint> => {
  const found = await sql<{ held: string; recovered: string }>`
    with known as (
      select address, event, args from chain_event where chain_id = ${chainId} and contract = 'xcm' and removed_at is null and block_number <= ${at.block}
    )
    select
      coalesce((
        select sum((queued.args->>'assets')::numeric) from known queued
        where queued.address = ${at.wrapper} and queued.event = 'RequestQueued' and queued.args->>'kind' = '0' and not exists (
          select 1 from known later
          where later.address = ${at.wrapper} and later.args->>'requestId' = queued.args->>'requestId'
            and (later.event = 'RequestStatusUpdated' or (later.event = 'RequestLegDispatched' and later.args->>'leg' = '0'))
        )
      ), 0)::text as held,
      coalesce((
        select sum((args->>'assets')::numeric * case address when ${at.wrapper} then 1 else -1 end) from known
        where event = 'RecoveredAssetsReleased'
      ), 0)::text as recovered`.execute(rows)
  const [row] = found.rows
  return BigInt(row?.held ?? 0) + BigInt(row?.recovered ?? 0)
}
