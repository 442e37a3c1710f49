import type { PostingStatus } from '../../schemas/postings/terms.ts'
import { isDelistedByOperator, POSTER_CANCELLED } from '../catalogue/delisting.ts'

/** A posting as its row shows it. */
export interface StoredPosting {
  status: PostingStatus
  reason: string | null
}

/** Its job in the catalogue; `delistedAt` in epoch ms, null while it is listed. */
export interface StoredListing {
  delistedAt: number | null
  delistReason: string | null
}

type Expectation = [text: string, agrees: boolean]

const describeListing = (job: StoredListing | null): string => {
  if (job === null) return 'no job'
  return job.delistedAt === null ? 'listed' : `delisted, ${job.delistReason}`
}

const expectListing = ({ status, reason }: StoredPosting, job: StoredListing | null): Expectation => {
  const delisted = job !== null && job.delistedAt !== null
  switch (status) {
    case 'live':
      // The claim of a job whose funding a fork removed keeps the job as it was.
      return reason === null ? ['listed', job !== null && !delisted] : ['a job', job !== null]
    case 'delisted':
      return ['delisted by an operator', isDelistedByOperator(job)]
    case 'settled':
      return ['listed, or delisted by an operator or a fork', job?.delistReason !== POSTER_CANCELLED]
    default:
      return ['not listed', job === null || delisted]
  }
}

/** Contradiction between a posting and its job in the catalogue; null if they agree. A posting that was over when it was first seen has no job. */
export const listingContradiction = (posting: StoredPosting, job: StoredListing | null): { expected: string; found: string } | null => {
  const hasReason = job === null || (job.delistedAt === null) === (job.delistReason === null)
  const [expected, agrees] = hasReason ? expectListing(posting, job) : (['a reason exactly while it is delisted', false] as const)
  return agrees ? null : { expected: `${expected} (${posting.status})`, found: describeListing(job) }
}

const LISTED_ONCE: ReadonlySet<PostingStatus> = new Set(['live', 'delisted', 'cancelled', 'settled'])

/**
 * Whether a posting has a receipt of its funding: from its listing on, as long as the funding counts. After a fork a job that is not listed again
 * needs none.
 */
export const fundingReceiptRule = (
  { status }: Pick<StoredPosting, 'status'>,
  { hasJob, isForked }: { hasJob: boolean; isForked: boolean },
): 'required' | 'allowed' | 'forbidden' => {
  if (!hasJob || !LISTED_ONCE.has(status)) return 'forbidden'
  return status === 'live' || !isForked ? 'required' : 'allowed'
}
