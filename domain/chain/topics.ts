import type { ChainTopic } from '../events/topics.ts'

/** Contracts of a chain file, as rows of the follower name them. */
export type ChainContract = 'escrow' | 'accounts' | 'reputation' | 'policy' | 'registry' | 'token' | 'pool' | 'credit' | 'xcm'

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
    Deposited: 'account.deposited',
    Withdrawn: 'account.withdrawn',
    AgentTransfer: 'account.agent_transfer',
    StrategyAllocated: 'account.strategy_allocated',
    StrategyDeallocated: 'account.strategy_deallocated',
    StrategyRequestQueued: 'account.strategy_request_queued',
    StrategyRequestSettled: 'account.strategy_request_settled',
    CollateralLocked: 'account.collateral_locked',
    CollateralUnlocked: 'account.collateral_unlocked',
    Borrowed: 'account.borrowed',
    Repaid: 'account.repaid',
  },
  pool: {
    Deposit: 'pool.deposited',
    Withdraw: 'pool.withdrawn',
    RedeemRequested: 'pool.redeem_requested',
    SharesPledged: 'pool.shares_pledged',
    SharesReleased: 'pool.shares_released',
    SharesSeized: 'pool.shares_seized',
    VenueLossWrittenOff: 'pool.venue_loss_written_off',
  },
  credit: {
    Deposit: 'credit.deposited',
    Withdraw: 'credit.withdrawn',
    RedeemRequested: 'credit.redeem_requested',
    LoanOriginated: 'credit.loan_originated',
    LoanRepaid: 'credit.loan_repaid',
    LoanClosed: 'credit.loan_closed',
    PledgeSeized: 'credit.pledge_seized',
    LtvBpsChanged: 'credit.ltv_bps_changed',
    InterestBpsChanged: 'credit.interest_bps_changed',
  },
  xcm: {
    RequestQueued: 'xcm.request_queued',
    RequestParametersStored: 'xcm.request_parameters_stored',
    RequestLegDispatched: 'xcm.request_leg_dispatched',
    RequestStatusUpdated: 'xcm.request_status_updated',
  },
  reputation: {
    ReputationUpdated: 'reputation.updated',
    ReputationSlashed: 'reputation.slashed',
    BadgeMinted: 'reputation.badge_minted',
  },
}

/** Topic of an event; null for an event that is recorded only. */
export const chainTopicOf = (contract: ChainContract, event: string): ChainTopic | null => TOPIC_OF[contract]?.[event] ?? null

/** Events of an escrow job that its processes may wait for. */
export const ESCROW_MOVES = [
  'JobClaimed',
  'WorkSubmitted',
  'JobReopened',
  'JobRejected',
  'JobClosed',
  'JobCancelled',
  'DisputeOpened',
  'DisputeResolved',
  'AutoResolvedOnTimeout',
] as const

/** Events that change what an account has, free or bound. */
export const BALANCE_MOVES = [
  'Deposited',
  'JobStakeReleased',
  'ReservationSettled',
  'Withdrawn',
  'AgentTransfer',
  'Reserved',
  'JobStakeLocked',
  'CollateralLocked',
  'StrategyAllocated',
  'StrategyDeallocated',
  'CollateralUnlocked',
  'ReservationReleased',
  'Borrowed',
  'StrategyRequestQueued',
  'StrategyRequestSettled',
] as const
