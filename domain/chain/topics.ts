import type { ChainTopic } from '../events/topics.ts'

/** Contracts of a chain file, as rows of the follower name them. */
export type ChainContract = 'escrow' | 'accounts' | 'reputation' | 'policy' | 'registry' | 'token' | 'pool' | 'credit'

/** Topic of each announced event, by contract and event name. The follower records every other event without announcing it. */
const TOPIC_OF: Partial<Record<ChainContract, Record<string, ChainTopic>>> = {
  escrow: {
    JobFunded: 'escrow.job_funded',
    JobClaimed: 'escrow.job_claimed',
    // The escrow emits `Submitted` with the same content.
    WorkSubmitted: 'escrow.work_submitted',
    JobReopened: 'escrow.job_reopened',
    JobRejected: 'escrow.job_rejected',
    JobClosed: 'escrow.job_closed',
    JobCancelled: 'escrow.job_cancelled',
    DisputeOpened: 'escrow.dispute_opened',
    DisputeResolved: 'escrow.dispute_resolved',
    AutoResolvedOnTimeout: 'escrow.auto_resolved_on_timeout',
    GasRetentionApplied: 'escrow.gas_retention_applied',
    FeeScheduleChanged: 'escrow.fee_schedule_changed',
    ClaimEconomicsLocked: 'escrow.claim_economics_locked',
    ClaimRetentionSnapshot: 'escrow.claim_retention_snapshot',
    Disclosed: 'content.disclosed',
    AutoDisclosed: 'content.auto_disclosed',
  },
  accounts: {
    JobStakeLocked: 'account.job_stake_locked',
    JobStakeReleased: 'account.job_stake_released',
    JobStakeSlashed: 'account.job_stake_slashed',
    ClaimFeeSlashed: 'account.claim_fee_slashed',
  },
  reputation: {
    ReputationUpdated: 'reputation.updated',
    ReputationSlashed: 'reputation.slashed',
    BadgeMinted: 'reputation.badge_minted',
  },
}

/** Topic of an event; null for an event that is recorded only. */
export const chainTopicOf = (contract: ChainContract, event: string): ChainTopic | null => TOPIC_OF[contract]?.[event] ?? null

/** Events that change a process: an escrow job, or the vesting of a wallet. The follower notifies the workflows. */
const MOVES: Partial<Record<ChainContract, readonly string[]>> = {
  escrow: [
    'JobClaimed',
    'WorkSubmitted',
    'JobReopened',
    'JobRejected',
    'JobClosed',
    'JobCancelled',
    'DisputeOpened',
    'DisputeResolved',
    'AutoResolvedOnTimeout',
  ],
  pool: ['Deposit', 'Withdraw'],
  credit: ['LoanOriginated', 'LoanClosed'],
}

/** True for an event of which the follower notifies workflows. */
export const movesProcess = (contract: ChainContract, event: string): boolean => MOVES[contract]?.includes(event) ?? false
