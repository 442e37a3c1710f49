/** A timer that fires later than this after its due time means that the process was paused. */
const LAG_MS = 50

/**
 * Calls `giveUp` after `limitMs`. A pause of this process does not count: a timer that fires late is set once more, for its delay and at most
 * `limitMs`, because the answer may be unread. Returns a function that cancels it.
 */
export const stallTolerantTimeout = (limitMs: number, giveUp: () => void): (() => void) => {
  const began = performance.now()
  let timer = setTimeout(() => {
    const lateMs = performance.now() - began - limitMs
    if (lateMs < LAG_MS) giveUp()
    else timer = setTimeout(giveUp, Math.min(lateMs, limitMs))
  }, limitMs)
  return () => clearTimeout(timer)
}
