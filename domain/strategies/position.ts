import type { YieldState } from '../../schemas/strategies/record.ts'
import type { Hex } from '../common/hashes.ts'
import { textOfBytes32 } from '../common/text.ts'

/** Assets and shares of a strategy, base units of its asset. */
export interface StrategyTotals {
  totalAssetsRaw: bigint
  totalSharesRaw: bigint
}

/** A registered strategy at one block; amounts in base units of its asset. */
export interface Strategy extends StrategyTotals {
  strategyId: Hex
  adapter: Hex
  asset: { symbol: string; address: Hex; decimals: number }
  riskLabel: string
  /** False also where the policy withdrew its approval of the adapter. */
  active: boolean
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

/** Name in a strategy id: its ASCII text; the id itself if it holds no such text. */
export const strategyLabel = (strategyId: Hex): string => textOfBytes32(strategyId) ?? strategyId

/** Value of the shares now, rounded down as the account contract and the adapters do. */
export const valueOfShares = ({ totalAssetsRaw, totalSharesRaw }: StrategyTotals, sharesRaw: bigint): bigint =>
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
