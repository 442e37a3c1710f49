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

/** Spendable and withdrawable balance in base units: liquid less debt, never below zero. No deposit can be locked yet. */
export const spendableRaw = ({ liquid, debtOutstanding }: Position): bigint => floorSubtract(liquid, debtOutstanding)
