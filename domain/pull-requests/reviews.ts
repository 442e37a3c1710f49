import type { PullRequestReview } from '../../schemas/codehost/record.ts'
import type { ReviewState } from '../../schemas/pull-requests/record.ts'

/** Reviews that decide; a comment does not withdraw an earlier decision. */
const DECIDING_STATES: ReadonlySet<string> = new Set(['approved', 'changes_requested', 'dismissed'])

/**
 * Combined state of all reviews. The latest decision of each reviewer counts, a request for changes wins, and only a maintainer's approval
 * approves. The author's own reviews are ignored. Source: lifecycle, "codehost_pr".
 */
export function reviewState(reviews: readonly PullRequestReview[], author: string): ReviewState {
  const others = reviews.filter(({ reviewer }) => reviewer.toLowerCase() !== author.toLowerCase())
  const latest = new Map(others.filter(({ state }) => DECIDING_STATES.has(state)).map((review) => [review.reviewer.toLowerCase(), review]))
  const decisions = [...latest.values()]
  if (decisions.some(({ state }) => state === 'changes_requested')) return 'changes_requested'
  if (decisions.some(({ state, maintainer }) => state === 'approved' && maintainer)) return 'approved'
  return others.length > 0 ? 'reviewed' : 'none'
}
