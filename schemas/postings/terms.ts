import type { VerdictItem } from '../sessions/verdicts.ts'

/** Where a posting stands. `quoted`: nothing was handed out yet. `mismatch` and an `expired` funding stay as they are. */
export const POSTING_STATUSES = ['quoted', 'awaiting_funding', 'live', 'mismatch', 'expired', 'delisted', 'cancelled', 'settled'] as const
export type PostingStatus = (typeof POSTING_STATUSES)[number]

/** The transaction that frees an escrow from a claim: the time-out of a claim, a verdict, its end, or the decision of a dispute. */
export type FreeingStep = 'time_out' | 'reject' | 'finalize' | 'uphold'

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

/**
 * What the verifier of a draft says of a submission. `refused`: the service would not take it, so no verifier would judge it. `unavailable`:
 * an input of the verdict could not be read now.
 */
export const REHEARSAL_OUTCOMES = ['approved', 'rejected', 'disputed', 'unavailable', 'refused'] as const
export type RehearsalOutcome = (typeof REHEARSAL_OUTCOMES)[number]

/** Work that takes no effort: a filler in every member, or a text of the posting itself. */
export const PLACEHOLDER_KINDS = [
  'bracketed_name',
  'member_name',
  'placeholder',
  'todo',
  'not_available',
  'done',
  'yes',
  'address',
  'title',
  'description',
  'acceptance_criteria',
  'keywords',
] as const
export type PlaceholderKind = (typeof PLACEHOLDER_KINDS)[number]

export const REHEARSAL_WARNINGS = [
  'placeholder_would_be_paid',
  'keywords_are_public',
  'input_unreadable',
  'submission_refused',
  'nothing_approved',
  'everything_approved',
  'people_decide',
] as const
export type RehearsalWarning = (typeof REHEARSAL_WARNINGS)[number]

/** What became of one rehearsed submission; the submission itself is not kept. */
export interface RehearsedSubmission {
  /** Position in the request. */
  index: number
  /** Whether the service would take it. */
  schemaValid: boolean
  outcome: RehearsalOutcome
  /** 0 to 100; null where nothing was judged. */
  score: number | null
  reasonCode: string
  detail: string
  items: VerdictItem[]
}

/** The last rehearsal of a draft. */
export interface Rehearsal {
  /** ISO 8601. */
  ranAt: string
  submissions: RehearsedSubmission[]
  placeholders: { kind: PlaceholderKind; outcome: RehearsalOutcome; reasonCode: string }[]
  warnings: { code: RehearsalWarning; message: string }[]
}
