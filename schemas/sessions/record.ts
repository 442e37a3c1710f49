import type { z } from 'zod'
import type { ChainJobState } from '../chain/job-state.ts'
import type {
  admissionMembers,
  BadgeSnapshotShape,
  ClaimReconciliationShape,
  DisputeResolutionShape,
  DivergenceShape,
  HumanReviewShape,
  JobSnapshotShape,
  OperatorCloseShape,
  OperatorOverturnShape,
  PayoutShape,
  RefusedByShape,
  StoredSubmissionShape,
  VerificationSummaryShape,
} from './stored-shapes.ts'

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

/** Saved choices of sessions for operators: what should have moved and has not, and what holds money in the escrow. */
export const SESSION_VIEWS = ['stuck', 'money_waiting'] as const
export type SessionView = (typeof SESSION_VIEWS)[number]

/** Orders of the operators' list of sessions. */
export const SESSION_ORDERS = ['updated', 'deadline'] as const
export type SessionOrder = (typeof SESSION_ORDERS)[number]

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

// Parts that are stored as JSON and served as stored.
export type JobSnapshot = z.infer<typeof JobSnapshotShape>
export type BadgeSnapshot = z.infer<typeof BadgeSnapshotShape>
export type RefusedBy = z.infer<typeof RefusedByShape>
export type SessionAdmission = { [Gate in keyof typeof admissionMembers]: NonNullable<z.infer<(typeof admissionMembers)[Gate]>> | null } & {
  /** Only of a claim that the service did not admit. */
  refusedBy?: RefusedBy
}
export type SessionSubmission = z.infer<typeof StoredSubmissionShape>
export type VerificationSummary = z.infer<typeof VerificationSummaryShape>
export type Payout = z.infer<typeof PayoutShape>
export type DisputeResolution = z.infer<typeof DisputeResolutionShape>
export type HumanReview = z.infer<typeof HumanReviewShape>
export type OperatorOverturn = z.infer<typeof OperatorOverturnShape>
export type ChainStateDivergence = z.infer<typeof DivergenceShape>
export type ClaimReconciliation = z.infer<typeof ClaimReconciliationShape>
export type OperatorClose = z.infer<typeof OperatorCloseShape>

/** One entry of a dispute's timeline. */
export interface DisputeEntry {
  seq: number
  at: number
  actor: string
  action: string
  data: Record<string, unknown>
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
  /** Person who answers for the work before the maintainers; absent without one. */
  responsiblePerson?: string
  /** Error code of the last submission that was accepted and then refused. */
  submitFailureCode?: string
}

/** One attempt of one wallet on one job. Instants in epoch ms, amounts in base units. */
export interface SessionRecord
  extends Pick<
    SessionEvidence,
    | 'external'
    | 'verifierMode'
    | 'claimTtlSeconds'
    | 'admission'
    | 'badgeSnapshot'
    | 'submitFailedAt'
    | 'responsiblePerson'
    | 'submitFailureCode'
  > {
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
  payoutTx: Payout | null
  claimReconciliation: ClaimReconciliation | null
  chainStateDivergence: ChainStateDivergence | null
  operatorClose: OperatorClose | null
  disputeResolution: DisputeResolution | null
  humanReview: HumanReview | null
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
