import type { Tables } from '../../schemas/entities/tables.ts'
import type { SessionStatus } from '../../schemas/sessions/record.ts'
import { type Hex, keccakOf } from '../common/hashes.ts'
import { iso, isoOrNull } from '../common/instants.ts'

/** An entry of a session's history as it is published; instants in ISO 8601. `hash` is keccak256 of the canonical JSON of the rest. */
export interface LogEntry {
  sessionId: string
  /** Position in the history of the session, from 1. */
  seq: number
  from: SessionStatus | null
  to: SessionStatus
  reason: string
  at: string
  /** Instant of the record where `at` is the time of a block; else null. */
  recordedAt: string | null
  metadata: Record<string, unknown>
  /** Hash of the entry before; null for the first. */
  previousHash: Hex | null
  hash: Hex
}

/** Hash of an entry: of all its members but `hash`. */
export const entryHash = ({ hash: _hash, ...content }: Omit<LogEntry, 'hash'> & { hash?: Hex }): Hex => keccakOf(content)

/** The published form of a stored entry. */
export const logEntry = ({ fromStatus, toStatus, at, recordedAt, ...stored }: Tables['session_event']): LogEntry => ({
  sessionId: stored.sessionId,
  seq: stored.seq,
  from: fromStatus,
  to: toStatus,
  reason: stored.reason,
  at: iso(at),
  recordedAt: isoOrNull(recordedAt),
  metadata: stored.metadata,
  previousHash: stored.previousHash as Hex | null,
  hash: stored.hash as Hex,
})
