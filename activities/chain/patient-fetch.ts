import { patientTimeout } from '../patience.ts'

/** `fetch` that gives up after `limitMs` of a process that kept running (`patientTimeout`). */
export const patientFetch =
  (limitMs: number): typeof fetch =>
  async (input, init) => {
    const ending = new AbortController()
    const forget = patientTimeout(limitMs, () => ending.abort(new DOMException(`no answer within ${limitMs} ms`, 'TimeoutError')))
    try {
      const response = await fetch(input, { ...init, signal: ending.signal })
      // The body is part of the answer: read under the same limit.
      const body = await response.arrayBuffer()
      return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers })
    } finally {
      forget()
    }
  }
