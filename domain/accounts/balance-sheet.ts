import { type Position, spendableRaw } from '../chain/account-position.ts'
import { amount } from '../common/money.ts'

/** Position of a wallet in one asset. */
export interface AssetPosition {
  symbol: string
  decimals: number
  position: Position
  /** Bound by locked deposits. */
  encumberedRaw: bigint
}

/** The six balances of a position, each as `toAmount` gives it. */
export const positionAmounts = <Amount>(position: AssetPosition['position'], toAmount: (raw: bigint) => Amount) => ({
  liquid: toAmount(position.liquid),
  reserved: toAmount(position.reserved),
  strategyAllocated: toAmount(position.strategyAllocated),
  collateralLocked: toAmount(position.collateralLocked),
  jobStakeLocked: toAmount(position.jobStakeLocked),
  debtOutstanding: toAmount(position.debtOutstanding),
})

/** Amounts of `GET /account`: maps from asset symbol to amount; zeros for a wallet without a record. */
export const balanceSheetView = ({ symbol, decimals, position, encumberedRaw }: AssetPosition) => {
  const toAmount = (raw: bigint) => ({ [symbol]: amount({ raw, decimals }) })
  return {
    ...positionAmounts(position, toAmount),
    lockedDepositEncumbered: toAmount(encumberedRaw),
    withdrawable: toAmount(spendableRaw(position, encumberedRaw)),
  }
}
