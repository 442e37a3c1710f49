import { post, wait } from '../../schemas/common/error-row.ts'
import type { NextAction } from '../../schemas/errors.ts'
import type { PlaceName } from '../../schemas/strategies/record.ts'
import { amount } from '../common/money.ts'
import { type StrategyHolding, strategyLabel, valueOfShares } from './position.ts'

/** Path of the builder that takes balance out of strategies. */
export const RECALL_PATH = '/account/recall/transactions'

/** Money of a wallet at one place, base units of the settlement asset, and what brings it home. */
export interface Place {
  place: PlaceName
  id: string | null
  raw: bigint
  nextActions: NextAction[]
}

/** A row of the table of places. */
export const placeView = ({ raw, ...place }: Place, decimals: number) => ({ ...place, amount: amount({ raw, decimals }) })

const placeOf = ({ strategy, sharesRaw }: StrategyHolding): Place => {
  const { strategyId, active, unsettledRaw } = strategy
  const label = strategyLabel(strategyId)
  const recall = post(RECALL_PATH, `Bring what ${label} holds back to the account.`)
  const later = 'Only the operator of this strategy can settle a withdrawal: ask the operator.'
  const stopped = 'The strategy is not approved now, so the account contract takes no call for it: ask the operator.'
  const action = unsettledRaw === null ? (active ? recall : wait(stopped)) : wait(later)
  return { place: 'strategy', id: strategyId, raw: valueOfShares(strategy, sharesRaw), nextActions: [action] }
}

/** Where the balance of a wallet lies outside its account: one row a strategy of the asset, and what is on its way into one. */
export const strategyPlaces = (holdings: readonly StrategyHolding[], asset: string): Place[] => {
  const own = holdings.filter(({ strategy }) => strategy.asset.address === asset.toLowerCase())
  const pending: Place = {
    place: 'strategy_deposit_pending',
    id: null,
    raw: own[0]?.pendingOfAssetRaw ?? 0n,
    nextActions: [wait('It becomes shares of the strategy, or returns to the account, when the operator settles the request.')],
  }
  return [...own.map(placeOf), pending].filter(({ raw }) => raw > 0n)
}
