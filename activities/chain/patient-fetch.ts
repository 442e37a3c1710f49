import { TimeoutError } from 'viem'
import { patientTimeout } from '../patience.ts'

/** What was silent for the whole limit is not asked again: viem repeats an error without a numeric code, and whoever waits would wait twice. */
const NOT_AGAIN = { code: 0 }
/** A node that speaks at all has usually answered after this long. */
const YOUNG_MS = 400

interface Asked {
  since: number
  ending: AbortController
}

/**
 * `fetch` that gives up after `limitMs` of a process that kept running (`patientTimeout`): a `TimeoutError` that the client does not try again.
 * A node that answered nobody for so long has given up on all who wait for it: of a crowd that came one after another, each would else
 * find that out for itself, the last of them much later than the first.
 */
export const patientFetch = (limitMs: number): typeof fetch => {
  const waiting = new Set<Asked>()
  let answeredAt = Number.NEGATIVE_INFINITY

  const giveUp = (asked: Asked): void => {
    asked.ending.abort()
    if (answeredAt > asked.since) return
    const old = performance.now() - YOUNG_MS
    for (const { since, ending } of waiting) if (since < old) ending.abort()
  }

  return async (input, init) => {
    const asked = { since: performance.now(), ending: new AbortController() }
    const { signal } = asked.ending
    const forget = patientTimeout(limitMs, () => giveUp(asked))
    waiting.add(asked)
    try {
      const response = await fetch(input, { ...init, signal })
      // The body is part of the answer: read under the same limit.
      const body = await response.arrayBuffer()
      answeredAt = performance.now()
      return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers })
    } catch (error) {
      if (!signal.aborted) throw error
      throw Object.assign(new TimeoutError({ body: {}, url: input instanceof Request ? input.url : String(input) }), NOT_AGAIN)
    } finally {
      waiting.delete(asked)
      forget()
    }
  }
}
