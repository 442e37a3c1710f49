/** Topics whose source is the chain. Source: lifecycle, "Event stream". */
export const CHAIN_TOPICS = {
  'escrow.job_funded': { source: 'chain', phase: 'funding', severity: 'info' },
  'escrow.job_claimed': { source: 'chain', phase: 'execution', severity: 'info' },
  'escrow.work_submitted': { source: 'chain', phase: 'execution', severity: 'info' },
  'escrow.job_reopened': { source: 'chain', phase: 'execution', severity: 'info' },
  'escrow.job_rejected': { source: 'chain', phase: 'settlement', severity: 'error' },
  'escrow.job_closed': { source: 'chain', phase: 'settlement', severity: 'info' },
  'escrow.job_cancelled': { source: 'chain', phase: 'settlement', severity: 'info' },
  'escrow.dispute_opened': { source: 'chain', phase: 'dispute', severity: 'warn' },
  'escrow.dispute_resolved': { source: 'chain', phase: 'dispute', severity: 'info' },
  'escrow.auto_resolved_on_timeout': { source: 'chain', phase: 'dispute', severity: 'info' },
  'escrow.gas_retention_applied': { source: 'chain', phase: 'settlement', severity: 'info' },
  'escrow.fee_schedule_changed': { source: 'chain', phase: 'funding', severity: 'info' },
  'escrow.claim_economics_locked': { source: 'chain', phase: 'funding', severity: 'info' },
  'escrow.claim_retention_snapshot': { source: 'chain', phase: 'funding', severity: 'info' },
  'account.job_stake_locked': { source: 'chain', phase: 'funding', severity: 'info' },
  'account.job_stake_released': { source: 'chain', phase: 'settlement', severity: 'info' },
  'account.job_stake_slashed': { source: 'chain', phase: 'settlement', severity: 'warn' },
  'account.claim_fee_slashed': { source: 'chain', phase: 'settlement', severity: 'warn' },
  'reputation.updated': { source: 'chain', phase: 'settlement', severity: 'info' },
  'reputation.slashed': { source: 'chain', phase: 'settlement', severity: 'warn' },
  'reputation.badge_minted': { source: 'chain', phase: 'settlement', severity: 'info' },
  'content.disclosed': { source: 'chain', phase: 'content', severity: 'info' },
  'content.auto_disclosed': { source: 'chain', phase: 'content', severity: 'info' },
} as const
export type ChainTopic = keyof typeof CHAIN_TOPICS

/** Every emitted topic; an unknown topic does not type-check. Source: lifecycle, "Event stream". */
export const TOPICS = {
  'session.claimed': { source: 'state', phase: 'session', severity: 'info' },
  'session.submitted': { source: 'state', phase: 'session', severity: 'info' },
  'session.expired': { source: 'state', phase: 'session', severity: 'info' },
  'session.closed': { source: 'state', phase: 'session', severity: 'info' },
  'funding.claim_lock_recorded': { source: 'settlement', phase: 'funding', severity: 'info' },
  'verification.resolved': { source: 'verification', phase: 'verification', severity: 'info' },
  'settlement.session_resolved': { source: 'settlement', phase: 'settlement', severity: 'info' },
  'settlement.session_rejected': { source: 'settlement', phase: 'settlement', severity: 'error' },
  'settlement.stake_release_recorded': { source: 'settlement', phase: 'settlement', severity: 'info' },
  'dispute.opened': { source: 'settlement', phase: 'dispute', severity: 'warn' },
  'dispute.verdict_recorded': { source: 'settlement', phase: 'dispute', severity: 'info' },
  'verifier.chain_state_diverged': { source: 'verification', phase: 'verification', severity: 'error' },
  'operator_gas.first_withdrawal_granted': { source: 'operator', phase: 'funding', severity: 'info' },
  'pool.tranche_vested': { source: 'state', phase: 'funding', severity: 'info' },
  'job.lifecycle_changed': { source: 'operator', phase: 'listing', severity: 'info' },
  'journey.auth_nonce_issued': { source: 'journey', phase: 'journey', severity: 'info' },
  'journey.auth_verified': { source: 'journey', phase: 'journey', severity: 'info' },
  ...CHAIN_TOPICS,
} as const

export type Topic = keyof typeof TOPICS
