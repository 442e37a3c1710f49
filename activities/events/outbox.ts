import { TOPICS, type Topic } from '../../domain/events/topics.ts'
import type { Rows } from '../database/database.ts'

export interface NewEvent {
  topic: Topic
  /** Lower-case addresses that may read it. */
  wallets: string[]
  jobId?: string
  sessionId?: string
  correlationId?: string
  blockNumber?: bigint
  txHash?: string
  severity?: 'info' | 'warn' | 'error'
  at: number
  /** Service time, where `at` is the time of a block. Both epoch ms. */
  recordedAt?: number | undefined
  data: Record<string, unknown>
}

/** Members of an event about a session. */
export const sessionSubject = ({ wallet, jobId, sessionId }: { wallet: string; jobId: string; sessionId: string }) => ({
  wallets: [wallet],
  jobId,
  sessionId,
})

/** Appends events to the outbox. Call it in the transaction that changes the state. */
export const emit = async (rows: Rows, ...events: NewEvent[]): Promise<void> => {
  await rows
    .insertInto('event')
    .values(events.map((event) => ({ ...TOPICS[event.topic], correlationId: event.sessionId ?? event.jobId ?? 'none', ...event })))
    .execute()
}
