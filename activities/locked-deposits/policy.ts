import { type Fact, known } from '../../domain/common/fact.ts'
import { type Asset, amounts } from '../../domain/common/money.ts'
import {
  checkLock,
  type LockChainFacts,
  type LockPolicy,
  type LockRequest,
  type LockSums,
  type PoolSnapshot,
} from '../../domain/locked-deposits/checks.ts'
import { activationGate, type Cohort, type GatePolicy, type GateView, gateView } from '../../domain/locked-deposits/gate.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { Settings } from '../../schemas/settings.ts'
import type { Rows } from '../database/database.ts'
import { databaseOutage } from '../database/outages.ts'
import { readCohort, readLockSums } from './records.ts'

/** Limits of locks by the settings, for an asset with these decimals. */
export const lockPolicy = (settings: Settings, decimals: number): LockPolicy => {
  const unit = 10n ** BigInt(decimals)
  return {
    enabled: settings.LOCKED_TIERS_ENABLED,
    perksEnabled: settings.NON_YIELD_TIER_PERKS_ENABLED,
    walletCapRaw: BigInt(settings.LOCKED_TIER_PER_WALLET_CAP_USDC) * unit,
    cohortCapRaw: BigInt(settings.LOCKED_TIER_COHORT_CAP_USDC) * unit,
  }
}

/**
 * Throws the refusal of a lock of a wallet (lower case) that may not be made at `now` (epoch ms); returns the sums over recorded locks that
 * allow it.
 */
export const assertLockable = async (
  rows: Rows,
  { settings, asset: { decimals } }: { settings: Settings; asset: Asset },
  { wallet, ...request }: LockRequest & { wallet: string },
  facts: LockChainFacts,
  now: number,
): Promise<LockSums> => {
  const sums = await readLockSums(rows, wallet, facts.claims, now)
  const refusal = checkLock(request, facts, sums, lockPolicy(settings, decimals))
  if (refusal === null) return sums
  const { code, reason } = refusal
  throw new ServiceError(code, { reason, details: amounts(refusal.amounts, decimals) })
}

const cohortFact = async (rows: Rows, now: number): Promise<Fact<Cohort>> => {
  try {
    return known(await readCohort(rows, now))
  } catch (error) {
    if (databaseOutage(error) === null) throw error
    return 'unreadable'
  }
}

/** The activation gate at `now` (epoch ms) as answers show it, with what the pool has placed and whether the wallet has shares of it. */
export const readGate = async (
  rows: Rows,
  { settings, chain }: { settings: Settings; chain: ChainFile },
  pool: Fact<Pick<PoolSnapshot, 'placedRaw' | 'balanceRaw'>>,
  now: number,
): Promise<GateView> => {
  const policy: GatePolicy = {
    minimumRaw: settings.LOCKED_TIER_MINIMUM_COHORT_RAW,
    frictionRaw: settings.LOCKED_TIER_CYCLE_FRICTION_RAW,
    rate: settings.LOCKED_TIER_VENUE_RATE ?? null,
  }
  const gate = activationGate(await cohortFact(rows, now), policy, now)
  const placedRaw = typeof pool === 'string' ? pool : known(pool.known.placedRaw)
  const hasPoolShares = typeof pool !== 'string' && pool.known.balanceRaw > 0n
  return gateView(gate, policy, { placedRaw, hasPoolShares }, chain.asset)
}
