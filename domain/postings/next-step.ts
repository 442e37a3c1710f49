import { post, wait } from '../../schemas/common/error-row.ts'
import type { NextAction } from '../../schemas/errors.ts'
import type { PostingRecord } from '../../schemas/postings/record.ts'
import { CANCEL_FLOOR_SECONDS } from '../common/constants.ts'
import { iso, plusSeconds } from '../common/instants.ts'
import { isIdTaken } from './status.ts'

const cancelPath = (jobId: string) => `/poster/jobs/${jobId}/cancel/transactions` as const

/** Cancels a funded job, from the instant at which the escrow allows it. */
const cancel = ({ jobId, funding }: Pick<PostingRecord, 'jobId' | 'funding'>, now: number, description: string): NextAction => {
  const earliest = funding === null ? now : plusSeconds(Date.parse(funding.fundedAt), CANCEL_FLOOR_SECONDS)
  return { ...post(cancelPath(jobId), description), ...(earliest > now && { availableAt: iso(earliest) }) }
}

/** What happens to the money of a job that is not listed when a wallet claims it on chain. */
const IF_CLAIMED =
  'While a wallet has claimed it on chain, wait: the service times the claim out, and then you cancel; or it rejects what the wallet submits, and the money comes back by itself once that is final.'

const OPEN_STATES: readonly (string | null)[] = ['open', 'expired', 'restricted', 'stale', 'paused', 'unclaimable']

const whileLive = (posting: Pick<PostingRecord, 'jobId' | 'funding'>, now: number, claimState: string | null): NextAction => {
  if (claimState === 'claimed') return wait('A worker holds the job: wait for the submission, or for the end of the claim.')
  if (claimState === 'submitted') return wait('Wait for the verdict on the submission.')
  if (claimState === null || OPEN_STATES.includes(claimState)) return cancel(posting, now, 'Wait for a claim, or take the money back.')
  return wait('The work has ended; the escrow pays or refunds by the verdict.')
}

/** What the poster can do next. `status` holds now; `claimState` is null for a job that the catalogue does not have. */
export function nextForPoster(
  posting: Pick<PostingRecord, 'jobId' | 'draftId' | 'status' | 'funding' | 'mismatch' | 'refund'>,
  { now, claimState }: { now: number; claimState: string | null },
): NextAction {
  const { draftId, status, funding, mismatch, refund } = posting
  if (isIdTaken({ mismatch }))
    return post(
      '/jobs/draft',
      'Another wallet created a job with this id in the escrow. Change a word of the definition and draft it again: other content has another id.',
    )
  if (refund !== null) return wait('The money is back in the balance of its payer; nothing is left to do.')
  const transactions = `/jobs/draft/${draftId}/transactions` as const
  switch (status) {
    case 'quoted':
      return post(transactions, 'Build the transactions that fund the job, then sign and send them.')
    case 'awaiting_funding':
      return post(transactions, 'Sign and send the transactions that fund the job; build them again where they are lost.')
    case 'live':
      return whileLive(posting, now, claimState)
    case 'mismatch':
      return cancel(posting, now, `Take the money back: the funding differs from the draft, so the job is not listed. ${IF_CLAIMED}`)
    case 'expired':
      return funding === null
        ? post('/jobs/draft', 'Send the definition again: equal content keeps its ids and gets a new quote.')
        : cancel(posting, now, `Take the money back: the funding came after the quote had expired, so the job is not listed. ${IF_CLAIMED}`)
    case 'delisted':
      return cancel(posting, now, 'Take the money back: the operator took the listing away.')
    case 'cancelled':
    case 'settled':
      return wait('The escrow has paid or refunded the job; nothing is left to do.')
  }
}
