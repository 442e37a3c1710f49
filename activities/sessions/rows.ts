import type { ChainJobState } from '../../schemas/chain/job-state.ts'
import type { Tables } from '../../schemas/entities/tables.ts'
import {
  type JobSnapshot,
  SESSION_TIMESTAMPS,
  type SessionEvidence,
  type SessionRecord,
  type SessionStatus,
  type SessionTimestamps,
  type StatusHistoryEntry,
} from '../../schemas/sessions/record.ts'

/** Converts a row of `session` with its history. */
export const parseSessionRow = ({ evidence: stored, ...row }: Tables['session'], statusHistory: StatusHistoryEntry[]): SessionRecord => {
  const evidence = stored as unknown as SessionEvidence
  return {
    ...row,
    ...evidence,
    status: row.status as SessionStatus,
    chainState: row.chainState as ChainJobState,
    jobSnapshot: row.jobSnapshot as unknown as JobSnapshot,
    statusHistory,
    timestamps: Object.fromEntries(SESSION_TIMESTAMPS.map((name) => [name, row[name]])) as unknown as SessionTimestamps,
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
  }
}
