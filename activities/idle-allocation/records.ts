import { sql } from 'kysely'
import type { IdleConsentRecord } from '../../domain/idle-allocation/consent.ts'
import { IDLE_RUN_SECONDS, type IdleMove, type IdleRun } from '../../domain/idle-allocation/plan.ts'
import type { IdleTerms } from '../../domain/idle-allocation/terms.ts'
import type { Rows } from '../database/database.ts'

const consents = (rows: Rows) =>
  rows
    .selectFrom('idle_consent')
    .innerJoin('consent', 'consent.termsHash', 'idle_consent.termsHash')
    .select(['idle_consent.termsHash', 'idle_consent.wallet', 'idle_consent.expiresAt', 'idle_consent.revokedAt', 'idle_consent.requestId'])
    .select((is) => is.ref('consent.terms').$castTo<IdleTerms>().as('terms'))

/** Those of some wallets (lower case) whose consent is neither revoked nor expired. */
export const listConsenting = async (rows: Rows, wallets: readonly string[]): Promise<string[]> => {
  if (wallets.length === 0) return []
  const open = rows.selectFrom('idle_consent').select('wallet').where('revokedAt', 'is', null).where('expiredAt', 'is', null)
  return (await open.where('wallet', 'in', wallets).execute()).map(({ wallet }) => wallet)
}

/** The newest consent of a wallet (lower case); null without one. */
export const latestIdleConsent = async (rows: Rows, wallet: string): Promise<IdleConsentRecord | null> =>
  (await consents(rows)
    .where('idle_consent.wallet', '=', wallet)
    .orderBy('idle_consent.consentedAt', 'desc')
    .orderBy('idle_consent.termsHash')
    .limit(1)
    .executeTakeFirst()) ?? null

/** A consent by the hash of its terms; null for an unknown one. */
export const findIdleConsent = async (rows: Rows, termsHash: string): Promise<IdleConsentRecord | null> =>
  (await consents(rows).where('idle_consent.termsHash', '=', termsHash).executeTakeFirst()) ?? null

/** Locks the consent that is open for a wallet until the transaction ends, so that it is revoked before or after; null without one. */
export const lockOpenConsent = async (rows: Rows, wallet: string) =>
  (await rows
    .selectFrom('idle_consent')
    .selectAll()
    .where('wallet', '=', wallet)
    .where('revokedAt', 'is', null)
    .where('expiredAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()) ?? null

/** Serializes the allocations of all wallets until the transaction ends, so that the sum of a run is exact. */
export const lockRun = async (rows: Rows): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('idle-allocation'))`.execute(rows)
}

/** Allocations in the run before `now` (epoch ms), of a wallet (lower case) and of all. */
export const readRun = async (rows: Rows, wallet: string, now: number): Promise<IdleRun> => {
  const { ofAll, ofWallet } = await rows
    .selectFrom('idle_movement')
    .select(sql<string>`coalesce(sum(amount_raw), 0)`.as('ofAll'))
    .select(sql<string>`coalesce(sum(amount_raw) filter (where wallet = ${wallet}), 0)`.as('ofWallet'))
    .where('kind', '=', 'allocate')
    .where('signedAt', '>', now - IDLE_RUN_SECONDS * 1000)
    .executeTakeFirstOrThrow()
  return { ofAllRaw: BigInt(ofAll), ofWalletRaw: BigInt(ofWallet) }
}

/** What was moved for a wallet (lower case) by the recorded movements, base units. */
export const readMoved = async (rows: Rows, wallet: string): Promise<{ allocatedRaw: bigint; recalledRaw: bigint }> => {
  const found = await rows
    .selectFrom('idle_movement')
    .select(['kind', sql<string>`sum(amount_raw)`.as('total')])
    .where('wallet', '=', wallet)
    .where('txHash', 'is not', null)
    .groupBy('kind')
    .execute()
  const totalOf = (kind: string) => BigInt(found.find((row) => row.kind === kind)?.total ?? 0)
  return { allocatedRaw: totalOf('allocate'), recalledRaw: totalOf('recall') }
}

/** Number of the next movement of a wallet. A movement that failed is not counted. */
export const countMovements = async (rows: Rows, wallet: string): Promise<number> => {
  const { count } = await rows
    .selectFrom('idle_movement')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('wallet', '=', wallet)
    .where('txHash', 'is not', null)
    .executeTakeFirstOrThrow()
  return count
}

/** The movement of a step that has no outcome yet; null without one. */
export const findOpenMovement = async (rows: Rows, step: string) =>
  (await rows.selectFrom('idle_movement').selectAll().where('step', '=', step).executeTakeFirst()) ?? null

/** Reserves a signed movement. */
export const insertMovement = async (
  rows: Rows,
  movement: IdleMove & { step: string; wallet: string; termsHash: string; signedAt: number },
): Promise<void> => {
  await rows
    .insertInto('idle_movement')
    .values({ ...movement, txHash: null, minedAt: null })
    .onConflict((conflict) =>
      conflict.column('step').doUpdateSet({ amountRaw: movement.amountRaw, kind: movement.kind, signedAt: movement.signedAt }),
    )
    .execute()
}

/** Records the outcome of a movement; one that was reverted moved nothing and is deleted. */
export const closeMovement = async (
  rows: Rows,
  step: string,
  { status, txHash, blockTime }: { status: 'mined' | 'reverted'; txHash: string; blockTime: number },
): Promise<void> => {
  if (status === 'reverted') await rows.deleteFrom('idle_movement').where('step', '=', step).execute()
  else await rows.updateTable('idle_movement').set({ txHash, minedAt: blockTime }).where('step', '=', step).execute()
}
