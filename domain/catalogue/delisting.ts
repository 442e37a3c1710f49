/** Reason of a listing that its poster closed on chain. */
export const POSTER_CANCELLED = 'poster_cancelled'

/** Reason of a posted job whose funding a fork of the chain took back. */
export const FUNDING_REMOVED = 'funding_removed'

/** Reasons that follow from the chain; an operator gives another one. */
export const CHAIN_REASONS: readonly string[] = [POSTER_CANCELLED, FUNDING_REMOVED]
