import { defineEntity, p } from '@mikro-orm/core'
import { instant } from '../entities/columns.ts'

/** The pull request of a submission: a delivery to its repository, and what was last seen of it. */
export const PullRequest = defineEntity({
  name: 'PullRequest',
  tableName: 'pull_request',
  properties: {
    sessionId: p.text().primary(),
    jobId: p.text(),
    wallet: p.text(),
    host: p.text(),
    /** `owner/name`, lower case. */
    repo: p.text(),
    number: p.integer(),
    url: p.text(),
    /** Where the delivery stands: open, merged, closed_unmerged, open_stale or reverted; `elsewhere` for a repository the job is not about. */
    delivery: p.text(),
    submittedAt: instant(),
    fingerprint: p.text().nullable(),
    disposition: p.text().nullable(),
    headSha: p.text().nullable(),
    /** The last verified lookup; one that was read in part only replaces no whole one that shows the same. */
    lookup: p.json<Record<string, unknown>>().nullable(),
    /** When the fingerprint last changed. */
    observedAt: instant().nullable(),
    /** When the host was last asked. */
    lookedAt: instant().nullable(),
    /** When it was first seen to differ from its first sight. */
    changedAt: instant().nullable(),
    /** Why the last look settled nothing. */
    heldBecause: p.text().nullable(),
  },
})

/** A hook delivery that was taken, kept so that a repeat does nothing. */
export const HookDelivery = defineEntity({
  name: 'HookDelivery',
  tableName: 'hook_delivery',
  properties: {
    id: p.text().primary(),
    receivedAt: instant(),
    /** False from taking it until whom it is for was woken. */
    heard: p.boolean(),
  },
})
