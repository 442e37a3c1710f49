import type { Selectable } from 'kysely'
import { iso } from '../../domain/common/instants.ts'
import type { Tables } from '../../schemas/entities/tables.ts'

const SEVERITIES = ['info', 'warn', 'error'] as const

/** A row of the outbox. */
export type RecordedEvent = Selectable<Tables['event']>

/** Instants of an entry: what happened on chain has the time of its block and that of its record, which the service clock gave. */
export const instantsOf = ({ at, recordedAt }: { at: number; recordedAt?: number | null }) => ({
  at: iso(at),
  timestamp: iso(at),
  recordedAt: iso(recordedAt ?? at),
  blockTime: recordedAt == null ? null : iso(at),
})

/** A recorded event as an entry of a timeline. */
export const eventEntry = (event: RecordedEvent) => ({
  id: `event-${event.id}`,
  type: event.topic === 'verification.resolved' ? 'verification' : 'event_bus',
  ...instantsOf(event),
  correlationId: event.correlationId,
  phase: event.phase,
  source: event.source,
  topic: event.topic,
  severity: SEVERITIES.find((severity) => severity === event.severity) ?? 'info',
  jobId: event.jobId,
  sessionId: event.sessionId,
  wallet: event.wallets[0] ?? null,
  data: { ...event.data, ...(event.txHash !== null && { txHash: event.txHash }) },
})
