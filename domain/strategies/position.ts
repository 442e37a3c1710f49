import { hexToBytes } from 'viem/utils'
import type { YieldState } from '../../schemas/strategies/record.ts'
import type { Hex } from '../common/hashes.ts'

/** A registered strategy at one block; amounts in base units of its asset. */
export interface Strategy {
  strategyId: Hex
  adapter: Hex
  asset: { symbol: string; address: Hex; decimals: number }
  riskLabel: string
  /** False also where the policy withdrew its approval of the adapter. */
  active: boolean
  totalAssetsRaw: bigint
  totalSharesRaw: bigint
  /** Deposits of all accounts that an asynchronous adapter has not settled; null for an adapter that answers at once. */
  unsettledRaw: bigint | null
}

/** What the account contract records of one wallet in a strategy. */
export interface StrategyHolding {
  strategy: Strategy
  sharesRaw: bigint
  /** Value of the shares when they changed last. */
  markedRaw: bigint
  /** Shares on their way out. */
  pendingSharesRaw: bigint
  /** Assets of this kind on their way into any strategy. */
  pendingOfAssetRaw: bigint
}

const isPrintable = (byte: number): boolean => byte >= 0x20 && byte <= 0x7e

/** Name in a strategy id: its ASCII text without the zeros that fill it up; the id itself if it holds no such text. */
export const strategyLabel = (strategyId: Hex): string => {
  const bytes = hexToBytes(strategyId)
  const text = bytes.slice(0, bytes.findLastIndex((byte) => byte !== 0) + 1)
  return text.length > 0 && text.every(isPrintable) ? String.fromCharCode(...text) : strategyId
}

/** Value of the shares now, rounded down as the account contract does. */
export const valueOfShares = ({ totalAssetsRaw, totalSharesRaw }: Strategy, sharesRaw: bigint): bigint =>
  totalSharesRaw === 0n ? 0n : (sharesRaw * totalAssetsRaw) / totalSharesRaw

/** Whether a position is worth more than at its last mark. The figures of an adapter without approval prove nothing. */
export const yieldState = ({ strategy, sharesRaw, markedRaw }: StrategyHolding): YieldState => {
  if (!strategy.active) return 'unknown'
  return valueOfShares(strategy, sharesRaw) > markedRaw ? 'earning' : 'not_yet_earning'
}

/**
 * Assets of a wallet on their way into a strategy. The account contract counts them by asset: with several asynchronous strategies of the
 * asset they belong to the only one that waits for deposits, and are null if more than one does.
 */
export const pendingDepositRaw = ({ strategy, pendingOfAssetRaw }: StrategyHolding, all: readonly Strategy[]): bigint | null => {
  if (strategy.unsettledRaw === null || pendingOfAssetRaw === 0n) return 0n
  const sameAsset = all.filter(({ asset, unsettledRaw }) => unsettledRaw !== null && asset.address === strategy.asset.address)
  const waiting = sameAsset.length === 1 ? sameAsset : sameAsset.filter(({ unsettledRaw }) => unsettledRaw !== 0n)
  const [only] = waiting
  if (only === undefined || waiting.length > 1) return null
  return only.strategyId === strategy.strategyId ? pendingOfAssetRaw : 0n
}
