/** What the observer or an operator found out about a request. */
export const OUTCOME_STATUSES = ['succeeded', 'failed', 'cancelled'] as const
export type OutcomeStatus = (typeof OUTCOME_STATUSES)[number]

/** `kind` of a request on chain, by number. */
export const REQUEST_KINDS = ['Deposit', 'Withdraw', 'Claim'] as const
/** `status` of a request on chain, by number. */
export const REQUEST_STATUSES = ['unknown', 'pending', 'succeeded', 'failed', 'cancelled'] as const

/** Source of an outcome that the watched balance decided, and of one that was first seen as the end of the request on chain. */
export const WATCH_SOURCE = 'balance_watch'
export const CHAIN_SOURCE = 'chain'

/** Why a watched balance cannot decide a request: the service cannot tell whose arrival it shows. */
export type UnclearReason = 'dispatched_before_its_watch' | 'another_request_under_way' | 'more_than_requested' | 'no_least_output'
