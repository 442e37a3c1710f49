import type { DeliveryState } from '../sessions/delivery-shapes.ts'

/** A pull request at one reading. */
export interface PullRequestFacts {
  kind: 'pull_request'
  state: 'open' | 'closed'
  isMerged: boolean
  /** Commit that the merge made; null before it. */
  mergeCommit: string | null
  /** Commit of the default branch, or `#` and the number of a merged pull request, that takes the merge back; null for none. */
  revertedBy: string | null
}

/** An article at one reading. */
export interface ArticleFacts {
  kind: 'edit'
  /** Current revision. */
  revisionId: string
  /** Which proposed texts stand in it and not in the pinned revision: positions in the list of proposed changes, from 0. */
  adopted: number[]
}

export type DeliveryFacts = PullRequestFacts | ArticleFacts

/** Reading of a delivery: its facts, or a code that says why it could not be read. */
export type DeliveryReading = { ok: true; facts: DeliveryFacts } | { ok: false; failure: string }

/** A change of state with the facts that caused it; null for a deadline. `at` in epoch ms. */
export interface DeliveryChange {
  state: DeliveryState
  at: number
  facts: DeliveryFacts | null
}
