import type { ArbitrationVerdict, RoundVerdict } from '../sessions/verdicts.ts'

/** Words a caller may decide an arbitration with, and what each stands for. Source: lifecycle, "Disputes". */
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

export const VERDICT_WORDS = Object.keys(VERDICT_SPELLINGS) as (keyof typeof VERDICT_SPELLINGS)[]

/** Bounds of the reasons for a verdict, in characters: the shortest of an arbitration and of a review, and the longest of both. */
export const RATIONALE = { arbitration: 20, review: 10, longest: 4_000 } as const

/** `review`: people complete a verdict, the escrow is Submitted. `arbitration`: the escrow is Disputed, or on its way there. */
export const DISPUTE_STAGES = ['review', 'arbitration'] as const
export type DisputeStage = (typeof DISPUTE_STAGES)[number]

/**
 * Who brought it about: a verdict that people must complete, worker or poster on chain, an operator who overturned a rejection, or the
 * service itself after a review nobody answered.
 */
export const DISPUTE_ORIGINS = ['review', 'participant', 'operator', 'platform'] as const
export type DisputeOrigin = (typeof DISPUTE_ORIGINS)[number]

/** Whose word decided a round. `verifier`: a machine's later verdict; `silence`: the default; `chain`: a transaction the service did not send. */
export const VERDICT_SOURCES = ['arbitrator', 'reviewer', 'verifier', 'silence', 'chain'] as const
export type VerdictSource = (typeof VERDICT_SOURCES)[number]

/** What happens when nobody says anything. */
export type Silence =
  /** The rejection is final, the bond is slashed. */
  | 'finalize_rejection'
  /** Half of what is left to the worker, whose bond comes back: the platform's silence slashes nobody (decision 24). */
  | 'split_half'
  /** Without an arbitrator key: the dispute is opened on chain, whose own fourteen days follow. */
  | 'open_on_chain'
  /** The contract's rule: half of what is left, the bond is slashed. */
  | 'contract_timeout'

/** Where the split's amount came from. */
export type PayoutSource = 'default_half_remaining' | 'operator_supplied'

/** An unsigned `resolveDispute` for an arbitrator whose key the service does not hold. */
export interface Preparation {
  /** Names this very preparation; whoever replaces it names the one that it replaces. */
  preparationId: string
  preparedAt: string
  transaction: { to: string; data: string; value: '0'; chainId: number; function: string; args: string[] }
}

/** What the chain showed at the end of a round. */
export interface ObservedVerdict {
  verdict: RoundVerdict
  workerPayoutRaw: string
  /** Who sent it; lower case. */
  by: string
  txHash: string
  /** ISO 8601, block time. */
  at: string
  /** The chain shows another word than the one that was decided; the chain's counts. */
  mismatch: boolean
}

/** The word that decided a round: the row exists once per round, whoever comes later is refused. */
export interface RoundDecision {
  round: number
  source: VerdictSource
  verdict: RoundVerdict
  reasonCode: string
  /** Null where no amount is decided (a review). */
  workerPayoutRaw: bigint | null
  payoutSource: PayoutSource | null
  /** Content hash of the rationale; null for a default and for the chain's own. */
  reasoningHash: string | null
  /** Verdict row of a review; null for an arbitration. */
  verificationId: string | null
  /** Lower-case wallet, the name that an operator gave in a signal, or `system:…`. */
  decidedBy: string
  /** Id of the request that gave the word; null for a signal, a default and the chain's own. */
  decisionRequestId: string | null
  decidedAt: number
  preparation: Preparation | null
  observed: ObservedVerdict | null
}

/** A dispute as its row gives it. Instants in epoch ms, sums in base units. */
export interface DisputeRecord {
  disputeId: string
  sessionId: string
  jobId: string
  chainJobId: string
  /** The worker; lower case. */
  claimant: string
  /** The poster; null when it is not known. */
  respondent: string | null
  stage: DisputeStage
  origin: DisputeOrigin
  /** Counts how often it was opened: a review that ended in a rejection may be followed by an arbitration. */
  round: number
  status: 'open' | 'resolved'
  /** Why it was opened. */
  reasonCode: string
  openedAt: number
  /** End of the arbitration SLA. */
  deadlineAt: number
  /** Unreleased reward at the opening. */
  remainingRaw: bigint
  /** Address of the arbitrator key the service holds; null without one. */
  arbitrator: string | null
  evidence: { before: object; after: object }
  /** keccak256 of the canonical evidence. */
  evidenceHash: string
  lastAlarmAt: number | null
  updatedAt: number
}
