/** Reason of a listing that its poster closed on chain. */
export const POSTER_CANCELLED = 'poster_cancelled'

/** Reason of a posted job whose funding a fork of the chain took back. */
export const FUNDING_REMOVED = 'funding_removed'

/** Reasons that follow from the chain; an operator gives another one. */
export const CHAIN_REASONS: readonly string[] = [POSTER_CANCELLED, FUNDING_REMOVED]

/** Whether an operator took a job out of the lists; false for a listed one, for one that the chain took out, and without a job. */
export const isDelistedByOperator = (job: { delistedAt: number | null; delistReason: string | null } | null | undefined): boolean =>
  job != null && job.delistedAt !== null && (job.delistReason === null || !CHAIN_REASONS.includes(job.delistReason))
