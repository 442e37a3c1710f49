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

/** What the account contract lets its owner withdraw, base units: liquid less debt, never below zero. */
export const withdrawableRaw = ({ liquid, debtOutstanding }: Position): bigint => floorSubtract(liquid, debtOutstanding)

/** What a wallet owes: its loans of the credit pool and the debt of its account, base units; null while the pool's is unread. */
export const owedRaw = (poolDebtRaw: bigint | null, { debtOutstanding }: Position): bigint | null =>
  poolDebtRaw === null ? null : poolDebtRaw + debtOutstanding

/** Balance that the service lets a wallet spend or withdraw, base units: what the contract allows less what locked deposits bind. */
export const spendableRaw = (position: Position, encumberedRaw = 0n): bigint => floorSubtract(withdrawableRaw(position), encumberedRaw)
