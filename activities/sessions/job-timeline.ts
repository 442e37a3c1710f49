import { type EventFilter, NO_FILTER } from '../../domain/events/filter.ts'
import type { SessionRecord, SessionStatus } from '../../schemas/sessions/record.ts'
import type { Rows } from '../database/database.ts'
import { whereEvent } from '../events/feed.ts'
import type { RecordedEvent } from '../events/timeline.ts'

/** Filter of the events of one job. */
export type JobEventFilter = EventFilter & { jobId: string }

/** Events of a job in order of recording, strictly after one. */
export const listJobEvents = (rows: Rows, filter: JobEventFilter, after: bigint | null, limit: number): Promise<RecordedEvent[]> => {
  const query = rows.selectFrom('event').selectAll().where(whereEvent(filter)).orderBy('id').limit(limit)
  return (after === null ? query : query.where('id', '>', after)).execute()
}

/** Number of the events that pass the filters, and of the events of the job that have no public sequence number yet. */
export const countJobEvents = async (rows: Rows, filter: JobEventFilter): Promise<{ eventCount: number; eventBusGap: number }> => {
  const count = (only: EventFilter) =>
    rows
      .selectFrom('event')
      .where(whereEvent(only))
      .select(({ fn }) => fn.countAll().as('count'))
  const [passing, waiting] = await Promise.all([
    count(filter).executeTakeFirstOrThrow(),
    count({ ...NO_FILTER, jobId: filter.jobId })
      .where('seq', 'is', null)
      .executeTakeFirstOrThrow(),
  ])
  return { eventCount: Number(passing.count), eventBusGap: Number(waiting.count) }
}

/** Number of sessions of which a job's timeline gives the ids. */
const SESSION_LIMIT = 250

type JobSession = Pick<SessionRecord, 'sessionId' | 'status'> & {
  timestamps: Pick<SessionRecord['timestamps'], 'rejectedAt' | 'rejectionFinalizedAt'>
}

/** Sessions of a job, newest first, and how many there are. */
export const listJobSessions = async (rows: Rows, jobId: string): Promise<{ count: number; sessions: JobSession[] }> => {
  const ofJob = rows.selectFrom('session').where('jobId', '=', jobId)
  const [found, { count }] = await Promise.all([
    ofJob
      .select(['sessionId', 'status', 'rejectedAt', 'rejectionFinalizedAt'])
      .orderBy('claimedAt', 'desc')
      .orderBy('sessionId')
      .limit(SESSION_LIMIT)
      .execute(),
    ofJob.select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow(),
  ])
  const shown = found.map(({ sessionId, status, ...timestamps }) => ({ sessionId, status: status as SessionStatus, timestamps }))
  return { count: Number(count), sessions: shown }
}
