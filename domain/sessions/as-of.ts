import type { SessionStatus, StatusHistoryEntry } from '../../schemas/sessions/record.ts'
import { iso } from '../common/instants.ts'

/** State of a session after entry `seq` of its history, by the entries up to it alone; null if there is no such entry. */
export const stateAsOf = (history: readonly StatusHistoryEntry[], seq: number) => {
  const entries = history.slice(0, seq)
  const last = history[seq - 1]
  if (last === undefined) return null
  const instants = new Map<SessionStatus, number>(entries.map(({ to, at }) => [to, at]))
  return {
    seq,
    status: last.to,
    reason: last.reason,
    at: iso(last.at),
    /** Each status that the session has had, with the last instant at which it took it. */
    statusTimes: [...instants].map(([status, at]) => ({ status, at: iso(at) })),
  }
}
