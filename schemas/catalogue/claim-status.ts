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

/** Reasons for the value of `claimable`. A reason about a wallet, such as `tier_locked`, appears only for a wallet. */
export const CLAIM_REASONS = [
  'claimable',
  'job_claimed',
  'claimed_by_other_wallet',
  'already_claimed_by_current_wallet',
  'session_submitted',
  'job_session_completed',
  'retry_limit_exhausted',
  'claim_ttl_expired_reopen_available',
  'reward_funding_pending',
  'reward_funding_unverified',
  'verifier_not_ready',
  'designated_claimant_authorized',
  'designated_claimants_only',
  'legacy_posting_unclaimable',
  'external_posting_escrow_unverified',
  'external_posting_not_open_on_chain',
  'recurring_template',
  'job_paused',
  'job_archived',
  'job_stale',
  'tier_locked',
] as const
export type ClaimReason = (typeof CLAIM_REASONS)[number]

/** Funding of a job's reward; null when its route proves no funding before a claim. */
export const FUNDING_STATES = ['funded', 'pending', 'available', 'unverified'] as const
export type FundingState = (typeof FUNDING_STATES)[number]

/** Constant sentence of every claim status. */
export const LIFECYCLE_STATUS_MEANING =
  'lifecycle.status is the content lifecycle of the job and may stay open while the job is taken; claimStatus.claimable and claimStatus.reason decide whether it can be claimed now.'
