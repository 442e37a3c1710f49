import { countRequest } from '../../activities/http/rate-windows.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { RATE_BUCKETS, type RateBucketName } from '../../schemas/http/rate-buckets.ts'
import type { ApiDeps } from '../deps.ts'

/** Counts a request of a bucket. Returns the headers of the answer and, above the limit, a 429 `rate_limited`. */
export const createRateLimits = ({ settings, database, clock, metrics }: Pick<ApiDeps, 'settings' | 'database' | 'clock' | 'metrics'>) => {
  return async (bucket: RateBucketName, caller: { ip: string; wallet: string | null }) => {
    const { limit, windowSeconds, key } = { ...RATE_BUCKETS[bucket], ...settings.RATE_LIMITS[bucket] }
    const subject = key === 'wallet' ? (caller.wallet ?? caller.ip) : caller.ip
    const now = clock.now()
    const { count, resetAt } = await countRequest(database.rows, { bucket, key: subject, windowSeconds }, now)
    const seconds = Math.max(1, Math.ceil((resetAt - now) / 1000))
    const remaining = Math.max(0, limit - count)
    const headers = {
      ratelimit: `"${bucket}";r=${remaining};t=${seconds}`,
      'ratelimit-policy': `"${bucket}";q=${limit};w=${windowSeconds}`,
    }
    if (count <= limit) return { headers, refusal: null }
    metrics.rateRejections.inc({ bucket })
    const refusal = new ServiceError('rate_limited', {
      detail: `The bucket ${bucket} allows ${limit} requests in ${windowSeconds} seconds.`,
      retryAfterSeconds: seconds,
      details: { bucket, limit, remaining: 0, resetAt: new Date(resetAt).toISOString() },
      nextActions: [{ kind: 'wait', description: 'Wait for the next window.', availableAt: new Date(resetAt).toISOString() }],
    })
    return { headers, refusal }
  }
}
