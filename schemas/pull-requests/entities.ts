import { defineEntity, p } from '@mikro-orm/core'
import { instant } from '../entities/columns.ts'
import type { PolicyVerdict } from './policy.ts'
import type { PullRequestState } from './record.ts'

/** Pull request that a submission delivers, with the result of its last lookup. One per session. */
export const PullRequest = defineEntity({
  name: 'PullRequest',
  properties: {
    sessionId: p.text().primary(),
    jobId: p.text(),
    wallet: p.text(),
    host: p.text(),
    /** `owner/name`, lower case. */
    repo: p.text(),
    number: p.integer(),
    url: p.text(),
    /** State of the delivery: open, merged, closed_unmerged, open_stale, reverted, or wrong_repository when the job names another repository. */
    delivery: p.text(),
    submittedAt: instant(),
    /** When the service learnt that it was merged or closed; null while it is open. */
    endedAt: instant().nullable(),
    disposition: p.text().nullable(),
    headSha: p.text().nullable(),
    /** State at the first read that succeeded. */
    firstState: p.json<PullRequestState>().nullable(),
    /** State at the last read; null when that was not complete. */
    latestState: p.json<PullRequestState>().nullable(),
    /** State at the start of the human review; null until a complete read. */
    stateAtReview: p.json<PullRequestState>().nullable(),
    /** Time of the first verdict that left the decision to people. */
    reviewStartedAt: instant().nullable(),
    /** Time of the last request to the code host. */
    readAt: instant().nullable(),
    /** Reason why the last lookup led to no verdict. */
    heldBecause: p.text().nullable(),
  },
})

/** Name of a claimed webhook: its delivery id or the hash of its body. The API skips a webhook whose name is known. */
export const HookDelivery = defineEntity({
  name: 'HookDelivery',
  properties: {
    id: p.text().primary(),
    receivedAt: instant(),
    /** False from the claim until the API has notified the waiting workflows. */
    isProcessed: p.boolean(),
  },
})

/** Policy of a repository at the last reading of its files, by the name that jobs use. */
export const RepositoryPolicy = defineEntity({
  name: 'RepositoryPolicy',
  properties: {
    /** `owner/name`, lower case. */
    repo: p.text().primary(),
    /** Numeric id of the host, which survives a rename. */
    repoId: p.bigint(),
    /** `owner/name` in the host's current spelling. */
    fullName: p.text(),
    verdict: p.text().$type<PolicyVerdict>(),
    reason: p.text().nullable(),
    path: p.text().nullable(),
    quote: p.text().nullable(),
    forbidsTrailers: p.boolean(),
    isClosed: p.boolean(),
    scannedPaths: p.array(),
    /** By the database's clock. */
    readAt: instant(),
  },
})

/** Issue of a job at its last reading, with what its text says of contributions by agents. */
export const SourceIssue = defineEntity({
  name: 'SourceIssue',
  properties: {
    /** `owner/name` of the job, lower case. */
    repo: p.text().primary(),
    number: p.integer().primary(),
    /** `missing`: deleted, moved to another repository, or not visible. */
    state: p.text().$type<'open' | 'closed' | 'missing'>(),
    verdict: p.text().$type<PolicyVerdict>(),
    reason: p.text().nullable(),
    quote: p.text().nullable(),
    /** By the database's clock. */
    readAt: instant(),
  },
})
