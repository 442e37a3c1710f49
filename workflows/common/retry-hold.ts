/** A step that was refused is tried again after this long. */
const HOLD_MS = 10 * 60 * 1000
/** A step that has been held for days is tried again after this long. */
export const LONGEST_HOLD_MS = 3 * 60 * 60 * 1000

/**
 * How long a held step rests before it is tried again, ms: a tenth of the time it has been held, at least ten minutes and at most three
 * hours. Every try adds some fifteen events to the history; every ten minutes the engine would end a held process within a month.
 */
export const retryDelayMs = (heldMs: number): number => Math.min(Math.max(heldMs / 10, HOLD_MS), LONGEST_HOLD_MS)

/** What is shown of a held step: why, and when it is tried again. */
export const describeBlockedStep = (code: string, ms: number): string =>
  `Held by ${code}; tried again in ${Math.round(ms / 60_000)} minutes.`
