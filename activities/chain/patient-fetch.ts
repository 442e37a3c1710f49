/** So much later than due a timer may fire before the process counts as having stood still. */
const LAG_MS = 50

/**
 * `fetch` that gives up after `limitMs`. Time in which this very process stood still does not count against the node: a limit that fires
 * late is set once more, for as long as it was late and at most for its own length, since the answer may lie there unread.
 */
export const patientFetch =
  (limitMs: number): typeof fetch =>
  async (input, init) => {
    const ending = new AbortController()
    const began = performance.now()
    const giveUp = () => ending.abort(new DOMException(`no answer within ${limitMs} ms`, 'TimeoutError'))
    let timer = setTimeout(() => {
      const lateMs = performance.now() - began - limitMs
      if (lateMs < LAG_MS) giveUp()
      else timer = setTimeout(giveUp, Math.min(lateMs, limitMs))
    }, limitMs)
    try {
      const response = await fetch(input, { ...init, signal: ending.signal })
      // The body is part of the answer: read under the same limit.
      const body = await response.arrayBuffer()
      return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers })
    } finally {
      clearTimeout(timer)
    }
  }
