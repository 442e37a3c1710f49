import { plusSeconds } from '../common/instants.ts'
import { minRaw } from '../common/money.ts'
import { type StrategyTotals, valueOfShares } from '../strategies/position.ts'

/** Tries to settle before an operator is needed. Source: money, "Cross-chain requests". */
export const SETTLEMENT_TRIES = 5
const FIRST_PAUSE_SECONDS = 15
const LONGEST_PAUSE_SECONDS = 5 * 60
/** Pause between two looks at a request that another party settles, s. */
export const MANAGED_PAUSE_SECONDS = 5 * 60

/** Instant of the try after the failed try `tries` (from 1); epoch ms. The pause doubles from 15 s to 5 min. */
export const nextTry = (now: number, tries: number): number =>
  plusSeconds(now, Math.min(FIRST_PAUSE_SECONDS * 2 ** (tries - 1), LONGEST_PAUSE_SECONDS))

/** Shares of a deposit that the adapter accepts, rounded down; the first deposit sets the price to 1. */
export const sharesOfDeposit = (assetsRaw: bigint, { totalAssetsRaw, totalSharesRaw }: StrategyTotals): bigint =>
  totalSharesRaw === 0n ? assetsRaw : (assetsRaw * totalSharesRaw) / totalAssetsRaw

/** Request whose amount has arrived at its destination. */
export interface ArrivedRequest {
  kind: 'deposit' | 'withdraw'
  requestedSharesRaw: bigint
  arrivedRaw: bigint
}

/** Amounts with which the adapter settles a success: a withdrawal pays at most what its shares are worth. */
export const settledAmounts = ({ kind, requestedSharesRaw, arrivedRaw }: ArrivedRequest, totals: StrategyTotals) =>
  kind === 'deposit'
    ? { assetsRaw: arrivedRaw, sharesRaw: sharesOfDeposit(arrivedRaw, totals) }
    : { assetsRaw: minRaw(arrivedRaw, valueOfShares(totals, requestedSharesRaw)), sharesRaw: requestedSharesRaw }
