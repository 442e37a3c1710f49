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
  submitFailedAt: number | null
  /** Absent before the first failure. */
  submitFailureCode?: string
}

/** Reads a column as the type that the service stores in it. */
export const as = <T>(value: unknown): T => value as T

/** Converts a row of `session` with its history. */
export const parseSessionRow = (row: SessionRow, statusHistory: StatusHistoryEntry[]): SessionRecord => {
  const evidence = as<SessionEvidence>(row.evidence)
  return {
    ...row,
    ...evidence,
    protocolHistory: as<SessionProtocol[]>(row.protocolHistory),
    status: as<SessionStatus>(row.status),
    chainState: as<ChainJobState>(row.chainState),
    statusHistory,
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
    jobSnapshot: as<JobSnapshot>(row.jobSnapshot),
    submission: as<SessionSubmission | null>(row.submission),
    submitFailureCode: evidence.submitFailureCode ?? null,
    verificationSummary: as<VerificationSummary | null>(row.verificationSummary),
    disputeResolution: as<DisputeResolution | null>(row.disputeResolution),
    operatorOverturn: as<OperatorOverturn | null>(row.operatorOverturn),
  }
}
