import { keccakOf } from '../../../domain/common/hashes.ts'
import { entryHash, type LogEntry } from '../../../domain/sessions/log-entry.ts'
import type { LogFault } from '../../../schemas/session-log/record.ts'
import type { SessionStatus } from '../../../schemas/sessions/record.ts'

export const ID = 'job-1:0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** A sound history of the given statuses. */
export const historyOf = (statuses: readonly SessionStatus[], sessionId = ID): LogEntry[] => {
  const history: LogEntry[] = []
  for (const [index, to] of statuses.entries()) {
    const at = new Date(Date.UTC(2026, 2, 1) + index * 60_000).toISOString()
    const before = history.at(-1)
    const content = {
      sessionId,
      seq: index + 1,
      from: before?.to ?? null,
      to,
      reason: `reason_${index}`,
      at,
      recordedAt: null,
      metadata: { index },
      previousHash: before?.hash ?? null,
    }
    history.push({ ...content, hash: entryHash(content) })
  }
  return history
}

export const HISTORY = historyOf(['claimed', 'submitted', 'rejected', 'disputed', 'resolved'])
/** A history that continues differently from an entry on, with hashes that fit; recorded at another instant, if one is given. */
export const rewritten = (history: readonly LogEntry[], from: number, recordedAt: string | null = null): LogEntry[] => {
  const kept = history.slice(0, from)
  for (const entry of history.slice(from)) {
    const reason = kept.length === from ? 'rewritten' : entry.reason
    const content = { ...entry, reason, recordedAt: recordedAt ?? entry.recordedAt, previousHash: kept.at(-1)?.hash ?? null }
    kept.push({ ...content, hash: entryHash(content) })
  }
  return kept
}
const without = (index: number): LogEntry[] => HISTORY.toSpliced(index, 1)
const swapped = (): LogEntry[] => [HISTORY[0], HISTORY[2], HISTORY[1], HISTORY[3], HISTORY[4]] as LogEntry[]

export const TAMPERINGS: [string, LogFault, LogEntry[]][] = [
  ['an altered reason', 'entry_altered', HISTORY.with(1, { ...(HISTORY[1] as LogEntry), reason: 'other' })],
  ['an altered status', 'entry_altered', HISTORY.with(4, { ...(HISTORY[4] as LogEntry), to: 'closed' })],
  ['an altered instant', 'entry_altered', HISTORY.with(0, { ...(HISTORY[0] as LogEntry), at: '2020-01-01T00:00:00.000Z' })],
  ['an altered hash', 'entry_altered', HISTORY.with(2, { ...(HISTORY[2] as LogEntry), hash: keccakOf('other') })],
  ['an entry of another session', 'entry_altered', HISTORY.with(1, historyOf(['claimed', 'submitted'], 'job-2:0x1')[1] as LogEntry)],
  ['a missing first entry', 'entry_missing', without(0)],
  ['a missing entry', 'entry_missing', without(2)],
  ['a missing last entry', 'history_cut', without(4)],
  ['two entries in the other order', 'entry_reordered', swapped()],
  ['an entry twice', 'entry_inserted', HISTORY.toSpliced(2, 0, HISTORY[1] as LogEntry)],
  ['a rewritten first entry', 'entry_replaced', rewritten(HISTORY, 0)],
  ['a rewritten entry', 'entry_replaced', rewritten(HISTORY, 2)],
  ['a rewritten last entry', 'entry_replaced', rewritten(HISTORY, 4)],
]
