import { type Position, spendableRaw } from '../chain/account-position.ts'
import { amount } from '../common/money.ts'

/** Position of a wallet in one asset. */
export interface AssetPosition {
  symbol: string
  decimals: number
  position: Position
  /** True for a wallet with other records; its zero amounts are served. */
  isKnown: boolean
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

/** Amounts of `GET /account`: maps from asset symbol to balance amount, empty for an unknown wallet. */
export const balanceSheetView = ({ symbol, decimals, position, isKnown }: AssetPosition) => {
  const isServed = isKnown || Object.values(position).some((raw) => raw !== 0n)
  const toAmount = (raw: bigint) => (isServed ? { [symbol]: amount({ raw, decimals }) } : {})
  return {
    ...positionAmounts(position, toAmount),
    lockedDepositEncumbered: toAmount(0n),
    withdrawable: toAmount(spendableRaw(position)),
  }
}
