import type { EventEnvelope } from '../../schemas/event-stream/shapes.ts'
import { iso } from '../common/instants.ts'

/** Members of a recorded event. Instants in epoch ms. */
interface Recorded {
  seq: bigint
  topic: string
  source: string
  phase: string
  severity: string
  correlationId: string
  wallets: readonly string[]
  jobId: string | null
  sessionId: string | null
  blockNumber: bigint | null
  txHash: string | null
  at: number
  data: Record<string, unknown>
}

/** An event as streams and polls show it. */
export const eventEnvelope = (event: Recorded): EventEnvelope => ({
  id: String(event.seq),
  topic: event.topic,
  type: 'event_bus',
  source: event.source,
  phase: event.phase,
  severity: event.severity as EventEnvelope['severity'],
  correlationId: event.correlationId,
  wallet: event.wallets[0] ?? null,
  wallets: [...event.wallets],
  jobId: event.jobId,
  sessionId: event.sessionId,
  blockNumber: event.blockNumber === null ? null : String(event.blockNumber),
  txHash: event.txHash,
  timestamp: iso(event.at),
  data: event.data,
})

/** One frame of a stream; JSON has no line break. `id` is left out of frames that are no events. */
export const frame = (topic: string, data: object, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${topic}\ndata: ${JSON.stringify(data)}\n\n`

export const eventFrame = (event: Recorded): string => frame(event.topic, eventEnvelope(event), String(event.seq))
