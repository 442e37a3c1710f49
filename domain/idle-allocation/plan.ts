import type { IdleMoveKind } from '../../schemas/idle-allocation/record.ts'
import { type Position, withdrawableRaw } from '../chain/account-position.ts'
import { floorSubtract, minRaw } from '../common/money.ts'
import { limitDepositLoss } from '../pool/quotes.ts'
import { convertToShares, type ShareBook } from '../pool/shares.ts'

/** Numbers of the allocation in base units of the settlement asset. Source: money, "Idle-balance allocation". */
export const IDLE_LIMITS = {
  /** Stays liquid for the wallet's own work. */
  workingCapitalRaw: 2_000_000n,
  smallestRaw: 500_000n,
  /** Largest movement, and what one wallet may allocate in one run. */
  largestRaw: 25_000_000n,
  /** Allocations of all wallets in one run. */
  runRaw: 100_000_000n,
} as const
/** Length of a run: what is left over is moved in the next one. */
export const IDLE_RUN_SECONDS = 3_600

export interface IdleFacts {
  position: Position
  /** Bound by locked deposits. */
  encumberedRaw: bigint
  /** What the wallet has in the strategy now. */
  allocatedRaw: bigint
  /** Price of the pool. */
  book: ShareBook
  /** What the pool still takes of the strategy. */
  poolHeadroomRaw: bigint
  /** What the pool can pay out at once. */
  poolBufferRaw: bigint
  run: IdleRun
}

/** Allocations in the last run, base units. */
export interface IdleRun {
  ofWalletRaw: bigint
  ofAllRaw: bigint
}

export interface IdleMove {
  kind: IdleMoveKind
  amountRaw: bigint
}

/**
 * The movement of a wallet: what exceeds its working capital goes to the strategy, what it lacks comes back. Null for none, and for an
 * allocation that would lose too much to rounding.
 */
export const planIdleMove = (facts: IdleFacts): IdleMove | null => {
  const { workingCapitalRaw, smallestRaw, largestRaw } = IDLE_LIMITS
  const freeRaw = withdrawableRaw(facts.position)
  const keptRaw = facts.encumberedRaw + workingCapitalRaw
  const lackingRaw = minRaw(floorSubtract(keptRaw, freeRaw), facts.allocatedRaw)
  const idleRaw = floorSubtract(freeRaw, keptRaw)
  const [kind, wantedRaw, possibleRaw] =
    lackingRaw > 0n
      ? (['recall', lackingRaw, facts.poolBufferRaw] as const)
      : (['allocate', idleRaw, minRaw(facts.poolHeadroomRaw, restOfRun(facts.run))] as const)
  const amountRaw = minRaw(minRaw(wantedRaw, possibleRaw), largestRaw)
  if (amountRaw < smallestRaw) return null
  const deposited = { assetsRaw: amountRaw, sharesRaw: convertToShares(facts.book, amountRaw) }
  return kind === 'allocate' && limitDepositLoss(facts.book, deposited).quote === null ? null : { kind, amountRaw }
}

const restOfRun = ({ ofWalletRaw, ofAllRaw }: IdleRun): bigint =>
  minRaw(floorSubtract(IDLE_LIMITS.largestRaw, ofWalletRaw), floorSubtract(IDLE_LIMITS.runRaw, ofAllRaw))
