import type { OutboundAnswer } from '../../outbound/guarded-fetch.ts'

type Answer = Pick<Extract<OutboundAnswer, { ok: true }>, 'status' | 'headers' | 'body'>

/** Wait for a limit without a duration, seconds. */
const DEFAULT_SECONDS = 60
/** Longest wait that is accepted: a wrong header must not turn a source off. */
const LONGEST_SECONDS = 24 * 3_600
/** Part of a refusal in which a message is looked for. */
const MESSAGE_CHARACTERS = 2_000
const SECONDARY = /secondary rate limit|abuse detection|too many requests/i
/** Errors by which MediaWiki asks to wait, also under status 200. */
const WIKI_WAITS: ReadonlySet<string> = new Set(['maxlag', 'ratelimited', 'readonly'])
/** Longest answer in which an error of MediaWiki is looked for, bytes. */
const WIKI_ERROR_BYTES = 4_096

/** A wish of the source to get no request for a while. */
export interface Wait {
  /** From 1 to {@link LONGEST_SECONDS}. */
  seconds: number
  /** Whether the answer is only this wish. Otherwise it is an answer, and the wish is about the next request. */
  isRefusal: boolean
}

const textOf = (headers: Answer['headers'], name: string): string | undefined => {
  const value = headers[name]
  return typeof value === 'string' ? value.trim() : undefined
}

const integerOf = (headers: Answer['headers'], name: string): number | null => {
  const text = textOf(headers, name)
  return text !== undefined && /^[0-9]{1,12}$/.test(text) ? Number(text) : null
}

/** Time of an HTTP date, epoch ms; null for anything else. Source: RFC 9110, 5.6.7, preferred form. */
const httpDate = (text: string | undefined): number | null => {
  if (text === undefined || !/^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$/.test(text)) return null
  const time = Date.parse(text)
  return Number.isNaN(time) ? null : time
}

/** Time by the clock of the source where it gives one, so that a clock that is wrong here shortens no wait. Epoch ms. */
const sourceTime = ({ headers }: Answer, now: number): number => httpDate(textOf(headers, 'date')) ?? now

const retryAfter = (answer: Answer, now: number): number | null => {
  const seconds = integerOf(answer.headers, 'retry-after')
  if (seconds !== null) return seconds
  const until = httpDate(textOf(answer.headers, 'retry-after'))
  return until === null ? null : Math.ceil((until - sourceTime(answer, now)) / 1_000)
}

const isSpent = ({ headers }: Answer): boolean => integerOf(headers, 'x-ratelimit-remaining') === 0

const untilReset = (answer: Answer, now: number): number | null => {
  const reset = integerOf(answer.headers, 'x-ratelimit-reset')
  return isSpent(answer) && reset !== null ? reset - Math.floor(sourceTime(answer, now) / 1_000) : null
}

const wikiError = ({ headers, body }: Answer): string | null => {
  const named = textOf(headers, 'mediawiki-api-error')
  if (named !== undefined) return named
  if (body.length > WIKI_ERROR_BYTES) return null
  return /^\s*\{\s*"error"\s*:\s*\{\s*"code"\s*:\s*"([a-z-]{1,40})"/.exec(body.toString('utf8'))?.[1] ?? null
}

const isRefusal = (answer: Answer, after: number | null): boolean => {
  const { status, body } = answer
  if (status === 429) return true
  if (status === 403) return after !== null || isSpent(answer) || SECONDARY.test(body.toString('utf8', 0, MESSAGE_CHARACTERS))
  if (status >= 500) return after !== null || isSpent(answer)
  return WIKI_WAITS.has(wikiError(answer) ?? '')
}

/**
 * How long the source asks to wait after this answer; null without a wish. `now` is epoch ms. Covers `Retry-After` in both forms, spent limits
 * with their reset, secondary limits, the interval of polls, and the lag of MediaWiki.
 */
export const waitOf = (answer: Answer, now: number): Wait | null => {
  const after = retryAfter(answer, now)
  const refused = isRefusal(answer, after)
  const wishes = [after, untilReset(answer, now), integerOf(answer.headers, 'x-poll-interval')].filter((wish) => wish !== null)
  if (wishes.length === 0 && !refused && !isSpent(answer)) return null
  const seconds = wishes.length === 0 ? DEFAULT_SECONDS : Math.max(...wishes)
  return { seconds: Math.min(Math.max(seconds, 1), LONGEST_SECONDS), isRefusal: refused }
}
