import { POOL_SEED_RAW, type PoolRefusal } from '../../schemas/pool/record.ts'
import { type Quoted, quoted, refused } from '../common/quotes.ts'
import { convertToAssets, convertToShares, type PoolCaps, type ShareBook, sharesToRedeem, valueAfterDeposit } from './shares.ts'

/** The deposit pool and one wallet's shares at one block, base units. */
export interface PoolPosition extends ShareBook {
  caps: PoolCaps
  /** Shares of the operator, which no call redeems. */
  seedRaw: bigint
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

/**
 * Refuses every transaction on a pool below its seed, where a donation could make one share so expensive that a deposit loses to rounding. Above
 * it one share is worth at most the cap of the pool, divided by the seed.
 */
export const quoteSeed = (...pools: readonly Pick<PoolPosition, 'seedRaw'>[]): Quoted<true, 'PoolBelowSeed'> => {
  const below = pools.find(({ seedRaw }) => seedRaw < POOL_SEED_RAW)
  return below === undefined ? quoted(true) : refused('PoolBelowSeed', { required: POOL_SEED_RAW, available: below.seedRaw })
}

/** Largest part of a value that a transaction may lose to rounding: one in a thousand. */
const LOSS_DIVISOR = 1_000n

/** Refuses a quote that loses too much. Value and receipt are in parts of a base unit. */
const limitLoss = (quote: ShareQuote, value: bigint, received: bigint, parts: bigint): Quoted<ShareQuote, 'LossTooHigh'> => {
  if ((value - received) * LOSS_DIVISOR <= value) return quoted(quote)
  const [valueRaw, receivedRaw] = [(value + parts - 1n) / parts, received / parts]
  return refused('LossTooHigh', { value: valueRaw, received: receivedRaw, loss: valueRaw - receivedRaw })
}

/** A deposit, unless its shares are worth too much less than it. */
export const limitDepositLoss = (book: ShareBook, quote: ShareQuote): Quoted<ShareQuote, 'LossTooHigh'> =>
  limitLoss(quote, quote.assetsRaw, valueAfterDeposit(book, 0n, quote.assetsRaw, quote.sharesRaw), 1n)

/** A withdrawal, unless it pays too much less than its shares are worth. Who redeems all `available` shares cannot name more, and is paid. */
export const limitWithdrawalLoss = (
  { managedRaw, supplyRaw }: ShareBook,
  quote: ShareQuote,
  available: bigint,
): Quoted<ShareQuote, 'LossTooHigh'> =>
  quote.sharesRaw === available ? quoted(quote) : limitLoss(quote, quote.sharesRaw * managedRaw, quote.assetsRaw * supplyRaw, supplyRaw)

/** Shares for a deposit by the wallet for itself. Refusals stand in the order of the contract, then the wallet's own tokens and the loss. */
export const quotePoolDeposit = (pool: PoolPosition, assetsRaw: bigint): Quoted<ShareQuote, PoolRefusal> => {
  if (assetsRaw === 0n) return refused('ZeroAmount', {})
  const attempted = pool.managedRaw + assetsRaw
  if (attempted > pool.caps.totalRaw) return refused('TotalAssetCapExceeded', { attempted, cap: pool.caps.totalRaw })
  const sharesRaw = convertToShares(pool, assetsRaw)
  if (sharesRaw === 0n) return refused('ZeroShares', { assets: assetsRaw })
  const held = valueAfterDeposit(pool, pool.balanceRaw, assetsRaw, sharesRaw)
  if (held > pool.caps.perHolderRaw) return refused('AgentAssetCapExceeded', { attempted: held, cap: pool.caps.perHolderRaw })
  if (assetsRaw > pool.walletRaw) return refused('InsufficientBalance', { required: assetsRaw, available: pool.walletRaw })
  return limitDepositLoss(pool, { assetsRaw, sharesRaw })
}

/** A withdrawal by assets or by shares, base units. */
export type PoolWithdrawal = { assetsRaw: bigint } | { sharesRaw: bigint }

/** Assets for shares that the wallet redeems to itself. Refusals stand in the order of the contract, then the loss. */
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
  return limitWithdrawalLoss(pool, { assetsRaw, sharesRaw }, available)
}
