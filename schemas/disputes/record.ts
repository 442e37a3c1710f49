import type { z } from 'zod'
import type { Tables } from '../entities/tables.ts'
import type { ArbitrationVerdict, RoundVerdict } from '../sessions/verdicts.ts'
import type { PreparationShape } from './shapes.ts'

/** Accepted names of an arbitration's verdicts, with the verdict of each. Source: lifecycle, "Disputes". */
export const VERDICT_SPELLINGS = {
  upheld: 'upheld',
  uphold: 'upheld',
  dismissed: 'dismissed',
  dismiss: 'dismissed',
  split: 'split',
  partial: 'split',
  timeout: 'timeout',
  arb_timeout: 'timeout',
} as const satisfies Record<string, ArbitrationVerdict>

export const VERDICT_NAMES = Object.keys(VERDICT_SPELLINGS) as (keyof typeof VERDICT_SPELLINGS)[]

/** Bounds of a rationale in characters: shortest of an arbitration, shortest of a review, longest of both. */
export const RATIONALE = { arbitration: 20, review: 10, longest: 4_000 } as const

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

/** Outcome when the deadline of a stage passes without a decision. */
export type TimeoutOutcome =
  /** The rejection becomes final and the bond is slashed. */
  | 'finalize_rejection'
  /** The worker gets half of the remaining reward and the bond: a time-out of the platform never slashes. */
  | 'split_half'
  /** Without an arbitrator key the service opens the dispute on chain, which starts the contract's fourteen days. */
  | 'open_on_chain'
  /** The contract's time-out pays half of the remaining reward and slashes the bond. */
  | 'contract_timeout'

/** Source of a split's amount. */
export type PayoutSource = 'default_half_remaining' | 'operator_supplied'

/** Unsigned `resolveDispute` transaction for an arbitrator whose key is not in the service. */
export type Preparation = z.infer<typeof PreparationShape>

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

/** Decision of a round, one row per round; later requests are refused. */
export type RoundDecision = Omit<Tables['dispute_verdict'], 'disputeId'>

/** Row of a dispute. Instants in epoch ms, sums in base units. */
export type DisputeRecord = Tables['dispute']
