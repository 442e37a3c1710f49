import { TimeoutError } from 'viem'
import { patientTimeout } from '../patience.ts'

/** What was silent for the whole limit is not asked again: viem repeats an error without a numeric code, and whoever waits would wait twice. */
const NOT_AGAIN = { code: 0 }

/** `fetch` that gives up after `limitMs` of a process that kept running (`patientTimeout`): a `TimeoutError` that the client does not try again. */
export const patientFetch =
  (limitMs: number): typeof fetch =>
  async (input, init) => {
    const ending = new AbortController()
    const forget = patientTimeout(limitMs, () => ending.abort())
    try {
      const response = await fetch(input, { ...init, signal: ending.signal })
      // The body is part of the answer: read under the same limit.
      const body = await response.arrayBuffer()
      return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers })
    } catch (error) {
      if (!ending.signal.aborted) throw error
      throw Object.assign(new TimeoutError({ body: {}, url: input instanceof Request ? input.url : String(input) }), NOT_AGAIN)
    } finally {
      forget()
    }
  }
