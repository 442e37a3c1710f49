import { iso } from '../../domain/instants.ts'
import type { SessionRecord } from '../../schemas/session-record.ts'
import type { Rows } from './database.ts'

type Severity = 'info' | 'warn' | 'error'

/** Entry of a session's timeline, as served. */
export interface TimelineEntry {
  id: string
  type: string
  at: string
  timestamp: string
  correlationId: string
  phase: string
  source: string
  topic: string
  severity: Severity
  jobId: string
  sessionId: string
  wallet: string
  data: Record<string, unknown>
}

/** Everything recorded about a session in order of time: its moves, and the events it gave rise to. */
export const sessionTimeline = async (rows: Rows, session: SessionRecord): Promise<TimelineEntry[]> => {
  const events = await rows.selectFrom('event').selectAll().where('sessionId', '=', session.sessionId).orderBy('id').execute()
  const common = { jobId: session.jobId, sessionId: session.sessionId, wallet: session.wallet }
  const moves = session.statusHistory.map((entry, index) => ({
    id: `${session.sessionId}#${index + 1}`,
    type: 'session_transition',
    at: iso(entry.at),
    timestamp: iso(entry.at),
    correlationId: session.sessionId,
    phase: 'session',
    source: 'state',
    topic: `session.${entry.to}`,
    severity: 'info' as const,
    ...common,
    data: { from: entry.from, to: entry.to, reason: entry.reason, metadata: entry.metadata },
  }))
  const published = events.map((event) => ({
    id: `event-${event.id}`,
    type: event.topic === 'verification.resolved' ? 'verification' : 'event_bus',
    at: iso(event.at),
    timestamp: iso(event.at),
    correlationId: event.correlationId,
    phase: event.phase,
    source: event.source,
    topic: event.topic,
    severity: event.severity as Severity,
    ...common,
    data: { ...event.data, ...(event.txHash !== null && { txHash: event.txHash }) },
  }))
  return [...moves, ...published].sort((left, right) => left.at.localeCompare(right.at))
}
