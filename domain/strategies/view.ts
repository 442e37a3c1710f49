import { iso } from '../common/instants.ts'
import { amount } from '../common/money.ts'
import { pick } from '../common/pick.ts'
import { pendingDepositRaw, type Strategy, type StrategyHolding, strategyLabel, valueOfShares, yieldState } from './position.ts'

/** Block of a reading, with its time in epoch ms. */
export interface ReadAt {
  number: bigint
  time: number
}

const headOf = (strategy: Strategy) => ({
  ...pick(strategy, 'strategyId', 'adapter', 'asset', 'riskLabel', 'active'),
  label: strategyLabel(strategy.strategyId),
})

/** A row of `GET /strategies`. */
export const strategyView = (strategy: Strategy, { number, time }: ReadAt) => {
  const { asset, unsettledRaw, totalAssetsRaw, totalSharesRaw } = strategy
  const { decimals } = asset
  return {
    ...headOf(strategy),
    async: unsettledRaw !== null,
    totalAssets: amount({ raw: totalAssetsRaw, decimals }),
    totalShares: amount({ raw: totalSharesRaw, decimals }),
    asOf: { block: number.toString(), at: iso(time) },
  }
}

/** Where the yield of a position is read. */
const YIELD_SOURCE = 'adapter.totalAssets and totalShares beside strategyAllocationValues of the account contract'

/** A row of `GET /account/strategies`; null for a strategy in which the wallet has nothing. `all` are the registered strategies. */
export const holdingView = (holding: StrategyHolding, all: readonly Strategy[], { time }: ReadAt) => {
  const { strategy, sharesRaw, pendingSharesRaw } = holding
  const { decimals } = strategy.asset
  const pendingRaw = pendingDepositRaw(holding, all)
  if (sharesRaw === 0n && pendingSharesRaw === 0n && pendingRaw === 0n) return null
  return {
    ...headOf(strategy),
    shares: amount({ raw: sharesRaw, decimals }),
    assets: amount({ raw: valueOfShares(strategy, sharesRaw), decimals }),
    pendingDeposit: pendingRaw === null ? null : amount({ raw: pendingRaw, decimals }),
    pendingWithdraw: amount({ raw: pendingSharesRaw, decimals }),
    yieldPosture: { status: yieldState(holding), source: YIELD_SOURCE, asOf: iso(time) },
  }
}
