/** Escrow states of a job in the order of the contract's `JobState` (None 0 … Cancelled 7). */
export const CHAIN_JOB_STATES = ['none', 'open', 'claimed', 'submitted', 'rejected', 'disputed', 'closed', 'cancelled'] as const
export type ChainJobState = (typeof CHAIN_JOB_STATES)[number]
