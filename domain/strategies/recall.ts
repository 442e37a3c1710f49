import type { RecallRefusal } from '../../schemas/strategies/record.ts'
import { type Quoted, quoted, refused } from '../common/quotes.ts'
import { type StrategyHolding, strategyLabel, valueOfShares } from './position.ts'

const valueOfHolding = ({ strategy, sharesRaw }: StrategyHolding): bigint => valueOfShares(strategy, sharesRaw)

/** Holdings that a wallet can take back by its own call: those with a value, in strategies that pay back at once. */
const recallable = (holdings: readonly StrategyHolding[]): StrategyHolding[] =>
  holdings.filter((holding) => holding.strategy.unsettledRaw === null && valueOfHolding(holding) > 0n)

/** The holding that a recall is about; without an id the only one. The amounts of a refusal name the strategies. */
export const chooseHolding = (
  holdings: readonly StrategyHolding[],
  strategyId: string | undefined,
): Quoted<StrategyHolding, RecallRefusal> => {
  const [found, ...others] = recallable(holdings).filter(({ strategy }) => strategyId === undefined || strategy.strategyId === strategyId)
  if (found === undefined) return refused('nothing_to_recall', {})
  if (others.length === 0) return quoted(found)
  const named = [found, ...others].map((holding) => [strategyLabel(holding.strategy.strategyId), valueOfHolding(holding)])
  return refused('strategy_not_named', Object.fromEntries(named))
}

export interface RecallQuote {
  amountRaw: bigint
  allocatedRaw: bigint
}

/** A recall of so much, null for everything; `payableRaw` is what the strategy can pay now. Refusals stand in the order of the contract. */
export const quoteRecall = (holding: StrategyHolding, amountRaw: bigint | null, payableRaw: bigint): Quoted<RecallQuote, RecallRefusal> => {
  if (!holding.strategy.active) return refused('strategy_inactive', {})
  const allocatedRaw = valueOfHolding(holding)
  const wantedRaw = amountRaw ?? allocatedRaw
  if (wantedRaw > allocatedRaw) return refused('amount_exceeds_allocated', { requested: wantedRaw, allocated: allocatedRaw })
  if (wantedRaw > payableRaw) return refused('strategy_short', { requested: wantedRaw, available: payableRaw })
  return quoted({ amountRaw: wantedRaw, allocatedRaw })
}
