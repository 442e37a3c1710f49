/** A commit status: the newest of its context. */
export interface CommitStatus {
  context: string
  state: 'success' | 'pending' | 'failure' | 'error'
  description: string
}

/** A check run: the newest of its name. `conclusion` is null until it is completed. */
export interface CheckRun {
  name: string
  /** `queued`, `in_progress`, `completed`, and what else the host says. */
  status: string
  conclusion: string | null
}

/** One review of a pull request, oldest first in a list. */
export interface PullRequestReview {
  reviewer: string
  /** `approved`, `changes_requested`, `commented`, `dismissed`, `pending`. */
  state: string
  /** True when the host says that the reviewer may write to the repository. */
  maintainer: boolean
}

/** The pull request itself as the host shows it. */
export interface PullRequestPage {
  htmlUrl: string
  /** `owner/name` of the repository it wants to change, as the host spells it today. */
  repo: string
  number: number
  title: string
  /** Null when the host gave no readable text. */
  body: string | null
  state: 'open' | 'closed'
  merged: boolean
  headSha: string
  /** Login of its author. */
  author: string
}

/** Why a pull request could not be read. `passing` ones are worth another try by themselves. */
export interface LookupFailure {
  /** Machine word: `codehost_api_404`, `codehost_timeout`, `codehost_rate_limited`, … */
  reason: string
  passing: boolean
  /** Seconds after which the host may be asked again; null when it did not say. */
  retryAfterSeconds: number | null
}
