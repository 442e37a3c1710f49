import { TimeoutError } from 'viem'
import { stallTolerantTimeout } from '../common/timeout.ts'

/** Stops viem from repeating a request without an answer: viem repeats errors without a numeric code, and its caller would wait twice. */
const NO_RETRY = { code: 0 }
/** A node that is up usually answers within this time. */
const USUAL_MS = 400

interface PendingRequest {
  since: number
  /** True if this request waits for the whole limit. */
  hasFullLimit: boolean
  end: () => void
}

/**
 * Creates a `fetch` that throws a non-retried `TimeoutError` after `limitMs` of running process (`stallTolerantTimeout`). After a time-out the
 * node counts as down until it answers. Until then one request at a time waits for the whole limit; the others wait only for a usual answer.
 */
export const createRpcFetch = (limitMs: number): typeof fetch => {
  const usualMs = Math.min(USUAL_MS, limitMs)
  const waiting = new Set<PendingRequest>()
  let answeredAt = Number.NEGATIVE_INFINITY
  let isNodeDown = false

  const endUnlessAnswered = (request: PendingRequest): void => {
    if (isNodeDown && waiting.has(request)) request.end()
  }

  const handleTimeout = (request: PendingRequest): void => {
    request.end()
    if (!request.hasFullLimit || answeredAt > request.since) return
    isNodeDown = true
    const now = performance.now()
    for (const other of waiting) setTimeout(endUnlessAnswered, Math.max(0, other.since + usualMs - now), other)
  }

  return async (input, init) => {
    const controller = new AbortController()
    const hasFullLimit = !isNodeDown || ![...waiting].some((other) => other.hasFullLimit)
    const request: PendingRequest = { since: performance.now(), hasFullLimit, end: () => controller.abort() }
    const cancelTimeout = stallTolerantTimeout(hasFullLimit ? limitMs : usualMs, () => handleTimeout(request))
    waiting.add(request)
    try {
      const response = await fetch(input, { ...init, signal: controller.signal })
      // The limit covers the body too.
      const body = await response.arrayBuffer()
      answeredAt = performance.now()
      isNodeDown = false
      return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers })
    } catch (error) {
      if (!controller.signal.aborted) throw error
      throw Object.assign(new TimeoutError({ body: {}, url: input instanceof Request ? input.url : String(input) }), NO_RETRY)
    } finally {
      waiting.delete(request)
      cancelTimeout()
    }
  }
}
