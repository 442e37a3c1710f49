/** Where a posting stands. `quoted`: nothing was handed out yet. `mismatch` and an `expired` funding stay as they are. */
export const POSTING_STATUSES = ['quoted', 'awaiting_funding', 'live', 'mismatch', 'expired', 'delisted', 'cancelled', 'settled'] as const
export type PostingStatus = (typeof POSTING_STATUSES)[number]

/** Terms of a funding that must equal those of the draft, in the order of the comparison. */
export const COMPARED_FIELDS = [
  'poster',
  'specHash',
  'asset',
  'reward',
  'opsReserve',
  'contingencyReserve',
  'claimTtlSeconds',
  'payoutMode',
  'concurrentAgreements',
] as const
export type ComparedField = (typeof COMPARED_FIELDS)[number]

/** The transaction that put the reward of a posting into the escrow. */
export interface PostingFunding {
  txHash: string
  /** Digits. */
  blockNumber: string
  blockHash: string
  /** ISO 8601, block time. */
  fundedAt: string
  /** Reward, reserves and fee together, base units as digits. */
  totalReservedRaw: string
}

/** The first term of a funding that differs from the draft. */
export interface PostingMismatch {
  field: ComparedField
  expected: string
  observed: string
}

/** The transaction with which the poster took the money back. */
export interface PostingRefund {
  txHash: string
  /** ISO 8601, block time. */
  refundedAt: string
  /** Base units as digits. */
  refundedRaw: string
}
