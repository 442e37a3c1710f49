/** So much later than due a timer may fire before the process counts as having stood still. */
const LAG_MS = 50

/**
 * Calls `giveUp` after `limitMs`. Time in which this very process stood still does not count against whom it waits for: a limit that fires
 * late is set once more, for as long as it was late and at most for its own length, since the answer may lie there unread.
 * Gives the function that takes it back.
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
