import type { ChainJobState } from '../../schemas/chain/job-state.ts'
import type { Tables } from '../../schemas/entities/tables.ts'
import type {
  BadgeSnapshot,
  DisputeResolution,
  JobSnapshot,
  OperatorOverturn,
  SessionAdmission,
  SessionProtocol,
  SessionRecord,
  SessionStatus,
  SessionSubmission,
  StatusHistoryEntry,
  VerificationSummary,
} from '../../schemas/sessions/record.ts'

/** A row of `session`. */
export type SessionRow = { [K in keyof Tables['session']]: Tables['session'][K] }

/** Evidence of the admission and later notes of a session. */
export interface SessionEvidence {
  external: boolean
  verifierMode: string
  claimTtlSeconds: number
  assetDecimals: number
  claimFeeRetainedOnSuccess: boolean
  gasRetentionSupported: boolean
  gasRetainedRaw: string
  admission: SessionAdmission
  badgeSnapshot: BadgeSnapshot
  outputSchemaBuiltin: boolean | null
  outputSchemaRegistered: boolean | null
  submitFailedAt: number | null
  /** Absent before the first failure. */
  submitFailureCode?: string
  progression: Record<string, unknown> | null
}

/** Reads a column as the type that the service stores in it. */
export const as = <T>(value: unknown): T => value as T

/** Converts a row of `session` with its history. */
export const parseSessionRow = (row: SessionRow, history: StatusHistoryEntry[]): SessionRecord => {
  const evidence = as<SessionEvidence>(row.evidence)
  return {
    sessionId: row.sessionId,
    wallet: row.wallet,
    jobId: row.jobId,
    chainJobId: row.chainJobId,
    attempt: row.attempt,
    idempotencyKey: row.idempotencyKey,
    protocolHistory: as<SessionProtocol[]>(row.protocolHistory),
    version: row.version,
    external: evidence.external,
    verifierMode: evidence.verifierMode,
    status: as<SessionStatus>(row.status),
    chainState: as<ChainJobState>(row.chainState),
    statusHistory: history,
    timestamps: {
      claimedAt: row.claimedAt,
      submittedAt: row.submittedAt,
      resolvedAt: row.resolvedAt,
      rejectedAt: row.rejectedAt,
      disputedAt: row.disputedAt,
      closedAt: row.closedAt,
      expiredAt: row.expiredAt,
      timedOutAt: row.timedOutAt,
      chainStateDivergedAt: row.chainStateDivergedAt,
      rejectionFinalizedAt: row.rejectionFinalizedAt,
    },
    updatedAt: row.updatedAt,
    economics: {
      asset: { symbol: row.rewardAsset, decimals: evidence.assetDecimals },
      rewardRaw: row.rewardRaw,
      claimStakeRaw: row.claimStakeRaw,
      claimStakeBps: row.claimStakeBps,
      claimFeeRaw: row.claimFeeRaw,
      claimFeeBps: row.claimFeeBps,
      claimNumber: row.claimNumber,
      waived: row.waived,
      brokered: row.brokered,
      claimFeeRetainedOnSuccess: evidence.claimFeeRetainedOnSuccess,
      gasRetentionSupported: evidence.gasRetentionSupported,
      gasRetainedRaw: BigInt(evidence.gasRetainedRaw),
    },
    admission: evidence.admission,
    jobSnapshot: as<JobSnapshot>(row.jobSnapshot),
    badgeSnapshot: evidence.badgeSnapshot,
    claimTtlSeconds: evidence.claimTtlSeconds,
    reviewEndsAt: row.reviewEndsAt,
    chainClaimExpiresAt: row.claimExpiresAt,
    claimExpiresAt: row.claimExpiresAt,
    submission: as<SessionSubmission | null>(row.submission),
    evidenceHash: row.evidenceHash,
    outputSchemaBuiltin: evidence.outputSchemaBuiltin,
    outputSchemaRegistered: evidence.outputSchemaRegistered,
    submitFailedAt: evidence.submitFailedAt,
    submitFailureCode: evidence.submitFailureCode ?? null,
    verificationSummary: as<VerificationSummary | null>(row.verificationSummary),
    payoutTx: row.payoutTx,
    workReceiptId: null,
    progression: evidence.progression,
    disputeResolution: as<DisputeResolution | null>(row.disputeResolution),
    chainStateDivergence: row.chainStateDivergence,
    humanReview: row.humanReview,
    operatorOverturn: as<OperatorOverturn | null>(row.operatorOverturn),
    claimReconciliation: row.claimReconciliation,
    operatorClose: row.operatorClose,
    waiverConsumptionExemptedAt: null,
  }
}
