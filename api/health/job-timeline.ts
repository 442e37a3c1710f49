import { findJob } from '../../activities/catalogue/jobs.ts'
import { eventEntry, instantsOf } from '../../activities/events/timeline.ts'
import { readLineage } from '../../activities/lanes/templates.ts'
import { countJobEvents, type JobEventFilter, listJobEvents, listJobSessions } from '../../activities/sessions/job-timeline.ts'
import { servedJob } from '../../domain/eligibility/views/definition.ts'
import { filterWords, passes } from '../../domain/events/filter.ts'
import { isDisputable, isTerminal } from '../../domain/sessions/state-machine.ts'
import type { JobRecord } from '../../schemas/catalogue/record.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { getJobTimeline } from '../../schemas/health/admin-operations.ts'
import type { Handler, Input } from '../../schemas/operations/operation.ts'
import { DigitString } from '../../schemas/operations/values.ts'
import type { ApiDeps } from '../deps.ts'
import { listPage } from '../http/pagination.ts'

/** Ids of events, within the range of a bigint. */
const EventPosition = DigitString.max(18)

const filterOf = ({ jobId, wallet, ...query }: Input<typeof getJobTimeline>['query']): JobEventFilter => ({
  ...filterWords(query),
  jobId,
  sessionId: null,
  wallet: wallet ?? null,
})

/** Position of the listing, before every event. */
const LISTING_POSITION = '0'
/** What the filters look at of the listing; no event is recorded for it. */
const LISTING = {
  wallets: [],
  sessionId: null,
  topic: 'job.state',
  source: 'state',
  phase: 'listing',
  severity: 'info' as const,
}

/** The listing of a job, as the first entry of its timeline. */
const listingEntry = ({ id, listedAt, definition }: JobRecord) => {
  const { wallets: _wallets, ...facts } = LISTING
  return {
    id: `job-${id}`,
    type: 'job_state',
    ...instantsOf({ at: listedAt }),
    ...facts,
    correlationId: id,
    jobId: id,
    wallet: null,
    data: { state: 'listed', tier: definition.tier, lane: definition.lane ?? null },
  }
}

/** Jobs of this release have no parent and no children. */
const lineageOf = (recurringTemplate: boolean, derived: Awaited<ReturnType<typeof readLineage>>, sessionIds: string[]) => ({
  recurringTemplate,
  ...derived,
  parentSessionId: null,
  parentSession: null,
  sessionIds,
  childJobIds: [],
  childSessionIds: [],
})

/** Everything that was recorded about one job. */
export const createJobTimeline =
  ({ database, evaluations, clock, baseUrl }: ApiDeps): Handler<typeof getJobTimeline> =>
  async ({ query }) => {
    const { rows } = database
    const { jobId, limit, cursor, ...rest } = query
    const job = await findJob(rows, jobId)
    if (job === null) throw new ServiceError('job_not_found', { details: { jobId } })
    const filter = filterOf(query)
    const page = listPage({ operationId: 'getJobTimeline', filters: { jobId, ...rest }, limit, cursor, position: EventPosition })
    const [served, found, counts, { count, sessions }, derived] = await Promise.all([
      evaluations.evaluateListing(job),
      listJobEvents(rows, filter, page.after === null ? null : BigInt(page.after), page.readLimit),
      countJobEvents(rows, filter),
      listJobSessions(rows, jobId),
      readLineage(rows, jobId),
    ])
    const isListingShown = passes(filter, { ...LISTING, jobId, correlationId: jobId })
    const listing = isListingShown && page.after === null ? [{ position: LISTING_POSITION, entry: listingEntry(job) }] : []
    const recorded = found.map((event) => ({ position: String(event.id), entry: eventEntry(event) }))
    const { rows: shown, ...envelope } = page.cut([...listing, ...recorded].slice(0, page.readLimit), ({ position }) => position)
    const ended = Map.groupBy(sessions, (session) => isTerminal(session.status) && !isDisputable(session, clock.now()))
    const idsOf = (hasEnded: boolean) => (ended.get(hasEnded) ?? []).map(({ sessionId }) => sessionId)
    const { jobId: _job, sessionId: _session, ...eventFilters } = filter
    const summary = {
      sessionCount: count,
      activeSessionIds: idsOf(false),
      terminalSessionIds: idsOf(true),
      childJobCount: 0,
      derivativeJobCount: derived.derivativeJobIds.length,
      ...counts,
      eventCount: counts.eventCount + (isListingShown ? 1 : 0),
      eventFilters,
      latestSessionStatus: sessions[0]?.status ?? null,
    }
    const sessionIds = sessions.map(({ sessionId }) => sessionId)
    const body = {
      timelineVersion: 'v2',
      job: servedJob(served, baseUrl),
      lineage: lineageOf(job.definition.recurring === true, derived, sessionIds),
      summary,
      timeline: shown.map(({ entry }) => entry),
      ...envelope,
    }
    return { status: 200, body }
  }
