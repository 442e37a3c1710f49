/** A commit status; of each context the newest counts. */
export interface CommitStatus {
  id: number
  context: string
  state: 'success' | 'pending' | 'failure' | 'error'
  description: string
  /** ISO 8601. */
  updatedAt: string
}

/** A check run; of each name and app the newest counts. `conclusion` is null until it is completed. */
export interface CheckRun {
  id: number
  name: string
  /** Name of the app that reports it; null if the host names none. */
  app: string | null
  /** `queued`, `in_progress`, `completed`, or another value of the host. */
  status: string
  conclusion: string | null
  /** ISO 8601; null before it starts. */
  startedAt: string | null
}

/** One review of a pull request, oldest first in a list. */
export interface PullRequestReview {
  reviewer: string
  /** `approved`, `changes_requested`, `commented`, `dismissed`, `pending`. */
  state: string
  /** True when the reviewer may write to the repository. */
  maintainer: boolean
}

/** A pull request of the code host. */
export interface PullRequestPage {
  htmlUrl: string
  /** `owner/name` of its target repository, in the host's current spelling. */
  repo: string
  /** Numeric id of that repository, which survives a rename and is never reused. */
  repoId: number
  /** Branch that it is to be merged into. */
  baseRef: string
  defaultBranch: string
  number: number
  title: string
  /** Null without readable text. */
  body: string | null
  state: 'open' | 'closed'
  merged: boolean
  draft: boolean
  headSha: string
  /** Login of its author. */
  author: string
}

/** Why a pull request could not be read. `isTransient`: a retry can succeed. */
export interface LookupFailure {
  /** Reason code: `codehost_api_404`, `codehost_timeout`, `codehost_rate_limited`, … */
  reason: string
  isTransient: boolean
  /** Retry-After of the host in seconds; null without one. */
  retryAfterSeconds: number | null
}
