/** Claim states of a job. A lifecycle status appears when the lifecycle forbids claiming. Source: lifecycle, "Claim state of a job". */
export const CLAIM_STATES = [
  'open',
  'restricted',
  'claimed',
  'submitted',
  'expired',
  'exhausted',
  'unclaimable',
  'paused',
  'archived',
  'stale',
] as const
export type ClaimState = (typeof CLAIM_STATES)[number]

/** Reasons for the value of `claimable`; `tier_locked` only with a wallet. */
export const CLAIM_REASONS = [
  'claimable',
  'claimed_by_other_wallet',
  'already_claimed_by_current_wallet',
  'session_submitted',
  'job_session_completed',
  'retry_limit_exhausted',
  'claim_ttl_expired_reopen_available',
  'reward_funding_pending',
  'reward_funding_unverified',
  'designated_claimant_authorized',
  'designated_claimants_only',
  'legacy_posting_unclaimable',
  'external_posting_escrow_unverified',
  'external_posting_not_open_on_chain',
  'job_paused',
  'job_archived',
  'job_stale',
  'tier_locked',
] as const
export type ClaimReason = (typeof CLAIM_REASONS)[number]

/** Funding of a job's reward; null when its route proves no funding before a claim. */
export const FUNDING_STATES = ['funded', 'pending', 'available', 'unverified'] as const
export type FundingState = (typeof FUNDING_STATES)[number]

/** Whether a job can be claimed now. Source: specification, "Claim status". Wire shape: times are ISO 8601 UTC. */
export interface ClaimStatus {
  claimState: ClaimState
  /** Equals `claimState`. */
  state: ClaimState
  /** `claimable` when claimable, otherwise equals `claimState`. */
  effectiveState: ClaimState | 'claimable'
  claimable: boolean
  /** Null without a wallet. */
  currentWalletCanClaim: boolean | null
  reason: ClaimReason
  /** 0 means unlimited. */
  retryLimit: number
  /** Attempts that reached a submission; a no-show and a platform fault do not count. */
  claimAttemptCount: number
  /** Null when unlimited. */
  remainingClaimAttempts: number | null
  /** Ordinal of the claimant's claims, which decides the waiver; null until claimed. */
  claimNumber: number | null
  /** Lower-case address; null until claimed. */
  claimedBy: string | null
  claimedAt: string | null
  /** Last instant at which a submission is accepted. */
  claimExpiresAt: string | null
  /** `<jobId>:<checksummed wallet>`, with `:<n>` from the second attempt. */
  sessionId: string | null
  claimabilitySource: 'claimStatus'
  lifecycleStatusMeaning: string
}

/** Constant sentence of every claim status. */
export const LIFECYCLE_STATUS_MEANING =
  'lifecycle.status is the content lifecycle of the job and may stay open while the job is taken; claimStatus.claimable and claimStatus.reason decide whether it can be claimed now.'
