import type { Tables } from '../../schemas/entities/tables.ts'
import type { EventEnvelope } from '../../schemas/event-stream/shapes.ts'
import { iso } from '../common/instants.ts'
import { pick } from '../common/pick.ts'

/** An event with its public number. */
type Recorded = Omit<Tables['event'], 'id' | 'seq' | 'recordedAt'> & { seq: bigint }

/** An event as streams and polls show it. */
export const eventEnvelope = (event: Recorded): EventEnvelope => ({
  ...pick(event, 'topic', 'source', 'phase', 'correlationId', 'wallets', 'jobId', 'sessionId', 'txHash', 'data'),
  id: String(event.seq),
  type: 'event_bus',
  severity: event.severity as EventEnvelope['severity'],
  wallet: event.wallets[0] ?? null,
  blockNumber: event.blockNumber === null ? null : String(event.blockNumber),
  timestamp: iso(event.at),
})

/** One frame of a stream; JSON has no line break. `id` is left out of frames that are no events. */
export const frame = (topic: string, data: object, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${topic}\ndata: ${JSON.stringify(data)}\n\n`

export const eventFrame = (event: Recorded): string => frame(event.topic, eventEnvelope(event), String(event.seq))
