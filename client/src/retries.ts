import type { ServiceRequest } from './requests.ts'
import { backoffMs, statedWaitMs } from './timing.ts'
import type { Outcome } from './transport.ts'

/** Longest wait of a repeat; windows of rate limits are as long. A refusal with a longer one goes to the caller at once. */
const MAX_WAIT_SECONDS = 60

/** Statuses of a proxy or of a service that starts, after which the same read can succeed. */
const PASSING_STATUSES = [408, 425, 429, 500, 502, 503, 504]

export type Failure = Exclude<Outcome, { kind: 'answer' }>

const waitFor = (stated: number | undefined, failures: number): number | null => {
  if (stated === undefined) return backoffMs(failures)
  return stated > MAX_WAIT_SECONDS ? null : statedWaitMs(stated)
}

/**
 * Wait before the same request is sent again, in milliseconds; null where the caller has to decide. A problem document says itself whether a
 * repeat makes sense; a conflict that names no time is one of the caller. Other failures are repeated where that has no second effect.
 */
export const retryDelayMs = (request: Pick<ServiceRequest, 'isRepeatable'>, failure: Failure, failures: number): number | null => {
  switch (failure.kind) {
    case 'unreachable':
      return request.isRepeatable ? backoffMs(failures) : null
    case 'unexpected': {
      const { error, retryAfterSeconds } = failure
      return request.isRepeatable && PASSING_STATUSES.includes(error.status) ? waitFor(retryAfterSeconds, failures) : null
    }
    case 'problem': {
      const { error } = failure
      const stated = error.retryAfterSeconds ?? failure.retryAfterSeconds
      // Only the wallet of the caller can send what it names.
      if (error.nextActions.some(({ kind }) => kind === 'transaction')) return null
      if (!error.retryable || (stated === undefined && !PASSING_STATUSES.includes(error.status))) return null
      return waitFor(stated, failures)
    }
  }
}
