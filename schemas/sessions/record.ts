import type { z } from 'zod'
import type { ChainJobState } from '../chain/job-state.ts'
import type { AssetAmount } from '../operations/values.ts'
import type { ResolutionKind, RoundVerdict } from './verdicts.ts'

/** Every stored status of a session. "pending" is not one of them: a claim that still converges has no session row yet. */
export const SESSION_STATUSES = [
  'claimed',
  'submitted',
  'disputed',
  'rejected',
  'resolved',
  'closed',
  'expired',
  'timed_out',
  'chain_state_diverged',
] as const
export type SessionStatus = (typeof SESSION_STATUSES)[number]

/** Who or what a session waits for. `worker`: to submit, or to dispute a rejection; `chain`: a transaction of the service. */
export const WAITING_FOR = ['worker', 'chain', 'verifier', 'pull_request', 'reviewer', 'arbitrator', 'operator'] as const
export type WaitingFor = (typeof WAITING_FOR)[number]

/** What an undecided pull request waits for. Source: lifecycle, "Review loop". */
export const DISPOSITIONS = ['waiting_for_merge', 'operator_review', 'awaiting_evidence'] as const
export type Disposition = (typeof DISPOSITIONS)[number]

/** Why a submission has no final verdict: it waits for its verifier, for people, or for a change of its pull request. */
export const REVIEW_DISPOSITIONS = ['awaiting_verdict', 'human_review', ...DISPOSITIONS] as const
export type ReviewDisposition = (typeof REVIEW_DISPOSITIONS)[number]

/** Protocols that have accessed a session. */
export type SessionProtocol = 'http' | 'mcp'

/** One appended transition. `from` is null for the first; `at` is epoch ms. */
export interface StatusHistoryEntry {
  from: SessionStatus | null
  to: SessionStatus
  /** Reason code, for example job_claimed, work_submitted, claim_ttl_expired. */
  reason: string
  at: number
  /** Service time of the record, epoch ms, where `at` is the time of a block; else null. */
  recordedAt?: number | null
  metadata: Record<string, unknown>
}

/** Columns with the instants (epoch ms) of the transitions; null until they happen. */
export const SESSION_TIMESTAMPS = [
  'claimedAt',
  'submittedAt',
  'resolvedAt',
  'rejectedAt',
  'disputedAt',
  'closedAt',
  'expiredAt',
  'timedOutAt',
  'chainStateDivergedAt',
  'rejectionFinalizedAt',
] as const
export type SessionTimestamps = { claimedAt: number } & Record<Exclude<(typeof SESSION_TIMESTAMPS)[number], 'claimedAt'>, number | null>

/** Claim economics of a preflight, or locked on chain for a session, in base units of `asset`. */
export interface SessionEconomics {
  asset: { symbol: string; decimals: number }
  rewardRaw: bigint
  claimStakeRaw: bigint
  claimStakeBps: number
  claimFeeRaw: bigint
  claimFeeBps: number
  /** Ordinal of the wallet's claims, which decides the waiver. */
  claimNumber: number
  waived: boolean
  /** True when the operator paid the gas of the claim. */
  brokered: boolean
  /** From the escrow's `retainsClaimFeeOnSuccess()`. */
  claimFeeRetainedOnSuccess: boolean
  /** True when the escrow generation supports gas retention. */
  gasRetentionSupported: boolean
  /** Part of the reward kept for gas on approval. */
  gasRetainedRaw: bigint
}

/** Evidence of the gates at the admission, as JSON of the evaluator. */
export type SessionAdmission = Record<
  | 'workerExposure'
  | 'dailyExposure'
  | 'dailyAllowance'
  | 'catalogueAccess'
  | 'catalogueDailyBudget'
  | 'onboardingSubsidy'
  | 'claimantAttribution'
  | 'tierGate'
  | 'priorityQualification',
  Record<string, unknown> | null
>

/** Terms pinned at the claim (`job-snapshot-v1`), the only terms of every later step. Plain JSON, as stored and served. */
export interface JobSnapshot {
  version: 'job-snapshot-v1'
  /** ISO 8601. */
  capturedAt: string
  jobId: string
  definition: Record<string, unknown>
  definitionHash: string
  specDefinition: Record<string, unknown>
  specHash: string
  outputSchema: { ref: string; schema: Record<string, unknown>; schemaHash: string }
  verifierConfigSnapshot: Record<string, unknown>
  verifierConfigHash: string
  verifierPolicyVersion: number
  verifierConfigVersion: number
  handlerVersion: number
  chainId: number
  escrowAddress: string
  claimEconomics: Record<string, unknown>
  specSource: 'chain_verified' | 'chain_unavailable_fail_open'
}

/** Badge fields pinned at claim. `rewardAmount` is a decimal string in whole units, `rewardAmountRaw` the same in base units. */
export interface BadgeSnapshot {
  category: string
  tier: string
  rewardAsset: string
  rewardAmount: string
  rewardAmountRaw: string
  verifierMode: string
}

/** Normalised submission of the worker. */
export type SessionSubmission =
  | { kind: 'structured'; structured: Record<string, unknown>; evidenceText: string }
  | { kind: 'text'; rawText: string; evidenceText: string }

/** Public summary of the verification that decided the session. */
export interface VerificationSummary {
  outcome: string
  reasonCode: string
  handler: string
  escalatedFrom?: string | undefined
  handlerVersion: number
  verifierPolicyVersion: number
  verifierConfigVersion: number
}

/** End of a session's dispute on chain. */
export interface DisputeResolution {
  disputeId: string
  kind: ResolutionKind
  verdict: RoundVerdict
  /** Part of the remaining reward that the worker got, in basis points. */
  workerShareBps: number
  reasonCode: string
  workerPayout: z.infer<typeof AssetAmount>
  txHash: string
  /** ISO 8601, block time. */
  decidedAt: string
}

/** One entry of a dispute's timeline. */
export interface DisputeEntry {
  seq: number
  at: number
  actor: string
  action: string
  data: Record<string, unknown>
}

/** Who overturned a rejection, why and when (ISO 8601). */
export interface OperatorOverturn {
  by: string
  note: string
  at: string
}

/** Column `evidence` of a session: terms of the admission and later notes. */
export interface SessionEvidence {
  /** True for an external job, whose worker pays its own transactions. */
  external: boolean
  verifierMode: string
  claimTtlSeconds: number
  assetDecimals: number
  claimFeeRetainedOnSuccess: boolean
  gasRetentionSupported: boolean
  /** Base units, as digits. */
  gasRetainedRaw: string
  admission: SessionAdmission
  badgeSnapshot: BadgeSnapshot
  submitFailedAt: number | null
  /** Error code of the last submission that was accepted and then refused. */
  submitFailureCode?: string
}

/** A session: its columns, its evidence and its history, with the instants and the economics grouped. Instants in epoch ms, amounts in base units. */
export interface SessionRecord extends Omit<SessionEvidence, keyof SessionEconomics | 'assetDecimals'> {
  /** `<jobId>:<checksummed wallet>`, further attempts of the wallet with `:<n>`, n from 2. */
  sessionId: string
  jobId: string
  /** Lower case. */
  wallet: string
  /** Ordinal of this wallet's attempt on this job, from 1. */
  attempt: number
  /** bytes32 of the job on chain. */
  chainJobId: string
  /** Run of the claim, which takes the submission. */
  runId: string
  idempotencyKey: string
  protocolHistory: SessionProtocol[]
  /** Optimistic lock. */
  version: number
  status: SessionStatus
  /** Last escrow state that the service read; null before the first reading. */
  chainState: ChainJobState | null
  statusHistory: StatusHistoryEntry[]
  timestamps: SessionTimestamps
  /** The escrow's deadline (of its whole second): last instant at which a submission is accepted. */
  claimExpiresAt: number
  updatedAt: number
  /** Start of the submission's human review; null before the submission. */
  reviewEndsAt: number | null
  economics: SessionEconomics
  /** Reward plus estimated gas of the brokered claim; counts against the exposure limits. */
  exposureRaw: bigint
  /** False for a session that ended by platform fault, inconclusive verification or a failed brokered submission. */
  countsAsAttempt: boolean
  /** Lower case; null if unknown. */
  poster: string | null
  claimTxHash: string | null
  claimBlock: bigint | null
  jobSnapshot: JobSnapshot
  submission: SessionSubmission | null
  /** keccak256 of the canonical JSON of the submission. */
  evidenceHash: string | null
  submitTxHash: string | null
  verificationSummary: VerificationSummary | null
  verificationId: string | null
  /** Payout receipt, stored with the terminal status. */
  payoutTx: Record<string, unknown> | null
  claimReconciliation: Record<string, unknown> | null
  chainStateDivergence: Record<string, unknown> | null
  /** How an operator closed the session, with the observed chain state. */
  operatorClose: Record<string, unknown> | null
  disputeResolution: DisputeResolution | null
  humanReview: Record<string, unknown> | null
  operatorOverturn: OperatorOverturn | null
  /** Receipt of a session that was paid, finally rejected or ended by its dispute. */
  workReceiptId: string | null
}

/** Stage of a claim or submit that runs longer than its request. */
export const CLAIM_STAGES = ['admitting', 'creating_escrow_job', 'locking_bond', 'recording', 'submitting'] as const
export type ClaimStage = (typeof CLAIM_STAGES)[number]

/** An admitted claim without a recorded chain write, from `claim_intent` and the transaction journal. */
export interface PendingClaim {
  sessionId: string
  jobId: string
  wallet: string
  stage: ClaimStage
  /** Hash of the broadcast transaction of this stage; null before the broadcast. */
  txHash: string | null
  nonce: number | null
}
