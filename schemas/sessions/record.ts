import type { ChainJobState } from '../chain/job-state.ts'
import type { RoundVerdict } from './verdicts.ts'

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

/** Protocols that have accessed a session. */
export type SessionProtocol = 'http' | 'mcp'

/** One appended transition. `from` is null for the first; `at` is epoch ms. */
export interface StatusHistoryEntry {
  from: SessionStatus | null
  to: SessionStatus
  /** Reason code, for example job_claimed, work_submitted, claim_ttl_expired. */
  reason: string
  at: number
  metadata: Record<string, unknown>
}

/** Instants (epoch ms) of the transitions; null until they happen. */
export interface SessionTimestamps {
  claimedAt: number
  submittedAt: number | null
  resolvedAt: number | null
  rejectedAt: number | null
  disputedAt: number | null
  closedAt: number | null
  expiredAt: number | null
  timedOutAt: number | null
  chainStateDivergedAt: number | null
  /** End of a rejection's dispute window without a dispute; after it nothing reopens the session. */
  rejectionFinalizedAt: number | null
}

/** Claim economics locked on chain for this session, in base units of `asset`. */
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
export interface SessionAdmission {
  workerExposure: Record<string, unknown> | null
  dailyExposure: Record<string, unknown> | null
  dailyAllowance: Record<string, unknown> | null
  catalogueAccess: Record<string, unknown> | null
  catalogueDailyBudget: Record<string, unknown> | null
  onboardingSubsidy: Record<string, unknown> | null
  claimantAttribution: Record<string, unknown> | null
  tierGate: Record<string, unknown> | null
  priorityQualification: Record<string, unknown> | null
}

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

/** Badge fields pinned at claim. `rewardAmount` is a decimal string in whole units. */
export interface BadgeSnapshot {
  category: string
  tier: string
  rewardAsset: string
  rewardAmount: string
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
  verdict: RoundVerdict
  reasonCode: string
  /** Base units, as digits. */
  workerPayout: string
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

/** Row of a session: lower-case wallet, instants in epoch ms, amounts in base units; later members are null until they exist. */
export interface SessionRecord {
  /** `<jobId>:<checksummed wallet>`, further attempts of the wallet with `:<n>`, n from 2. */
  sessionId: string
  wallet: string
  jobId: string
  /** bytes32 of the job on chain. */
  chainJobId: string
  /** Ordinal of this wallet's attempt on this job, from 1. */
  attempt: number
  /** Run of the claim, which takes the submission. */
  runId: string
  /** Lower case; null if unknown. */
  poster: string | null
  /** Block of the claim. */
  claimBlock: bigint | null
  idempotencyKey: string | null
  protocolHistory: SessionProtocol[]
  /** Optimistic lock. */
  version: number
  /** True for an external job, whose worker pays its own transactions. */
  external: boolean
  verifierMode: string

  status: SessionStatus
  /** Last escrow state that the service read; null before the first reading. */
  chainState: ChainJobState | null
  statusHistory: StatusHistoryEntry[]
  timestamps: SessionTimestamps
  updatedAt: number

  economics: SessionEconomics
  admission: SessionAdmission
  jobSnapshot: JobSnapshot
  badgeSnapshot: BadgeSnapshot

  claimTtlSeconds: number
  /** Escrow deadline, epoch ms of its whole second: last instant at which a submission is accepted. */
  claimExpiresAt: number
  /** Start of the submission's human review (epoch ms); null before the submission. */
  reviewEndsAt: number | null

  submission: SessionSubmission | null
  /** keccak256 of the canonical JSON of the submission. */
  evidenceHash: string | null
  submitFailedAt: number | null
  /** Error code of the last submission that was accepted and then refused. */
  submitFailureCode: string | null

  verificationSummary: VerificationSummary | null
  /** Payout receipt, stored with the terminal status (plain JSON). */
  payoutTx: Record<string, unknown> | null
  disputeResolution: DisputeResolution | null
  chainStateDivergence: Record<string, unknown> | null
  humanReview: Record<string, unknown> | null
  operatorOverturn: OperatorOverturn | null
  claimReconciliation: Record<string, unknown> | null
  /** Operator's close, with the state on chain. */
  operatorClose: Record<string, unknown> | null
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
