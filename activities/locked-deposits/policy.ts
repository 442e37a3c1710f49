import type { LockPolicy } from '../../domain/locked-deposits/checks.ts'
import type { GatePolicy } from '../../domain/locked-deposits/gate.ts'
import type { Settings } from '../../schemas/settings.ts'

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

/** The activation gate by the settings. */
export const gatePolicy = (settings: Settings): GatePolicy => ({
  minimumRaw: settings.LOCKED_TIER_MINIMUM_COHORT_RAW,
  frictionRaw: settings.LOCKED_TIER_CYCLE_FRICTION_RAW,
  rate: settings.LOCKED_TIER_VENUE_RATE ?? null,
})
