import { HttpRequestError, TimeoutError } from 'viem'
import { stallTolerantTimeout } from '../common/timeout.ts'
import { publicAddress } from './node/call.ts'

/** Stops viem from repeating a request without an answer: viem repeats errors without a numeric code, and its caller would wait twice. */
const NO_RETRY = { code: 0 }
/** A node that is up usually answers within this time. */
const USUAL_MS = 400

/** Throws, without a retry, if the node asks for a longer pause than a request may take: viem would wait for it. */
const assertShortPause = ({ status, statusText, headers }: Response, url: string, limitMs: number): void => {
  const pauseMs = Number(headers.get('retry-after') ?? 0) * 1_000
  if (status < 400 || pauseMs <= limitMs) return
  throw Object.assign(new HttpRequestError({ body: {}, details: statusText, headers, status, url }), NO_RETRY)
}

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
    // Errors are logged, and the rest of an address may hold a key.
    const url = publicAddress(input instanceof Request ? input.url : String(input))
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
      assertShortPause(response, url, limitMs)
      return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers })
    } catch (error) {
      if (!controller.signal.aborted) throw error
      throw Object.assign(new TimeoutError({ body: {}, url }), NO_RETRY)
    } finally {
      waiting.delete(request)
      cancelTimeout()
    }
  }
}
