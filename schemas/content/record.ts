/** Kinds of stored content; a consent has the kind of its quote. */
export const CONTENT_TYPES = [
  'submission',
  'job_spec',
  'dispute_rationale',
  'dispute_statement',
  'locked_tier_consent_v1',
  'idle_balance_allocation_consent_v1',
] as const
export type ContentType = (typeof CONTENT_TYPES)[number]

/** Result of the verification of a submission. */
export type ContentVerdict = 'pass' | 'fail'

/** State of the chain event of an early publication: it is being sent, it is on chain, or no worker can send it. */
export type DisclosureState = 'pending' | 'emitted' | 'blockchain_disabled'

/** Why a publication shows no event: its own came before, no worker has the key, or the chain has not taken it yet. */
export const DISCLOSURE_SKIPS = ['already_published', 'blockchain_disabled', 'chain_write_failed'] as const
export type DisclosureSkip = (typeof DISCLOSURE_SKIPS)[number]
