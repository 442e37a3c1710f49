import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow'
import type { LockStatus, ReleaseReason } from './record.ts'

/** Workflow id of a locked deposit. */
export const lockedDepositWorkflowId = (id: string): string => `locked-deposit/${id}`

/** Signed consent from which a lock is made. */
export interface LockConsent {
  signature: string
  requestId: string
}

/** Start arguments of a locked deposit. */
export interface LockedDepositInput {
  v: 1
  /** Hash of the terms. */
  id: string
  /** Null for a run that continues a recorded lock. */
  consent: LockConsent | null
}

/** Where a lock stands by the records. */
export interface LockProgress {
  status: LockStatus
  /** ISO 8601: when time alone ends it, or when it was released. */
  until: string
  /** With its symbol. */
  amount: string
  wallet: string
  tier: string
  releaseReason: ReleaseReason | null
}

/** Database steps of a locked deposit. */
export interface LockRecordActivities {
  /** Records what time has ended, once, and answers where the lock stands. */
  advanceLock(input: { id: string }): Promise<LockProgress>
  /** Begins the early exit that the wallet asked for; one that has begun, or is over, stays as it is. */
  exitLock(input: { id: string }): Promise<void>
}

/** Steps of a locked deposit that read the chain. */
export interface LockChainActivities {
  /** Makes the lock of a consent: checks balance, debt and caps at the newest block, and records lock and consent. A repeat changes nothing. */
  openLock(input: { id: string } & LockConsent): Promise<void>
  /** Begins the exit of a lock whose wallet holds less than its locks bind. */
  exitUncoveredLock(input: { id: string }): Promise<void>
}

/** Resolves when the lock is recorded; fails with the code of the refusal. */
export const lockOpenedUpdate = defineUpdate<void, [{ requestId: string }]>('lockOpened')

/** Begins the early exit; resolves when it is recorded. */
export const requestExitUpdate = defineUpdate<void, [{ requestId: string }]>('requestExit')

/** The chain follower sends it after an event that changes the wallet's balance in the account contract. */
export const balanceMoved = defineSignal('balanceMoved')

/** Where the lock stands; null before it is recorded. */
export const lockProgress = defineQuery<LockProgress | null>('lockProgress')
