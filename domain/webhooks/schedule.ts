const MINUTE = 60
const HOUR = 60 * MINUTE
/** Pauses after the first failed attempts; the last one repeats. */
const RETRY_SECONDS = [5, 30, 2 * MINUTE, 10 * MINUTE, HOUR, 3 * HOUR] as const
/** Length of failures after which an endpoint is paused. */
export const MAX_FAILING_HOURS = 24
const MAX_FAILING_MS = MAX_FAILING_HOURS * HOUR * 1000

/**
 * When to try again after `failures` failed attempts of which the first was at `failingSince`; null once they lasted so long that the endpoint is paused. One attempt is due
 * exactly at their end. Instants in epoch ms.
 */
export const nextAttemptAt = (failures: number, failingSince: number, now: number): number | null => {
  const end = failingSince + MAX_FAILING_MS
  if (now >= end) return null
  const seconds = RETRY_SECONDS[Math.min(failures, RETRY_SECONDS.length) - 1] ?? RETRY_SECONDS[0]
  return Math.min(now + seconds * 1000, end)
}
