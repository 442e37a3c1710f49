import type { Tables } from '../../schemas/entities/tables.ts'
import type { SessionLogEntry } from '../../schemas/sessions/shapes.ts'
import { type Hex, keccakOf } from '../common/hashes.ts'
import { iso, isoOrNull } from '../common/instants.ts'
import { pick } from '../common/pick.ts'

/** An entry of a session's history as it is published; instants in ISO 8601. `hash` is keccak256 of the canonical JSON of the rest. */
export type LogEntry = SessionLogEntry & { previousHash: Hex | null; hash: Hex }

/** Hash of an entry: of all its members but `hash`. */
export const entryHash = ({ hash: _hash, ...content }: Omit<LogEntry, 'hash'> & { hash?: Hex }): Hex => keccakOf(content)

/** The published form of a stored entry. */
export const logEntry = ({ fromStatus, toStatus, at, recordedAt, ...stored }: Tables['session_event']): LogEntry => ({
  ...pick(stored, 'sessionId', 'seq', 'reason', 'metadata'),
  from: fromStatus,
  to: toStatus,
  at: iso(at),
  recordedAt: isoOrNull(recordedAt),
  previousHash: stored.previousHash as Hex | null,
  hash: stored.hash as Hex,
})
