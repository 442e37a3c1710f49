/** Shares of the operator with which each pool begins, base units. No call redeems them, so that a donation cannot make a share expensive. */
export const POOL_SEED_RAW = 1_000_000n

/** A deposit whose principal still vests, as plain JSON. Amounts are digits, instants ISO 8601. */
interface TrancheRecord {
  blockNumber: string
  logIndex: number
  txHash: string
  depositedRaw: string
  remainingRaw: string
  depositedAt: string
  vestingFrom: string
}

/** Vesting of one wallet after all its events up to `asOf`, as plain JSON: what a record or a workflow keeps. */
export interface VestingCheckpoint {
  v: 1
  /** Instant up to which the events are counted; the checkpoint answers for no earlier one. */
  asOf: string
  /** Last counted log; null before the first one. */
  upTo: { blockNumber: string; logIndex: number } | null
  /** All shares of the wallet. */
  sharesRaw: string
  /** Principal that has vested in full. */
  maturedRaw: string
  /** Oldest first. */
  tranches: TrancheRecord[]
  openLoans: { loanId: string; openedAt: string }[]
}

/** Tranches that an answer lists at most: the newest. */
export const VESTING_TRANCHES_MAX = 200

/** Why the recorded events do not tell the vesting of a wallet at a block: some are not recorded yet, or some were missed. */
export const VESTING_UNREAD_REASONS = ['chain_events_behind', 'chain_events_incomplete'] as const
export type VestingUnreadReason = (typeof VESTING_UNREAD_REASONS)[number]

/** Names under which the service refuses what the contracts of both pools would do. */
export const BOUND_REFUSALS = ['PoolBelowSeed', 'LossTooHigh'] as const

/** Names under which a transaction of the deposit pool is refused. All but the bounds, the wallet's balance and the estimate are errors of the contract. */
export const POOL_REFUSALS = [
  'ZeroAmount',
  'TotalAssetCapExceeded',
  'ZeroShares',
  'AgentAssetCapExceeded',
  'InsufficientBalance',
  'InsufficientUnlockedShares',
  'SharesPledged',
  'InsufficientBuffer',
  ...BOUND_REFUSALS,
  'GasEstimateUnavailable',
] as const
export type PoolRefusal = (typeof POOL_REFUSALS)[number]
