import { type ExpressionBuilder, sql } from 'kysely'
import type { Tables } from '../../schemas/entities/tables.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { Rows } from '../database/database.ts'
import type { RecordedEvent } from '../events/timeline.ts'

/** Filters of the events of a job; an empty list filters nothing. */
export interface JobEventFilters {
  jobId: string
  topics: string[]
  sources: string[]
  phases: string[]
  severities: string[]
  correlationId: string | null
  wallet: string | null
}

const matches = (filters: JobEventFilters) => (event: ExpressionBuilder<Tables, 'event'>) => {
  const { jobId, topics, sources, phases, severities, correlationId, wallet } = filters
  return event.and([
    event('jobId', '=', jobId),
    ...(topics.length > 0 ? [event('topic', 'in', topics)] : []),
    ...(sources.length > 0 ? [event('source', 'in', sources)] : []),
    ...(phases.length > 0 ? [event('phase', 'in', phases)] : []),
    ...(severities.length > 0 ? [event('severity', 'in', severities)] : []),
    ...(correlationId === null ? [] : [event('correlationId', '=', correlationId)]),
    ...(wallet === null ? [] : [sql<boolean>`wallets @> ${JSON.stringify([wallet])}::jsonb`]),
  ])
}

/** Events of a job in order of recording, strictly after one. */
export const listJobEvents = (rows: Rows, filters: JobEventFilters, after: bigint | null, limit: number): Promise<RecordedEvent[]> => {
  const query = rows.selectFrom('event').selectAll().where(matches(filters)).orderBy('id').limit(limit)
  return (after === null ? query : query.where('id', '>', after)).execute()
}

/** Number of the events that pass the filters, and of the events of the job that have no public sequence number yet. */
export const countJobEvents = async (rows: Rows, filters: JobEventFilters): Promise<{ eventCount: number; eventBusGap: number }> => {
  const count = (only: JobEventFilters) =>
    rows
      .selectFrom('event')
      .where(matches(only))
      .select(({ fn }) => fn.countAll().as('count'))
  const all = { ...filters, topics: [], sources: [], phases: [], severities: [], correlationId: null, wallet: null }
  const [passing, waiting] = await Promise.all([
    count(filters).executeTakeFirstOrThrow(),
    count(all).where('seq', 'is', null).executeTakeFirstOrThrow(),
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
  const [sessions, { count }] = await Promise.all([
    ofJob
      .select(['sessionId', 'status', 'rejectedAt', 'rejectionFinalizedAt'])
      .orderBy('claimedAt', 'desc')
      .orderBy('sessionId')
      .limit(SESSION_LIMIT)
      .execute(),
    ofJob.select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow(),
  ])
  const toSession = ({ sessionId, status, ...timestamps }: (typeof sessions)[number]): JobSession => ({
    sessionId,
    status: status as JobSession['status'],
    timestamps,
  })
  return { count: Number(count), sessions: sessions.map(toSession) }
}
