import { sql } from 'kysely'
import { offeredPullRequest, repoKey, repoOf } from '../../domain/pull-requests/address.ts'
import { isExpectedRepo } from '../../domain/pull-requests/checks.ts'
import { expectedWork } from '../../domain/pull-requests/expected.ts'
import { isPartial } from '../../domain/pull-requests/lookup.ts'
import { openPrCap } from '../../domain/pull-requests/maintainer-policy.ts'
import { dispositionOf, findSettlementBlock, stateOf } from '../../domain/pull-requests/observation.ts'
import type { RepositoryCapacity } from '../../domain/pull-requests/policy/standing.ts'
import type { NamedPullRequests } from '../../domain/pull-requests/webhook-events.ts'
import { pinnedDefinition } from '../../domain/sessions/snapshot.ts'
import { isTerminal } from '../../domain/sessions/state-machine.ts'
import type { Tables } from '../../schemas/entities/tables.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { CodehostLookup, KnownRepository, PullRequestRef } from '../../schemas/pull-requests/record.ts'
import { DISPOSITIONS, type Disposition, type SessionRecord, type SessionStatus } from '../../schemas/sessions/record.ts'
import type { Rows } from '../database/database.ts'
import { awaitingVerdict } from '../sessions/records.ts'
import { countOpen, lockRepository, STALE_DELIVERY_MS } from './capacity.ts'

/** The pull request of a submission. */
interface Offer {
  ref: PullRequestRef
  /** True if it is in the job's own repository. Only those count, since anyone can submit any address. */
  expected: boolean
}

/** Parses the pull request of a submission; null for other verifier modes and invalid addresses. */
const parseOffer = ({ verifierMode, jobSnapshot }: SessionRecord, normalized: unknown): Offer | null => {
  const offered = verifierMode === 'codehost_pr' ? offeredPullRequest(normalized) : null
  if (offered === null || offered.ref === null) return null
  return { ref: offered.ref, expected: isExpectedRepo(offered, expectedWork(pinnedDefinition(jobSnapshot).source)) }
}

export interface OpenPullRequest extends Pick<Tables['pull_request'], 'sessionId' | 'host' | 'repo' | 'number' | 'url'> {
  /** True if its session has ended. */
  sessionEnded: boolean
}

const selectOpen = (rows: Rows, repo: string, now: number) =>
  rows
    .selectFrom('pull_request')
    .where('repo', '=', repo)
    .where('delivery', '=', 'open')
    .where('pull_request.submittedAt', '>', now - STALE_DELIVERY_MS)

/** Deliveries of a repository that count as open, oldest first. */
export const openPullRequests = async (rows: Rows, repo: string, now: number): Promise<OpenPullRequest[]> => {
  const open = await selectOpen(rows, repoKey(repo), now)
    .innerJoin('session', 'session.sessionId', 'pull_request.sessionId')
    .select(['pull_request.sessionId', 'host', 'repo', 'number', 'url', 'status'])
    .orderBy('pull_request.submittedAt')
    .execute()
  return open.map(({ status, ...delivery }) => ({ ...delivery, sessionEnded: isTerminal(status as SessionStatus) }))
}

/**
 * Capacity of the repository of a submitted pull request; null without a cap, outside the job's repository, and for a job of the operator,
 * whose claim reserved the place. Source: lifecycle, "Submit".
 */
export const findRepositoryCapacity = async (
  rows: Rows,
  session: SessionRecord,
  normalized: unknown,
  { usualCap, now }: { usualCap: number; now: number },
): Promise<RepositoryCapacity | null> => {
  const offer = parseOffer(session, normalized)
  const cap = openPrCap(pinnedDefinition(session.jobSnapshot), usualCap)
  if (!session.external || offer?.expected !== true || cap === null) return null
  const repo = repoKey(repoOf(offer.ref))
  const openCount = await countOpen(rows, { repo, except: { jobId: session.jobId, number: offer.ref.number } }, now)
  return { repo, openCount, openPrCap: cap }
}

/** Whether a repository has reached its cap; false without a cap. */
export const isCapReached = (capacity: RepositoryCapacity | null): capacity is RepositoryCapacity =>
  capacity !== null && capacity.openCount >= capacity.openPrCap

/** Error for a submission whose repository has reached its cap. */
export const capReachedError = (capacity: RepositoryCapacity): ServiceError =>
  new ServiceError('maintainer_open_pr_cap_reached', { details: { ...capacity } })

/**
 * Stores the delivery of a submission during its admission; throws `maintainer_open_pr_cap_reached` if the repository is at its cap. An
 * advisory lock per repository keeps concurrent submissions from passing the cap.
 */
export const reserveDelivery = async (
  rows: Rows,
  session: SessionRecord,
  normalized: unknown,
  terms: { usualCap: number; now: number },
): Promise<void> => {
  const offer = parseOffer(session, normalized)
  if (offer === null) return
  await lockRepository(rows, repoKey(repoOf(offer.ref)))
  const capacity = await findRepositoryCapacity(rows, session, normalized, terms)
  if (isCapReached(capacity)) throw capReachedError(capacity)
  await storeDelivery(rows, session, normalized, terms.now)
}

/** Stores the delivery of a submission, whatever the cap of its repository is. `now` in epoch ms. */
export const storeDelivery = async (rows: Rows, session: SessionRecord, normalized: unknown, now: number): Promise<void> => {
  const offer = parseOffer(session, normalized)
  if (offer === null) return
  const { ref, expected } = offer
  const repo = repoKey(repoOf(ref))
  const { sessionId, jobId, wallet } = session
  const row = {
    sessionId,
    jobId,
    wallet,
    repo,
    host: ref.host,
    number: ref.number,
    url: ref.url,
    delivery: expected ? 'open' : 'wrong_repository',
    submittedAt: now,
    endedAt: null,
    disposition: null,
    headSha: null,
    firstState: null,
    latestState: null,
    stateAtReview: null,
    reviewStartedAt: null,
    readAt: null,
    heldBecause: null,
  }
  await rows
    .insertInto('pull_request')
    .values(row)
    .onConflict((conflict) => conflict.column('sessionId').doUpdateSet(row))
    .execute()
}

/**
 * Records that maintainers merged or closed a delivery of unpaid work, `now` in epoch ms, in a transaction. Stored observations stay. Does
 * nothing once the work is paid.
 */
export const endDelivery = async (rows: Rows, sessionId: string, delivery: 'merged' | 'closed_unmerged', now: number): Promise<void> => {
  // The payment locks the row too, so that it cannot come between this check and the change.
  await rows.selectFrom('pull_request').select('sessionId').where('sessionId', '=', sessionId).forUpdate().execute()
  if (await isPaid(rows, sessionId)) return
  await rows.updateTable('pull_request').set({ delivery, endedAt: now }).where('sessionId', '=', sessionId).execute()
}

/** Deletes the delivery of a submission that did not reach the chain. */
export const dropDelivery = async (rows: Rows, sessionId: string): Promise<void> => {
  await rows.deleteFrom('pull_request').where('sessionId', '=', sessionId).execute()
}

const deliveryOf = ({ merged, state }: CodehostLookup): string => {
  if (merged === true) return 'merged'
  return state === 'closed' ? 'closed_unmerged' : 'open'
}

/** Pull request of a session and what it waits for; `disposition` is null before the first observation. */
export interface WatchedPullRequest extends Pick<Tables['pull_request'], 'url' | 'heldBecause'> {
  disposition: Disposition | null
}

/** Pull requests of these sessions, by session. */
export const findWatched = async (rows: Rows, sessionIds: readonly string[]): Promise<Map<string, WatchedPullRequest>> => {
  if (sessionIds.length === 0) return new Map()
  const found = await rows
    .selectFrom('pull_request')
    .select(['sessionId', 'url', 'disposition', 'heldBecause'])
    .where('sessionId', 'in', sessionIds)
    .execute()
  const known = (value: string | null): Disposition | null => DISPOSITIONS.find((disposition) => disposition === value) ?? null
  return new Map(found.map(({ sessionId, disposition, ...rest }) => [sessionId, { ...rest, disposition: known(disposition) }]))
}

/** Repository of the first read of a session's pull request; null before it. */
export const findKnownRepository = async (rows: Rows, sessionId: string): Promise<KnownRepository | null> => {
  const row = await rows.selectFrom('pull_request').select('firstState').where('sessionId', '=', sessionId).executeTakeFirst()
  return row?.firstState ?? null
}

/** Whether a value of a verdict is a lookup. */
export const isLookup = (value: unknown): value is CodehostLookup => value !== null && typeof value === 'object' && 'status' in value

const isPaid = async (rows: Rows, sessionId: string): Promise<boolean> => {
  const session = await rows.selectFrom('session').select('status').where('sessionId', '=', sessionId).executeTakeFirst()
  return session?.status === 'resolved'
}

/** Result of a stored observation. */
interface Observed {
  disposition: Disposition
  /** Why it gives no verdict; null if it does. */
  heldBecause: string | null
}

/**
 * Stores an observation of a session's pull request, its disposition and why it is blocked. The state at the start of the human review is that
 * of the read right before it, or else of the first complete read after it.
 */
export const recordObservation = async (
  rows: Rows,
  { sessionId, lookup, now }: { sessionId: string; lookup: CodehostLookup; now: number },
  describeBlock: (settlementBlock: string | null) => string | null,
): Promise<Observed> => {
  const disposition = dispositionOf(lookup)
  const state = stateOf(lookup)
  const before = await rows
    .selectFrom('pull_request')
    .select(['firstState', 'stateAtReview', 'reviewStartedAt', 'endedAt'])
    .where('sessionId', '=', sessionId)
    .forUpdate()
    .executeTakeFirst()
  const { reviewStartedAt = null, stateAtReview = null } = before ?? {}
  const firstState = before?.firstState ?? state
  const latestState = isPartial(lookup) ? null : state
  const heldBecause = describeBlock(findSettlementBlock({ first: firstState, review: stateAtReview }, state))
  // What became of paid work is decided by the tracking of its delivery.
  const delivery = (await isPaid(rows, sessionId)) ? null : deliveryOf(lookup)
  const ending = delivery !== null && { delivery, endedAt: delivery === 'open' ? null : (before?.endedAt ?? now) }
  const read = state !== null && { firstState, headSha: lookup.headSha ?? null, ...ending }
  const review = { stateAtReview: stateAtReview ?? (reviewStartedAt === null ? null : latestState) }
  const observed = { disposition, readAt: now, heldBecause, latestState, ...review, ...read }
  await rows.updateTable('pull_request').set(observed).where('sessionId', '=', sessionId).execute()
  return { disposition, heldBecause }
}

/** Records when the human review of a session started, with the state of its pull request. A second start changes nothing. */
export const recordReviewStart = async (rows: Rows, sessionId: string, now: number): Promise<void> => {
  await rows
    .updateTable('pull_request')
    .set(({ ref }) => ({ stateAtReview: ref('latestState'), reviewStartedAt: now }))
    .where('sessionId', '=', sessionId)
    .where('reviewStartedAt', 'is', null)
    .execute()
}

/** Sessions of these pull requests whose escrow waits for a verdict. A renamed repository is known by its id. */
export const sessionsAwaiting = async (rows: Rows, { repo, repoId, numbers, shas }: NamedPullRequests): Promise<string[]> => {
  if (numbers.length === 0 && shas.length === 0) return []
  const found = await rows
    .selectFrom('pull_request')
    .innerJoin('session', 'session.sessionId', 'pull_request.sessionId')
    .where(({ eb, or }) =>
      or([
        eb('pull_request.repo', '=', repoKey(repo)),
        ...(repoId === null ? [] : [eb(sql`pull_request.first_state ->> 'repoId'`, '=', String(repoId))]),
      ]),
    )
    .where(awaitingVerdict)
    .where(({ eb, or }) =>
      or([
        ...(numbers.length > 0 ? [eb('pull_request.number', 'in', [...numbers])] : []),
        ...(shas.length > 0 ? [eb('pull_request.headSha', 'in', [...shas])] : []),
      ]),
    )
    .select('pull_request.sessionId')
    .execute()
  return found.map(({ sessionId }) => sessionId)
}
