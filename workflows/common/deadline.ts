import { condition } from '@temporalio/workflow'
import type { ClockActivities } from '../../schemas/processes.ts'

/** Longest single timer: the service clock is read at least once a day, in case an operator moved it. */
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000

/**
 * Waits until `isSettled()` or until the service clock reaches `instant` (ISO 8601); returns true when settled first.
 * Each timer is followed by a read of the service clock. `knownMs` replaces the first read; a pending nudge causes a read at once.
 */
export const waitUntilSettled = async (
  instant: string,
  isSettled: () => boolean,
  clock: ClockActivities,
  nudge: { pending: () => boolean; clear: () => void } = { pending: () => false, clear: () => undefined },
  knownMs?: number,
): Promise<boolean> => {
  for (let known = knownMs; ; known = undefined) {
    if (isSettled()) return true
    nudge.clear()
    const remaining = known ?? (await clock.millisecondsUntil(instant))
    if (isSettled()) return true
    if (remaining <= 0) return false
    await condition(() => isSettled() || nudge.pending(), Math.min(remaining, LONGEST_WAIT_MS))
  }
}
