import { condition } from '@temporalio/workflow'
import type { ClockActivities } from '../../schemas/processes.ts'

/** Longest single timer: the clock is asked again at least once a day, so a moved service clock is noticed. */
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000

/**
 * Waits until `settled()` or until the service clock reaches `instant`; true when settled first. The workflow's clock only
 * wakes: a local activity says what remains, unless a step before has `answered` it. A pending nudge makes it ask again at once.
 */
export const settledBefore = async (
  instant: string,
  settled: () => boolean,
  clock: ClockActivities,
  nudge: { pending: () => boolean; clear: () => void } = { pending: () => false, clear: () => undefined },
  answered?: number,
): Promise<boolean> => {
  for (let known = answered; ; known = undefined) {
    if (settled()) return true
    nudge.clear()
    const remaining = known ?? (await clock.millisecondsUntil(instant))
    if (settled()) return true
    if (remaining <= 0) return false
    await condition(() => settled() || nudge.pending(), Math.min(remaining, LONGEST_WAIT_MS))
  }
}
