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

/** Amounts of `GET /account`: maps from asset symbol to balance amount, empty for an unknown wallet. */
export const balanceSheetView = ({ symbol, decimals, position, isKnown }: AssetPosition) => {
  const isServed = isKnown || Object.values(position).some((raw) => raw !== 0n)
  const shown = (raw: bigint) => (isServed ? { [symbol]: amount({ raw, decimals }) } : {})
  return {
    liquid: shown(position.liquid),
    reserved: shown(position.reserved),
    strategyAllocated: shown(position.strategyAllocated),
    collateralLocked: shown(position.collateralLocked),
    jobStakeLocked: shown(position.jobStakeLocked),
    debtOutstanding: shown(position.debtOutstanding),
    lockedDepositEncumbered: shown(0n),
    withdrawable: shown(spendableRaw(position)),
  }
}
