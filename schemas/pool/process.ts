import { defineQuery, defineSignal } from '@temporalio/workflow'
import type { VestingUnreadReason } from './record.ts'

/** Workflow id of the vesting of a wallet (lower case). */
export const vestingWorkflowId = (wallet: string): string => `vesting/${wallet}`

/** Start arguments of a wallet's vesting. */
export interface VestingInput {
  v: 1
  /** Lower case. */
  wallet: string
}

/** A tranche as the process shows it; the amount with its symbol, the instant in ISO 8601. */
interface NextTranche {
  at: string
  /** When to read again: later than `at` by the delay of the records, so that no withdrawal before `at` is missed. */
  readAt: string
  amount: string
  txHash: string
}

/** Where the vesting of a wallet stands by the records, or why the records do not tell. */
export type VestingProgress =
  | {
      kind: 'vesting'
      /** Number of tranches that have not vested in full. */
      waiting: number
      /** Principal of all deposits, less what withdrawals took, with its symbol. */
      principal: string
      /** Principal that has vested, with its symbol. */
      vested: string
      /** Null while an open loan delays every tranche that waits, and when none waits. */
      next: NextTranche | null
    }
  | { kind: 'unread'; reason: VestingUnreadReason }

export interface VestingActivities {
  /**
   * Reads the wallet's vesting and announces, once each, the tranches that have vested in full as far as the records reach. Records more than a
   * minute behind tell nothing.
   */
  advanceVesting(input: { wallet: string }): Promise<VestingProgress>
}

/** The chain follower sends it after a recorded event that changes the wallet's vesting, and after the removal of one. */
export const depositsMoved = defineSignal('depositsMoved')

/** Where the vesting stands; null before the first reading. */
export const vestingProgress = defineQuery<VestingProgress | null>('vestingProgress')
