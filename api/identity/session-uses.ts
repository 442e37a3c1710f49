import type { Database } from '../../activities/database/database.ts'
import { type SessionUse, writeSessionUses } from '../../activities/identity/auth-sessions.ts'

const HOUR_MS = 3_600_000

/**
 * Remembers the last use of each sign-in at this process until `write` stores it, so that no request writes. What is not written when the
 * process ends is lost.
 */
export const createSessionUses = ({ database }: { database: Pick<Database, 'rows'> }) => {
  const unwritten = new Map<string, SessionUse>()
  return {
    /** Remembers a use at `now` (epoch ms) from a network, null for an unknown one. */
    note: (id: string, network: string | null, now: number): void => {
      unwritten.set(id, { id, network, hour: now - (now % HOUR_MS) })
    },

    /** Stores the uses. Those of a write that fails stay for the next one. */
    write: async (): Promise<void> => {
      const uses = [...unwritten.values()]
      await writeSessionUses(database.rows, uses)
      for (const use of uses) if (unwritten.get(use.id) === use) unwritten.delete(use.id)
    },
  }
}
export type SessionUses = ReturnType<typeof createSessionUses>
