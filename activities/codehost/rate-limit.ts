import type { IncomingHttpHeaders } from 'node:http'

/** Wait for a limit without a duration, and the longest wait that is accepted. */
const DEFAULT_SECONDS = 60
const LONGEST_SECONDS = 3_600
const SECONDARY = /secondary rate limit|abuse detection/i

/** Parts of an answer that tell of rate limits. */
export interface LimitFacts {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

const numberOf = (value: string | string[] | undefined): number | null =>
  typeof value === 'string' && /^[0-9]{1,12}$/.test(value) ? Number(value) : null

const isSpent = ({ headers }: LimitFacts): boolean => numberOf(headers['x-ratelimit-remaining']) === 0

/**
 * Seconds until the host accepts requests again, by `now` (epoch ms); null without a limit. Covers primary and secondary limits and `Retry-
 * After`.
 */
export const limitSeconds = (facts: LimitFacts, now: number): number | null => {
  const { status, headers, text } = facts
  const refused = status === 403 || status === 429
  const after = numberOf(headers['retry-after'])
  const limited =
    status === 429 || isSpent(facts) || (status === 503 && after !== null) || (refused && (after !== null || SECONDARY.test(text)))
  if (!limited) return null
  const reset = numberOf(headers['x-ratelimit-reset'])
  const untilReset = isSpent(facts) && reset !== null ? reset - Math.floor(now / 1_000) : null
  return Math.min(Math.max(after ?? untilReset ?? DEFAULT_SECONDS, 1), LONGEST_SECONDS)
}

/** Tracks until when the host accepts no requests. `now` is the system clock. */
export const createRateGate = (now: () => number) => {
  let closedUntil = 0
  return {
    close: (seconds: number): void => {
      closedUntil = Math.max(closedUntil, now() + seconds * 1_000)
    },
    /** Whole seconds until the next request is allowed; 0 if it is allowed now. */
    remaining: (): number => Math.max(0, Math.ceil((closedUntil - now()) / 1_000)),
  }
}
