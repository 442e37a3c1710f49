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

/** Amounts of `GET /account`: maps from asset symbol to amount; zeros for a wallet without a record. */
export const balanceSheetView = ({ symbol, decimals, position, encumberedRaw }: AssetPosition) => {
  const inAsset = (raw: bigint) => ({ [symbol]: amount({ raw, decimals }) })
  return {
    liquid: inAsset(position.liquid),
    reserved: inAsset(position.reserved),
    strategyAllocated: inAsset(position.strategyAllocated),
    collateralLocked: inAsset(position.collateralLocked),
    jobStakeLocked: inAsset(position.jobStakeLocked),
    debtOutstanding: inAsset(position.debtOutstanding),
    lockedDepositEncumbered: inAsset(encumberedRaw),
    withdrawable: inAsset(spendableRaw(position, encumberedRaw)),
  }
}
