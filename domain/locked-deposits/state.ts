import type { LockTier, PerkSuspension } from '../../schemas/locked-deposits/record.ts'
import { type Fact, knownValue } from '../common/fact.ts'
import { activeLocks, encumberedRaw, type Lock, sumOf } from './lock.ts'
import { tierOfLocks, tierRank } from './tiers.ts'

/** What the wallet owes when it was last read, base units. */
export interface CreditReading {
  debtRaw: bigint
  /** Age of the reading; 0 for one of this answer. */
  staleSeconds: number
}

/** Where the locks of a wallet stand. */
export interface TierState {
  tier: LockTier
  /** Tier of the active lock with the longest term. */
  contractualTier: LockTier
  priorityRank: number
  perksActive: boolean
  perksSuspendedReason: PerkSuspension | null
  /** Age of the credit reading behind it; null for one of this answer. */
  creditReadStaleSeconds: number | null
  lockedRaw: bigint
  encumberedRaw: bigint
}

const suspensionOf = (tier: LockTier, credit: Fact<CreditReading>): PerkSuspension | null => {
  if (tier !== 't90') return null
  const reading = knownValue(credit)
  if (reading === undefined) return 'credit_position_unavailable'
  return reading.debtRaw > 0n ? 'outstanding_credit_draw' : null
}

/**
 * Tier of a wallet at `now`: that of its active lock with the longest term. A holder of t90 counts as Flex while it owes anything, or its debt
 * cannot be read. Source: money, "Perks and state".
 */
export const tierState = (locks: readonly Lock[], credit: Fact<CreditReading>, perksEnabled: boolean, now: number): TierState => {
  const active = activeLocks(locks, now)
  const contractualTier = tierOfLocks(active, now)
  const suspended = suspensionOf(contractualTier, credit)
  const tier = suspended === null ? contractualTier : 'flex'
  const staleSeconds = knownValue(credit)?.staleSeconds ?? 0
  return {
    tier,
    contractualTier,
    priorityRank: tierRank(tier),
    perksActive: perksEnabled && tier !== 'flex',
    perksSuspendedReason: suspended,
    creditReadStaleSeconds: staleSeconds > 0 ? staleSeconds : null,
    lockedRaw: sumOf(active),
    encumberedRaw: encumberedRaw(locks, now),
  }
}
