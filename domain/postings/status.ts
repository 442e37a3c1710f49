import type { ComparedField, PostingFunding, PostingMismatch, PostingRefund, PostingStatus } from '../../schemas/postings/terms.ts'
import { amountText } from '../common/money.ts'

/** Terms of a job as the escrow has them. Amounts in base units, addresses in lower case. */
export interface FundedTerms {
  poster: string
  specHash: string
  /** Symbol of the settlement asset; the address of any other one. */
  asset: string
  rewardRaw: bigint
  opsReserveRaw: bigint
  contingencyReserveRaw: bigint
  claimTtlSeconds: bigint
  payoutMode: string
}

/** A posting by its record. Instants in epoch ms. */
export interface RecordedPosting extends FundedTerms {
  status: PostingStatus
  handedOutAt: number | null
  expiresAt: number
  isDesignated: boolean
  funding: PostingFunding | null
  mismatch: PostingMismatch | null
  reason: string | null
}

/** What the chain shows of a posting, by the confirmed events and the escrow's terms. */
export interface ObservedPosting {
  /** Null before the funding, and after a fork took it back. */
  funding: (PostingFunding & { terms: FundedTerms }) | null
  refund: PostingRefund | null
  /** The transaction that closed the escrow after a verdict, with what it paid a worker and gave back to the poster; null before. */
  closing: (PostingRefund & { paidRaw: string }) | null
}

/** What the other records say. */
export interface PostingSurroundings {
  /** Epoch ms. */
  now: number
  /** Whether a claim of the job was recorded. */
  isClaimed: boolean
  /** Whether an operator took the listing away. */
  isDelisted: boolean
  /** Agreements with a named wallet that are in progress without this one, and how many may be. */
  agreements: { others: number; limit: number }
}

/** Where a posting stands now. */
export interface PostingDecision {
  status: PostingStatus
  reason: string | null
  funding: PostingFunding | null
  mismatch: PostingMismatch | null
  refund: PostingRefund | null
  /** Whether its job belongs into the catalogue: listed, taken back without a funding that counts, or as it is. */
  listing: 'listed' | 'taken_back' | 'unchanged'
}

/** Reason of a funding that came after the quote had expired. */
const FUNDED_AFTER_EXPIRY = 'funded_after_expiry'
/** Reason of a job that stays although a fork took its funding back, because it was claimed. */
export const FUNDING_REMOVED_AFTER_CLAIM = 'funding_removed_after_claim'

/** Both sides of every compared term of a funding, in the order of the comparison. */
const pairs = (draft: FundedTerms, found: FundedTerms): readonly (readonly [ComparedField, string, string])[] => [
  ['poster', draft.poster, found.poster],
  ['specHash', draft.specHash, found.specHash],
  ['asset', draft.asset, found.asset],
  ['reward', `${draft.rewardRaw}`, `${found.rewardRaw}`],
  ['opsReserve', `${draft.opsReserveRaw}`, `${found.opsReserveRaw}`],
  ['contingencyReserve', `${draft.contingencyReserveRaw}`, `${found.contingencyReserveRaw}`],
  ['claimTtlSeconds', `${draft.claimTtlSeconds}`, `${found.claimTtlSeconds}`],
  ['payoutMode', draft.payoutMode, found.payoutMode],
]

/** First term of a funding that differs from the draft; null when all agree. */
const fundingMismatch = (draft: FundedTerms, found: FundedTerms): PostingMismatch | null => {
  const differing = pairs(draft, found).find(([, expected, observed]) => expected !== observed)
  if (differing === undefined) return null
  const [field, expected, observed] = differing
  return { field, expected, observed }
}

const HAD_A_PLACE: ReadonlySet<PostingStatus> = new Set(['live', 'delisted', 'cancelled', 'settled'])

/** Whether an agreement finds no place among those in progress. One that has its place keeps it. */
const findsNoPlace = ({ isDesignated, status, mismatch }: RecordedPosting, { others, limit }: PostingSurroundings['agreements']): boolean =>
  isDesignated && (mismatch?.field === 'concurrentAgreements' || (!HAD_A_PLACE.has(status) && others >= limit))

const unfunded = (posting: RecordedPosting, { now, isClaimed }: PostingSurroundings): PostingDecision => {
  const { funding, handedOutAt, expiresAt } = posting
  if (funding !== null && isClaimed) {
    const reason = FUNDING_REMOVED_AFTER_CLAIM
    return { status: 'live', reason, funding, mismatch: null, refund: null, listing: 'unchanged' }
  }
  const open = handedOutAt === null ? ('quoted' as const) : ('awaiting_funding' as const)
  const status = now >= expiresAt ? ('expired' as const) : open
  return { status, reason: null, funding: null, mismatch: null, refund: null, listing: funding === null ? 'unchanged' : 'taken_back' }
}

/** What the end of an escrow gave back to the poster; null unless that is all of it. */
const refundByEnd = (closing: ObservedPosting['closing']): PostingRefund | null => {
  if (closing === null || closing.paidRaw !== '0') return null
  const { paidRaw: _none, ...refund } = closing
  return refund
}

/**
 * Where a posting stands: compares its funding with the draft. A result that keeps the job out of the catalogue is final as long as the funding
 * stands; the money comes back by the poster's own `cancelOpenJob`, or by the end of the escrow after a rejection. Source: money, "Watcher".
 */
export const decidePosting = (
  posting: RecordedPosting,
  { funding: found, refund, closing }: ObservedPosting,
  around: PostingSurroundings,
): PostingDecision => {
  if (found === null) return unfunded(posting, around)
  const { terms, ...funding } = found
  const decided = { funding, refund, reason: null, mismatch: null, listing: 'unchanged' as const }
  const unlisted = { ...decided, refund: refund ?? refundByEnd(closing), listing: 'taken_back' as const }
  // A worker can be paid out of it by another verifier, or by the time-out of a dispute: then nothing is left to take back.
  const isPaid = closing !== null && unlisted.refund === null
  const mismatch = fundingMismatch(posting, terms)
  if (mismatch !== null) return { ...unlisted, status: isPaid ? 'settled' : 'mismatch', mismatch }
  if (Date.parse(funding.fundedAt) > posting.expiresAt)
    return { ...unlisted, status: isPaid ? 'settled' : 'expired', reason: FUNDED_AFTER_EXPIRY }
  if (findsNoPlace(posting, around.agreements)) {
    const { limit } = around.agreements
    const full = { field: 'concurrentAgreements' as const, expected: `fewer than ${limit}`, observed: `${limit}` }
    return { ...unlisted, status: isPaid ? 'settled' : 'mismatch', mismatch: posting.mismatch ?? full }
  }
  if (refund !== null) return { ...decided, status: 'cancelled' }
  if (closing !== null) return { ...decided, status: 'settled' }
  if (around.isDelisted) return { ...decided, status: 'delisted' }
  return { ...decided, status: 'live', listing: 'listed' }
}

/** Whether another wallet created the job of a posting in the escrow, under other terms or the same: the money is that wallet's. */
export const isIdTaken = ({ mismatch }: Pick<PostingDecision, 'mismatch'>): boolean => mismatch?.field === 'poster'

/** Whether the service frees the escrow from a claim: the poster's own funding that is not listed. */
export const isToBeFreed = (decision: PostingDecision): boolean =>
  decision.funding !== null && (decision.status === 'mismatch' || decision.status === 'expired') && !isIdTaken(decision)

/** Whether only a new event of the chain changes the status. */
export const isPostingOver = (status: PostingStatus): boolean => status !== 'awaiting_funding' && status !== 'live'

/** What operators read of a posting. */
export const describePosting = (
  { status, reason, mismatch, refund }: PostingDecision,
  terms: { poster: string; rewardRaw: bigint; expiresAt: string },
  asset: { symbol: string; decimals: number },
): string => {
  const reward = amountText(terms.rewardRaw, asset)
  const back = refund === null ? 'The poster gets the money back with cancelOpenJob.' : `The money went back in ${refund.txHash}.`
  switch (status) {
    case 'quoted':
      return `Quoted to ${terms.poster} until ${terms.expiresAt}.`
    case 'awaiting_funding':
      return `Waits for ${terms.poster} to fund ${reward} until ${terms.expiresAt}.`
    case 'live':
      return reason === null ? `Funded with ${reward} and listed.` : 'A fork took the funding back after the job was claimed.'
    case 'mismatch':
      return `Funded, but ${mismatch?.field} is ${mismatch?.observed} instead of ${mismatch?.expected}. Not listed. ${back}`
    case 'expired':
      return reason === null ? `Not funded by ${terms.expiresAt}.` : `Funded after ${terms.expiresAt}. Not listed. ${back}`
    case 'delisted':
      return 'An operator took the listing away; the escrow is untouched.'
    case 'cancelled':
      return `The poster took the money back in ${refund?.txHash}.`
    case 'settled':
      return 'The escrow has paid out or refunded the job.'
  }
}
