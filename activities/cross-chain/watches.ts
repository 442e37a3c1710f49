import type { Selectable } from 'kysely'
import { iso } from '../../domain/common/instants.ts'
import { watchEnd } from '../../domain/cross-chain/watch.ts'
import type { UnclearReason } from '../../schemas/cross-chain/record.ts'
import type { Tables } from '../../schemas/entities/tables.ts'
import type { Rows } from '../database/database.ts'
import { emit } from '../events/outbox.ts'
import { hasChanged, ofRequest, type RequestKey, type RequestSubject, requestEvent } from './requests.ts'

export type Watch = Selectable<Tables['cross_chain_watch']>

/** Balances before the dispatch, base units: what is watched, and the assets at the venue. */
export interface StartBalances {
  startRaw: bigint
  startAssetRaw: bigint
}

/** The watch of a request; null without one. */
export const findWatch = async (rows: Rows, key: RequestKey): Promise<Watch | null> =>
  (await rows.selectFrom('cross_chain_watch').selectAll().where(ofRequest(key)).executeTakeFirst()) ?? null

/** The watch of a request: the stored one, a new one, or null while another request of the wrapper is watched. `now` in epoch ms. */
export const beginWatch = async (rows: Rows, key: RequestKey, expectedRaw: bigint, now: number): Promise<Watch | null> => {
  const unread = { startRaw: null, startAssetRaw: null, unclearReason: null }
  await rows
    .insertInto('cross_chain_watch')
    .values({ ...key, ...unread, expectedRaw, startedAt: now, endsAt: watchEnd(now), endedAt: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return findWatch(rows, key)
}

/** Stores the balances before, once, and announces that the balance is watched. The time of the watch begins with it. */
export const storeStart = async (rows: Rows, subject: RequestSubject, balances: StartBalances, now: number): Promise<Watch> => {
  const stored = await rows
    .updateTable('cross_chain_watch')
    .set({ ...balances, startedAt: now, endsAt: watchEnd(now) })
    .where(ofRequest(subject))
    .where('startRaw', 'is', null)
    .returningAll()
    .executeTakeFirstOrThrow()
  const data = { expectedRaw: stored.expectedRaw.toString(), startRaw: balances.startRaw.toString(), endsAt: iso(stored.endsAt) }
  await emit(rows, requestEvent(subject, 'xcm.balance_watch_started', now, data))
  return stored
}

/** Stores newer balances before the dispatch. */
export const refreshStart = (rows: Rows, key: RequestKey, balances: StartBalances): Promise<Watch> =>
  rows.updateTable('cross_chain_watch').set(balances).where(ofRequest(key)).returningAll().executeTakeFirstOrThrow()

/** Marks that the balance cannot decide a request; false if it was marked before. */
export const markUnclear = (rows: Rows, key: RequestKey, unclearReason: UnclearReason): Promise<boolean> =>
  hasChanged(rows.updateTable('cross_chain_watch').set({ unclearReason }).where(ofRequest(key)).where('unclearReason', 'is', null))

/** Forgets the watch of a request that the chain has lost. */
export const dropWatch = async (rows: Rows, key: RequestKey): Promise<void> => {
  await rows.deleteFrom('cross_chain_watch').where(ofRequest(key)).execute()
}

/** Ends the watch of a request; `now` in epoch ms. */
export const endWatch = (rows: Rows, key: RequestKey, now: number) =>
  rows.updateTable('cross_chain_watch').set({ endedAt: now }).where(ofRequest(key)).where('endedAt', 'is', null).execute()
