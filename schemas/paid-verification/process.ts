import { defineQuery, defineSignal } from '@temporalio/workflow'
import type { RunState } from './record.ts'

/** Workflow id of a run; `runKey` is the SHA-256 of its id, which is a secret. */
export const verificationWorkflowId = (runKey: string): string => `verification/${runKey}`

/** Start arguments of a run. */
export interface VerificationInput {
  v: 1
  runKey: string
}

/** Where a run stands. */
export interface VerificationProgress {
  state: RunState
  /** ISO 8601: when its payment is looked at again; null when nothing is waited for. */
  nextAt: string | null
  /** For operators: what happened and what comes next. */
  details: string
  isOver: boolean
}

export interface VerificationActivities {
  /** Reads the payment again, runs the profile and stores its result, which stays hidden. A repeat of a finished one changes nothing. */
  executeRun(input: { runKey: string }): Promise<VerificationProgress>
  /** Takes the payment of a decisive result, or ends the run without a bill. It may be repeated at any time: the chain decides. */
  billRun(input: { runKey: string }): Promise<VerificationProgress>
}

/** The chain may have decided the payment, or the process was lost: it looks at once. */
export const settlementObserved = defineSignal('settlementObserved')

/** Where the run stands; null before its first step. */
export const verificationProgress = defineQuery<VerificationProgress | null>('verificationProgress')
