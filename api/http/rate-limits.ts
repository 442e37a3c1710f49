import { LRUCache } from 'lru-cache'
import { addRequests } from '../../activities/http/rate-windows.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { RATE_BUCKETS, type RateBucketName } from '../../schemas/http/rate-buckets.ts'
import type { ServiceDeps } from '../deps.ts'
import { coalesce } from './cache.ts'

/** Callers over a limit that a process remembers until their windows end, so that refusing them again costs no statement. */
const REMEMBERED = 10_000

const refusalOf = (bucket: string, { limit, windowSeconds }: { limit: number; windowSeconds: number }, resetAt: number, now: number) =>
  new ServiceError('rate_limited', {
    detail: `The bucket ${bucket} allows ${limit} requests in ${windowSeconds} seconds.`,
    retryAfterSeconds: secondsUntil(resetAt, now),
    details: { bucket, limit, remaining: 0, resetAt: new Date(resetAt).toISOString() },
    nextActions: [{ kind: 'wait', description: 'Wait for the next window.', availableAt: new Date(resetAt).toISOString() }],
  })

const secondsUntil = (at: number, now: number): number => Math.max(1, Math.ceil((at - now) / 1000))

/**
 * Counts the requests of one window. Requests that arrive while a statement runs share the next one, which begins when that has ended, if only by
 * its time-out: all statements of a window wait for the same row, and one caller would take every connection of the pool with them. Returns the
 * place of a request in its window.
 */
const createWindowCounter = (add: (requests: number) => Promise<number>): (() => Promise<number>) => {
  let waiting = 0
  const addWaiting = coalesce(
    async () => {
      const requests = waiting
      waiting = 0
      return (await add(requests)) - requests
    },
    { waitsForEnd: true },
  )
  return async () => {
    waiting += 1
    const place = waiting
    return (await addWaiting()) + place
  }
}

/** Counts a request of a bucket. Returns the headers of the answer and, above the limit, a 429 `rate_limited`. */
export const createRateLimits = ({ settings, database, clock, metrics }: ServiceDeps) => {
  /** Bucket and caller → end of the window whose limit is used up. */
  const usedUp = new LRUCache<string, number>({ max: REMEMBERED })
  /** Bucket, caller and begin of the window → its counter. A counter that was dropped loses nothing: the count is that of the database. */
  const counters = new LRUCache<string, () => Promise<number>>({ max: REMEMBERED })

  const read = async (bucket: RateBucketName, key: string, windowSeconds: number, now: number) => {
    const until = usedUp.get(`${bucket} ${key}`)
    if (until !== undefined && now < until && now >= until - windowSeconds * 1000)
      return { count: Number.POSITIVE_INFINITY, resetAt: until }
    const windowMs = windowSeconds * 1000
    const startsAt = Math.floor(now / windowMs) * windowMs
    const name = `${bucket} ${startsAt} ${key}`
    const countNext =
      counters.get(name) ?? createWindowCounter((requests) => addRequests(database.rows, { bucket, key, startsAt }, requests))
    counters.set(name, countNext)
    return { count: await countNext(), resetAt: startsAt + windowMs }
  }

  return async (bucket: RateBucketName, caller: { ip: string; subject: string | undefined }) => {
    const rule = { ...RATE_BUCKETS[bucket], ...settings.RATE_LIMITS[bucket] }
    const { limit, windowSeconds } = rule
    const key = rule.key === 'wallet' ? (caller.subject ?? caller.ip) : caller.ip
    const now = clock.now()
    const { count, resetAt } = await read(bucket, key, windowSeconds, now)
    const headers = {
      ratelimit: `"${bucket}";r=${Math.max(0, limit - count)};t=${secondsUntil(resetAt, now)}`,
      'ratelimit-policy': `"${bucket}";q=${limit};w=${windowSeconds}`,
    }
    if (count <= limit) return { headers, refusal: null }
    usedUp.set(`${bucket} ${key}`, resetAt)
    metrics.rateRejections.inc({ bucket })
    return { headers, refusal: refusalOf(bucket, rule, resetAt, now) }
  }
}
