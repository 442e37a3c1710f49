import { sql } from 'kysely'
import { type Fact, knownValue } from '../../domain/common/fact.ts'
import type { ClaimsShown, LockSums } from '../../domain/locked-deposits/checks.ts'
import type { Cohort } from '../../domain/locked-deposits/gate.ts'
import { type Lock, lockAt, sumOf } from '../../domain/locked-deposits/lock.ts'
import { LISTED_LOCKS_MAX } from '../../schemas/locked-deposits/record.ts'
import type { Rows } from '../database/database.ts'
import { claimsUnderWay } from './balance.ts'

/** A recorded lock; null for an unknown id. */
export const findLock = async (rows: Rows, id: string): Promise<(Lock & { requestId: string }) | null> =>
  (await rows.selectFrom('locked_deposit').selectAll().where('id', '=', id).executeTakeFirst()) ?? null

/** A lock that must exist. */
export const getLock = async (rows: Rows, id: string): Promise<Lock> => {
  const lock = await findLock(rows, id)
  if (lock === null) throw new Error(`no locked deposit ${id}`)
  return lock
}

/** Locks of a wallet (lower case): all that are not released, then the newest released ones. */
export const listLocks = (rows: Rows, wallet: string): Promise<Lock[]> =>
  rows
    .selectFrom('locked_deposit')
    .selectAll()
    .where('wallet', '=', wallet)
    .orderBy((is) => is('status', '=', 'released'))
    .orderBy('lockedAt', 'desc')
    .orderBy('id')
    .limit(LISTED_LOCKS_MAX)
    .execute()

/** Active locks of some wallets (lower case), by id. */
export const listActiveLocks = async (rows: Rows, wallets: readonly string[]): Promise<{ id: string; wallet: string }[]> => {
  if (wallets.length === 0) return []
  const active = rows.selectFrom('locked_deposit').select(['id', 'wallet']).where('status', '=', 'active')
  return active.where('wallet', 'in', wallets).orderBy('id').execute()
}

/** Locks of a wallet (lower case) that bind its balance at `now` (epoch ms). */
export const liveLocks = async (rows: Rows, wallet: string, now: number): Promise<Lock[]> => {
  const found = await rows.selectFrom('locked_deposit').selectAll().where('wallet', '=', wallet).where('status', '<>', 'released').execute()
  return found.map((lock) => lockAt(lock, now)).filter(({ status }) => status !== 'released')
}

/** The active locks of t30 and t90 of all wallets at `now` (epoch ms). */
export const readCohort = async (rows: Rows, now: number): Promise<Cohort> => {
  const { total, count, first, ends } = await rows
    .selectFrom('locked_deposit')
    .select([
      sql<string>`coalesce(sum(amount_raw), 0)`.as('total'),
      sql<number>`count(*)::integer`.as('count'),
      sql<string | null>`(array_agg(id order by expires_at, id))[1]`.as('first'),
      sql<Date | null>`min(expires_at)`.as('ends'),
    ])
    .where('status', '=', 'active')
    .where('tier', 'in', ['t30', 't90'])
    .where('expiresAt', '>', now)
    .executeTakeFirstOrThrow()
  return {
    totalRaw: BigInt(total),
    count,
    shortest: first === null || ends === null ? null : { id: first, expiresAt: new Date(ends).getTime() },
  }
}

/** Sums that limit a new lock of a wallet (lower case) at `now` (epoch ms), with the bonds that a reading of the chain does not show. */
export const readLockSums = async (rows: Rows, wallet: string, claims: Fact<ClaimsShown>, now: number): Promise<LockSums> => {
  const shown = knownValue(claims)
  const [own, cohort, underWay] = await Promise.all([
    liveLocks(rows, wallet, now),
    readCohort(rows, now),
    shown && claimsUnderWay(rows, wallet, shown),
  ])
  return {
    walletActiveRaw: sumOf(own.filter(({ status }) => status === 'active')),
    encumberedRaw: sumOf(own),
    bondsRaw: underWay?.bondsRaw ?? 0n,
    liveCount: own.length,
    cohortRaw: cohort.totalRaw,
  }
}

/** Serializes new locks until the transaction ends, so that the caps are exact. */
export const lockCaps = async (rows: Rows): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('locked-deposits'))`.execute(rows)
}

/** Locks the row of a lock until the transaction ends. */
export const lockRow = async (rows: Rows, id: string): Promise<Lock> =>
  rows.selectFrom('locked_deposit').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()

/** Stores what moved in a lock. */
export const storeMove = async (rows: Rows, { id, status, exitRequestedAt, exitReason, releaseAt, releasedAt, releaseReason }: Lock) => {
  await rows
    .updateTable('locked_deposit')
    .set({ status, exitRequestedAt, exitReason, releaseAt, releasedAt, releaseReason })
    .where('id', '=', id)
    .execute()
}

/** Locked deposits that left their term because the balance fell below them, while they exit; and those whose stored consent does not say what they bind. */
export const countTroubledLocks = async (rows: Rows): Promise<{ uncovered: number; unconsented: number }> => {
  const { rows: found } = await sql<{ uncovered: number; unconsented: number }>`
    select count(*) filter (where l.exit_reason = 'balance_below_encumbered')::integer as uncovered,
      count(*) filter (where c.kind <> 'locked_tier_consent_v1' or c.wallet <> l.wallet or c.terms->>'tier' is distinct from l.tier
        or c.terms->>'amountRaw' is distinct from l.amount_raw::text)::integer as unconsented
    from locked_deposit l join consent c on c.terms_hash = l.id
    where l.status <> 'released'`.execute(rows)
  return found[0] ?? { uncovered: 0, unconsented: 0 }
}
