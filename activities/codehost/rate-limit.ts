import type { IncomingHttpHeaders } from 'node:http'

/** A limit without a word on how long, and the longest that a host is believed. */
const DEFAULT_SECONDS = 60
const LONGEST_SECONDS = 3_600
const SECONDARY = /secondary rate limit|abuse detection/i

/** What an answer says about limits. */
export interface LimitFacts {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

const numberOf = (value: string | string[] | undefined): number | null =>
  typeof value === 'string' && /^[0-9]{1,12}$/.test(value) ? Number(value) : null

const isSpent = ({ headers }: LimitFacts): boolean => numberOf(headers['x-ratelimit-remaining']) === 0

/** Seconds until the host wants to be asked again, by `now` (epoch ms); null when it set no limit. Primary, secondary, `Retry-After`. */
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

/** Remembers until when a host is left alone. `now` is the process's own clock: the host knows no other. */
export const createRateGate = (now: () => number) => {
  let closedUntil = 0
  return {
    close: (seconds: number): void => {
      closedUntil = Math.max(closedUntil, now() + seconds * 1_000)
    },
    /** Whole seconds that the host is still left alone; 0 when it may be asked. */
    remaining: (): number => Math.max(0, Math.ceil((closedUntil - now()) / 1_000)),
  }
}
