import { LRUCache } from 'lru-cache'
import type { GuardedFetch } from '../../activities/outbound/guarded-fetch.ts'

/** Bounds of a client's document. Source: OAuth Client ID Metadata Document, draft 02. */
const DOCUMENT = { timeoutMs: 2_500, maxBytes: 5_120, redirects: 0 } as const
/** Time for which a document that could not be read is not asked for again. */
const FAILED_MS = 60_000
/** Documents that a process reads in a minute from one host, and from all. Above the share of a caller, so that none uses them up. */
const MOST_OF_HOST = 10
const MOST = 300

/** Reads documents of clients through the guard of every outbound request, few at a time. */
export const createDocuments = (guarded: GuardedFetch, now: () => number = Date.now) => {
  const failed = new LRUCache<string, true>({ max: 1_000, ttl: FAILED_MS, ttlResolution: 0, perf: { now } })
  const reads = new LRUCache<string, number>({ max: 1_000, ttl: 60_000, noUpdateTTL: true, ttlResolution: 0, perf: { now } })
  const count = (key: string): number => {
    const made = (reads.get(key) ?? 0) + 1
    reads.set(key, made)
    return made
  }
  return {
    /** Whether a document may be fetched now. An address without a path names no document. `countCaller` throws above the share of the caller. */
    async isAllowed(id: string, countCaller: () => Promise<void>): Promise<boolean> {
      const url = URL.parse(id)
      if (url === null || url.pathname === '/' || failed.has(id)) return false
      await countCaller()
      return count(`host ${url.host}`) <= MOST_OF_HOST && count('all') <= MOST
    },
    /** A fetch for the authorisation server. Throws if there is no answer. */
    async fetch(input: string | URL | Request): Promise<Response> {
      const url = input instanceof Request ? input.url : String(input)
      const answer = await guarded({ url, headers: { accept: 'application/json' }, ...DOCUMENT })
      if (!answer.ok || answer.status !== 200) failed.set(url, true)
      if (!answer.ok) throw new Error(`the document was not read: ${answer.failure}`)
      const { 'cache-control': cacheControl, expires } = answer.headers
      const headers = { ...(cacheControl !== undefined && { 'cache-control': cacheControl }), ...(expires !== undefined && { expires }) }
      const hasBody = ![204, 205, 304].includes(answer.status)
      return new Response(hasBody ? new Uint8Array(answer.body) : null, { status: answer.status, headers })
    },
  }
}
