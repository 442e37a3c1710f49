import { TimeoutError } from 'viem'
import { stallTolerantTimeout } from '../common/timeout.ts'

/** What was silent for the whole limit is not asked again: viem repeats an error without a numeric code, and whoever waits would wait twice. */
const NOT_AGAIN = { code: 0 }
/** A node that speaks at all has usually answered after this long. */
const USUAL_MS = 400

interface Asked {
  since: number
  /** Waits for the whole limit. */
  patient: boolean
  end: () => void
}

/**
 * `fetch` that gives up after `limitMs` of a process that kept running (`stallTolerantTimeout`): a `TimeoutError` that the client does not try again.
 * A node that answered nobody for so long is silent until it answers somebody: of a crowd that comes one after another one waits for the
 * whole limit, the others only as long as an answer usually takes. Each would else find the silence out for itself, the last of them much
 * later than the first.
 */
export const patientFetch = (limitMs: number): typeof fetch => {
  const usualMs = Math.min(USUAL_MS, limitMs)
  const waiting = new Set<Asked>()
  let answeredAt = Number.NEGATIVE_INFINITY
  let silent = false

  const endUnlessAnswered = (asked: Asked): void => {
    if (silent && waiting.has(asked)) asked.end()
  }

  const giveUp = (asked: Asked): void => {
    asked.end()
    if (!asked.patient || answeredAt > asked.since) return
    silent = true
    const now = performance.now()
    for (const other of waiting) setTimeout(endUnlessAnswered, Math.max(0, other.since + usualMs - now), other)
  }

  return async (input, init) => {
    const ending = new AbortController()
    const patient = !silent || ![...waiting].some((other) => other.patient)
    const asked: Asked = { since: performance.now(), patient, end: () => ending.abort() }
    const forget = stallTolerantTimeout(patient ? limitMs : usualMs, () => giveUp(asked))
    waiting.add(asked)
    try {
      const response = await fetch(input, { ...init, signal: ending.signal })
      // The body is part of the answer: read under the same limit.
      const body = await response.arrayBuffer()
      answeredAt = performance.now()
      silent = false
      return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers })
    } catch (error) {
      if (!ending.signal.aborted) throw error
      throw Object.assign(new TimeoutError({ body: {}, url: input instanceof Request ? input.url : String(input) }), NOT_AGAIN)
    } finally {
      waiting.delete(asked)
      forget()
    }
  }
}
