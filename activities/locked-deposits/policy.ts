import { type Asset, amounts } from '../../domain/common/money.ts'
import { checkLock, type LockChainFacts, type LockPolicy, type LockRequest, type LockSums } from '../../domain/locked-deposits/checks.ts'
import type { GatePolicy } from '../../domain/locked-deposits/gate.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { Settings } from '../../schemas/settings.ts'
import type { Rows } from '../database/database.ts'
import { readLockSums } from './records.ts'

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
  const sums = await readLockSums(rows, wallet, now)
  const refusal = checkLock(request, facts, sums, lockPolicy(settings, decimals))
  if (refusal === null) return sums
  const { code, reason } = refusal
  throw new ServiceError(code, { reason, details: amounts(refusal.amounts, decimals) })
}

/** The activation gate by the settings. */
export const gatePolicy = (settings: Settings): GatePolicy => ({
  minimumRaw: settings.LOCKED_TIER_MINIMUM_COHORT_RAW,
  frictionRaw: settings.LOCKED_TIER_CYCLE_FRICTION_RAW,
  rate: settings.LOCKED_TIER_VENUE_RATE ?? null,
})
