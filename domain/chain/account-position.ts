import { floorSubtract } from '../common/money.ts'

/** The six amounts of one wallet and asset, base units. Source: specification, "Account balance sheet". */
export interface Position {
  liquid: bigint
  reserved: bigint
  strategyAllocated: bigint
  collateralLocked: bigint
  jobStakeLocked: bigint
  debtOutstanding: bigint
}

/** Spendable and withdrawable balance in base units: liquid less debt less locked deposits, never below zero. */
export const spendableRaw = (position: Position, encumberedRaw: bigint): bigint =>
  floorSubtract(position.liquid, position.debtOutstanding + encumberedRaw)
