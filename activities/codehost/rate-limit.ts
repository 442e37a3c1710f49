import type { OutboundAnswer } from '../outbound/guarded-fetch.ts'

/** Wait for a limit without a duration, and the longest wait that is accepted. */
const DEFAULT_SECONDS = 60
const LONGEST_SECONDS = 3_600
const SECONDARY = /secondary rate limit|abuse detection/i

type Answer = Extract<OutboundAnswer, { ok: true }>

const numberOf = (value: string | string[] | undefined): number | null =>
  typeof value === 'string' && /^[0-9]{1,12}$/.test(value) ? Number(value) : null

const isSpent = ({ headers }: Answer): boolean => numberOf(headers['x-ratelimit-remaining']) === 0

/**
 * Seconds until the host accepts requests again, by `now` (epoch ms); null without a limit. Covers primary and secondary limits and `Retry-
 * After`.
 */
export const limitSeconds = (answer: Answer, now: number): number | null => {
  const { status, headers, body } = answer
  const text = body.toString('utf8', 0, 2_000)
  const refused = status === 403 || status === 429
  const after = numberOf(headers['retry-after'])
  const limited =
    status === 429 || isSpent(answer) || (status === 503 && after !== null) || (refused && (after !== null || SECONDARY.test(text)))
  if (!limited) return null
  const reset = numberOf(headers['x-ratelimit-reset'])
  const untilReset = isSpent(answer) && reset !== null ? reset - Math.floor(now / 1_000) : null
  return Math.min(Math.max(after ?? untilReset ?? DEFAULT_SECONDS, 1), LONGEST_SECONDS)
}
