/** Epoch milliseconds to ISO 8601 UTC. */
export const iso = (epochMs: number): string => new Date(epochMs).toISOString()

/** ISO 8601 UTC; null for null. */
export const isoOrNull = (epochMs: number | null): string | null => (epochMs === null ? null : iso(epochMs))

/** Epoch ms plus whole seconds. */
export const plusSeconds = (epochMs: number, seconds: number): number => epochMs + seconds * 1000

/** True strictly after the second of `deadline` (both epoch ms): whole seconds, as the chain compares. */
export const isPast = (deadline: number, now: number): boolean => Math.floor(now / 1000) > Math.floor(deadline / 1000)

/** Whole seconds until `at`, rounded up, at least 1; undefined when `at` is not in the future. */
export const secondsUntil = (at: number, now: number): number | undefined =>
  at > now ? Math.max(1, Math.ceil((at - now) / 1000)) : undefined

/** Day of an instant in UTC, `YYYY-MM-DD`. */
export const utcDay = (epochMs: number): string => iso(epochMs).slice(0, 10)

/** A day in milliseconds. */
export const DAY_MS = 86_400_000

/** First instant of the next UTC day. */
export const nextUtcDay = (epochMs: number): number => (Math.floor(epochMs / DAY_MS) + 1) * DAY_MS
