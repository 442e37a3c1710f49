import type { GuardedFetch } from '../outbound/guarded-fetch.ts'

/** True if a public address responds with content. */
export type IsReachable = (url: string) => Promise<boolean>

const TIMEOUT_MS = 10_000
const FIRST_BYTES = 1_024

/** Requests the first kilobyte. A redirect counts as a failure, since the address itself is pinned. Source: lifecycle, "deterministic". */
export const createReachable =
  (fetch: GuardedFetch): IsReachable =>
  async (url) => {
    const headers = { range: `bytes=0-${FIRST_BYTES - 1}` }
    const answer = await fetch({ url, headers, timeoutMs: TIMEOUT_MS, maxBytes: FIRST_BYTES, cut: true, redirects: 0 })
    return answer.ok && (answer.status === 200 || answer.status === 206)
  }
