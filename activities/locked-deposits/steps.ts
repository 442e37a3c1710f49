import type { Hex } from 'viem'
import { iso } from '../../domain/common/instants.ts'
import { amountText } from '../../domain/common/money.ts'
import type { LockChainFacts } from '../../domain/locked-deposits/checks.ts'
import { covers, endOf, exitAt, type Lock, lockAt, sumOf, termEnd } from '../../domain/locked-deposits/lock.ts'
import { LOCK_CONSENT, parseLockTerms } from '../../domain/locked-deposits/terms.ts'
import { TIER_TERMS } from '../../domain/locked-deposits/tiers.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { LockChainActivities, LockConsent, LockRecordActivities } from '../../schemas/locked-deposits/process.ts'
import type { ExitReason } from '../../schemas/locked-deposits/record.ts'
import type { Settings } from '../../schemas/settings.ts'
import type { Clock } from '../common/clock.ts'
import { assertUnexpired, getQuote, insertConsent } from '../consents/records.ts'
import type { Database, Rows } from '../database/database.ts'
import { emit, type NewEvent } from '../events/outbox.ts'
import { lockBalance } from './balance.ts'
import { assertLockable, lockPolicy } from './policy.ts'
import type { LockReads } from './reads.ts'
import { findLock, getLock, liveLocks, lockCaps, lockRow, storeMove } from './records.ts'

export interface LockDeps {
  settings: Settings
  chain: ChainFile
  database: Database
  clock: Clock
  reads: LockReads
}

const lockEvent = (topic: 'locked_deposit.opened' | 'locked_deposit.exiting' | 'locked_deposit.released', lock: Lock, at: number) => {
  const { id, wallet, tier, amountRaw, expiresAt, exitReason, releaseAt, releaseReason } = lock
  const event: NewEvent = {
    topic,
    wallets: [wallet],
    correlationId: id,
    at,
    ...(topic === 'locked_deposit.exiting' && exitReason === 'balance_below_encumbered' && { severity: 'warn' as const }),
    data: {
      id,
      wallet,
      tier,
      amountRaw: amountRaw.toString(),
      expiresAt: iso(expiresAt),
      ...(exitReason !== null && { exitReason }),
      ...(releaseAt !== null && { releaseAt: iso(releaseAt) }),
      ...(releaseReason !== null && { releaseReason }),
    },
  }
  return event
}

/** Steps of the process of a locked deposit. Source: money, "Locked deposits". */
export const createLockSteps = ({ settings, chain, database, clock, reads }: LockDeps): LockRecordActivities & LockChainActivities => {
  const { symbol, decimals } = chain.asset

  const open = async (rows: Rows, id: string, facts: LockChainFacts, { signature, requestId }: LockConsent): Promise<void> => {
    await lockCaps(rows)
    if ((await findLock(rows, id)) !== null) return
    const quote = await getQuote(rows, LOCK_CONSENT, id)
    const { wallet } = quote
    await lockBalance(rows, wallet)
    const now = clock.now()
    assertUnexpired(LOCK_CONSENT, quote, now)
    const { publicProfileOptIn, ...request } = parseLockTerms(quote.terms)
    await assertLockable(rows, { settings, asset: chain.asset }, { wallet, ...request }, facts, now)
    const { termDays } = TIER_TERMS[request.tier]
    const lock: Lock = {
      id,
      wallet,
      ...request,
      lockedAt: now,
      termDays,
      expiresAt: termEnd(now, termDays),
      status: 'active',
      publicProfileOptIn,
      exitRequestedAt: null,
      exitReason: null,
      releaseAt: null,
      releasedAt: null,
      releaseReason: null,
    }
    const { walletCapRaw, cohortCapRaw } = lockPolicy(settings, decimals)
    await insertConsent(rows, quote, signature, now)
    await rows
      .insertInto('locked_deposit')
      .values({ ...lock, walletCapRaw, cohortCapRaw, requestId })
      .execute()
    await emit(rows, lockEvent('locked_deposit.opened', lock, now))
  }

  /** Records what time has ended. */
  const advance = async (rows: Rows, id: string, now: number): Promise<Lock> => {
    const recorded = await lockRow(rows, id)
    const lock = lockAt(recorded, now)
    if (lock.status === recorded.status || lock.releasedAt === null) return lock
    await storeMove(rows, lock)
    await emit(rows, lockEvent('locked_deposit.released', lock, lock.releasedAt))
    return lock
  }

  const exit = (id: string, reason: ExitReason): Promise<void> =>
    database.transaction(async (rows) => {
      const now = clock.now()
      const before = await advance(rows, id, now)
      const lock = exitAt(before, reason, now)
      if (lock.status === before.status) return
      await storeMove(rows, lock)
      await emit(rows, lockEvent('locked_deposit.exiting', lock, now))
    })

  return {
    openLock: async ({ id, ...consent }) => {
      // A lock outlives its quote.
      if ((await findLock(database.rows, id)) !== null) return
      const { wallet } = await getQuote(database.rows, LOCK_CONSENT, id)
      const facts = await reads.lockFacts(wallet as Hex)
      await database.transaction((rows) => open(rows, id, facts, consent))
    },

    advanceLock: async ({ id }) => {
      const lock = await database.transaction((rows) => advance(rows, id, clock.now()))
      const { status, wallet, tier, amountRaw, releasedAt, releaseReason } = lock
      return {
        status,
        wallet,
        tier,
        releaseReason,
        amount: amountText(amountRaw, { decimals, symbol }),
        until: iso(endOf(lock)?.at ?? releasedAt ?? 0),
      }
    },

    exitLock: ({ id }) => exit(id, 'requested'),

    exitUncoveredLock: async ({ id }) => {
      const { wallet } = await getLock(database.rows, id)
      const { position } = await reads.lockFacts(wallet as Hex)
      if (typeof position === 'string') throw new ServiceError('blockchain_unavailable')
      const locks = await liveLocks(database.rows, wallet, clock.now())
      if (!covers(position.known, sumOf(locks))) await exit(id, 'balance_below_encumbered')
    },
  }
}
