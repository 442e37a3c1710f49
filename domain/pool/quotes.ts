import type { PoolRefusal } from '../../schemas/pool/record.ts'
import { type Quoted, quoted, refused } from '../common/quotes.ts'
import { convertToAssets, convertToShares, type PoolCaps, type ShareBook, sharesToRedeem, valueAfterDeposit } from './shares.ts'

/** The deposit pool and one wallet's shares at one block, base units. */
export interface PoolPosition extends ShareBook {
  caps: PoolCaps
  /** Tokens in the pool. */
  bufferRaw: bigint
  /** All shares of the wallet. */
  balanceRaw: bigint
  /** Shares that wait for a notice to end. */
  lockedRaw: bigint
  /** Shares that secure loans. */
  pledgedRaw: bigint
  /** Tokens of the wallet. */
  walletRaw: bigint
}

/** Shares that the wallet can redeem, lock or pledge. */
export const availableSharesRaw = ({ balanceRaw, lockedRaw, pledgedRaw }: PoolPosition): bigint => balanceRaw - lockedRaw - pledgedRaw

/** Assets and shares that a transaction exchanges, base units. */
export interface ShareQuote {
  assetsRaw: bigint
  sharesRaw: bigint
}

/** Shares for a deposit by the wallet for itself. Refusals stand in the order of the contract, the wallet's own tokens last. */
export const quotePoolDeposit = (pool: PoolPosition, assetsRaw: bigint): Quoted<ShareQuote, PoolRefusal> => {
  if (assetsRaw === 0n) return refused('ZeroAmount', {})
  const attempted = pool.managedRaw + assetsRaw
  if (attempted > pool.caps.totalRaw) return refused('TotalAssetCapExceeded', { attempted, cap: pool.caps.totalRaw })
  const sharesRaw = convertToShares(pool, assetsRaw)
  if (sharesRaw === 0n) return refused('ZeroShares', { assets: assetsRaw })
  const held = valueAfterDeposit(pool, pool.balanceRaw, assetsRaw, sharesRaw)
  if (held > pool.caps.perHolderRaw) return refused('AgentAssetCapExceeded', { attempted: held, cap: pool.caps.perHolderRaw })
  if (assetsRaw > pool.walletRaw) return refused('InsufficientBalance', { required: assetsRaw, available: pool.walletRaw })
  return quoted({ assetsRaw, sharesRaw })
}

/** A withdrawal by assets or by shares, base units. */
export type PoolWithdrawal = { assetsRaw: bigint } | { sharesRaw: bigint }

/** Assets for shares that the wallet redeems to itself. Refusals stand in the order of the contract. */
export const quotePoolWithdrawal = (pool: PoolPosition, requested: PoolWithdrawal): Quoted<ShareQuote, PoolRefusal> => {
  const sharesRaw = 'sharesRaw' in requested ? requested.sharesRaw : sharesToRedeem(pool, requested.assetsRaw)
  if (sharesRaw === 0n) return refused('ZeroShares', {})
  const unlocked = pool.balanceRaw - pool.lockedRaw
  if (sharesRaw > unlocked) return refused('InsufficientUnlockedShares', { required: sharesRaw, available: unlocked })
  const available = availableSharesRaw(pool)
  if (sharesRaw > available) return refused('SharesPledged', { required: sharesRaw, available })
  const assetsRaw = convertToAssets(pool, sharesRaw)
  if (assetsRaw === 0n) return refused('ZeroAmount', { shares: sharesRaw })
  if (assetsRaw > pool.bufferRaw) return refused('InsufficientBuffer', { required: assetsRaw, available: pool.bufferRaw })
  return quoted({ assetsRaw, sharesRaw })
}
