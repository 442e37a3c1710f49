import type { LockRefusal, TermTier } from '../../schemas/locked-deposits/record.ts'
import { type Position, spendableRaw } from '../chain/account-position.ts'
import { type Fact, knownValue } from '../common/fact.ts'
import { floorSubtract, minRaw } from '../common/money.ts'

/** Most locks of a wallet that are not released: each is a process of its own. */
export const LIVE_LOCKS_MAX = 20

/** Settings of the product, base units. */
export interface LockPolicy {
  enabled: boolean
  /** Whether t7 and the perks are offered. */
  perksEnabled: boolean
  walletCapRaw: bigint
  cohortCapRaw: bigint
}

/** The deposit pool as a quote needs it, base units. */
export interface PoolSnapshot {
  block: bigint
  managedRaw: bigint
  supplyRaw: bigint
  placedRaw: bigint
  headroomRaw: bigint
  holderHeadroomRaw: bigint
  /** Shares of the wallet. */
  balanceRaw: bigint
}

/** A reading of the chain: its block, and how many claims of the wallet the escrow counted there. */
export interface ClaimsShown {
  block: bigint
  claimCount: number
}

/** Facts of the chain about a wallet that wants to lock. */
export interface LockChainFacts {
  position: Fact<Position>
  /** Which claims of the wallet the position shows; read with it. */
  claims: Fact<ClaimsShown>
  /** What the wallet owes the credit pool. */
  creditDebtRaw: Fact<bigint>
  pool: Fact<PoolSnapshot>
}

/** Sums over recorded locks at one moment, base units. */
export interface LockSums {
  /** Active locks of the wallet. */
  walletActiveRaw: bigint
  /** Active and exiting locks of the wallet, and their number. */
  encumberedRaw: bigint
  /** Bonds of claims that the position of the wallet does not show yet. */
  bondsRaw: bigint
  liveCount: number
  /** Active locks of t30 and t90 of all wallets. */
  cohortRaw: bigint
}

export interface LockRequest {
  tier: TermTier
  amountRaw: bigint
}

export interface RefusedLock {
  code: LockRefusal
  reason?: 'too_many_locks'
  /** Amounts that decide it. */
  amounts: Readonly<Record<string, bigint>>
}

const refused = (code: LockRefusal, amounts: Readonly<Record<string, bigint>> = {}): RefusedLock => ({ code, amounts })

/** Refuses when what is used and what is asked for exceed a limit. */
const overCap = (code: LockRefusal, usedRaw: bigint, amountRaw: bigint, limitRaw: bigint): RefusedLock | null =>
  usedRaw + amountRaw <= limitRaw
    ? null
    : refused(code, { requested: amountRaw, locked: usedRaw, limit: limitRaw, remaining: floorSubtract(limitRaw, usedRaw) })

/** Why a lock is refused, by the first check that fails; null when it may be made. Source: money, "Quote". */
export const checkLock = (
  { tier, amountRaw }: LockRequest,
  facts: LockChainFacts,
  sums: LockSums,
  policy: LockPolicy,
): RefusedLock | null => {
  if (!policy.enabled) return refused('locked_tiers_disabled')
  if (tier === 't7' && !policy.perksEnabled) return refused('locked_tier_disabled')
  const position = knownValue(facts.position)
  const creditDebt = knownValue(facts.creditDebtRaw)
  if (creditDebt === undefined) return refused('locked_tier_credit_position_unavailable')
  const debtRaw = creditDebt + (position?.debtOutstanding ?? 0n)
  if (debtRaw > 0n) return refused('locked_tier_outstanding_credit_draw', { outstanding: debtRaw })
  if (position === undefined || knownValue(facts.claims) === undefined) return refused('locked_tier_aac_balance_unavailable')
  const available = spendableRaw(position, sums.encumberedRaw + sums.bondsRaw)
  if (amountRaw > available)
    return refused('locked_tier_insufficient_aac_liquid', {
      requested: amountRaw,
      available,
      liquid: position.liquid,
      encumbered: sums.encumberedRaw,
    })
  const wallet = overCap('locked_tier_per_wallet_cap_exceeded', sums.walletActiveRaw, amountRaw, policy.walletCapRaw)
  if (wallet !== null) return wallet
  if (sums.liveCount >= LIVE_LOCKS_MAX) return { ...refused('locked_tier_per_wallet_cap_exceeded'), reason: 'too_many_locks' }
  const pool = knownValue(facts.pool)
  if (pool === undefined) return refused('locked_tier_nav_unavailable')
  return (
    overCap('locked_tier_cohort_cap_exceeded', sums.cohortRaw, amountRaw, minRaw(policy.cohortCapRaw, pool.headroomRaw)) ??
    overCap('locked_tier_pool_per_agent_cap_exceeded', sums.walletActiveRaw, amountRaw, pool.holderHeadroomRaw)
  )
}
