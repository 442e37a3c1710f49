import type { PullRequestReview } from '../../schemas/codehost/record.ts'
import type { ReviewState } from '../../schemas/pull-requests/record.ts'

/** Reviews that take a stand; a comment takes no earlier stand back. */
const STANDS: ReadonlySet<string> = new Set(['approved', 'changes_requested', 'dismissed'])

/**
 * Reviews as a whole: the latest stand of each reviewer counts, any request for changes wins, and only somebody who may write to the
 * repository approves. The author's own reviews say nothing. Source: lifecycle, "codehost_pr".
 */
export function reviewState(reviews: readonly PullRequestReview[], author: string): ReviewState {
  const others = reviews.filter(({ reviewer }) => reviewer.toLowerCase() !== author.toLowerCase())
  const latest = new Map(others.filter(({ state }) => STANDS.has(state)).map((review) => [review.reviewer.toLowerCase(), review]))
  const stands = [...latest.values()]
  if (stands.some(({ state }) => state === 'changes_requested')) return 'changes_requested'
  if (stands.some(({ state, maintainer }) => state === 'approved' && maintainer)) return 'approved'
  return others.length > 0 ? 'reviewed' : 'none'
}
