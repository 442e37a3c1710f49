import type { RoundVerdict } from '../sessions/verdicts.ts'

/** `review`: a reviewer decides and the escrow is Submitted. `arbitration`: the escrow is Disputed, or the service is opening the dispute. */
export const DISPUTE_STAGES = ['review', 'arbitration'] as const
export type DisputeStage = (typeof DISPUTE_STAGES)[number]

/**
 * Who opened it. `review`: a verdict that needs a reviewer. `participant`: worker or poster on chain. `operator`: overturned a rejection.
 * `platform`: the service after an unanswered review.
 */
export const DISPUTE_ORIGINS = ['review', 'participant', 'operator', 'platform'] as const
export type DisputeOrigin = (typeof DISPUTE_ORIGINS)[number]

/** Who decided a round. `verifier`: a handler's later verdict; `timeout`: a deadline passed; `chain`: a transaction that the service did not send. */
export const VERDICT_SOURCES = ['arbitrator', 'reviewer', 'verifier', 'timeout', 'chain'] as const
export type VerdictSource = (typeof VERDICT_SOURCES)[number]

/** Source of a split's amount. */
export const PAYOUT_SOURCES = ['default_half_remaining', 'default_base_unit', 'operator_supplied'] as const
export type PayoutSource = (typeof PAYOUT_SOURCES)[number]

/** Verdict on chain at the end of a round. */
export type ObservedVerdict = {
  verdict: RoundVerdict
  workerPayoutRaw: string
  /** Sender, lower case. */
  by: string
  txHash: string
  /** ISO 8601, block time. */
  at: string
  /** True when it differs from the recorded decision; the verdict on chain counts. */
  mismatch: boolean
}

/** A run of the profile that a verdict of an arbitrator rests on. */
export type DisputeProof = {
  round: number
  outcome: 'approved' | 'rejected'
  reasonCode: string
  detail: string
  /** ISO 8601. */
  ranAt: string
}
