import { LRUCache } from 'lru-cache'
import type { LookupFailure } from '../../schemas/codehost/record.ts'
import type { GuardedFetch, OutboundAnswer } from '../outbound/guarded-fetch.ts'
import { limitSeconds } from './rate-limit.ts'

/** Limit of a body. Check runs with output are the longest pages; a verdict needs nothing longer. */
const MAX_BYTES = 4 * 1024 * 1024
/** Limits of the cache for conditional requests: total bytes of the bodies, and number of answers. */
const CACHE_BYTES = 32 * 1024 * 1024
const CACHE_ANSWERS = 500
/** A renamed repository costs one redirect, a renamed owner a second. */
const REDIRECTS = 3

export type ApiAnswer = { ok: true; value: unknown } | { ok: false; failure: LookupFailure }

export interface CodehostApiDeps {
  fetch: GuardedFetch
  baseUrl: string
  token: string
  timeoutMs: number
  /** Epoch ms by the system clock, which the host shares. */
  now: () => number
  /** Shared by the clients of a process that use the same token; a client without one has its own. */
  memory?: CodehostMemory
}

const failure = (reason: string, isTransient: boolean, retryAfterSeconds: number | null = null): ApiAnswer => ({
  ok: false,
  failure: { reason, isTransient, retryAfterSeconds },
})

/** A retry does not help: the page is missing or private. 401 is absent because the operator can replace the token. */
const LASTING: ReadonlySet<number> = new Set([400, 403, 404, 406, 410, 422, 451])

const parseBody = (body: Buffer): ApiAnswer => {
  try {
    return { ok: true, value: JSON.parse(body.toString('utf8')) }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return failure('codehost_bad_answer', true)
  }
}

/** An answer with the ETag under which the host may answer "not modified"; `weight` is the length of its body in bytes. */
interface CachedAnswer {
  etag: string
  value: unknown
  weight: number
}

/** What a process has of the host: answers for conditional requests, and until when it accepts no requests, epoch ms. */
export const createCodehostMemory = () => ({
  answers: new LRUCache<string, CachedAnswer>({ max: CACHE_ANSWERS, maxSize: CACHE_BYTES, sizeCalculation: ({ weight }) => weight }),
  closedUntil: 0,
})
type CodehostMemory = ReturnType<typeof createCodehostMemory>

/** Client of the code host's REST API. Requests are conditional and bounded, and stop while a rate limit lasts. */
export const createCodehostApi = ({ fetch, baseUrl, token, timeoutMs, now, memory = createCodehostMemory() }: CodehostApiDeps) => {
  const cache = memory.answers

  const send = (url: string, etag: string | undefined): Promise<OutboundAnswer> =>
    fetch({
      url,
      headers: {
        accept: 'application/vnd.github+json',
        'x-github-api-version': '2022-11-28',
        'user-agent': 'agent-work-service',
        authorization: `Bearer ${token}`,
        ...(etag !== undefined && { 'if-none-match': etag }),
      },
      timeoutMs,
      maxBytes: MAX_BYTES,
      redirects: REDIRECTS,
    })

  const accept = (url: string, answer: Extract<OutboundAnswer, { ok: true }>): ApiAnswer => {
    const { status, headers, body } = answer
    const kept = cache.get(url)
    if (status === 304 && kept !== undefined) return { ok: true, value: kept.value }
    if (status !== 200) return failure(`codehost_api_${status}`, !LASTING.has(status))
    const value = parseBody(body)
    if (value.ok && typeof headers.etag === 'string') cache.set(url, { etag: headers.etag, value: value.value, weight: body.length })
    return value
  }

  /** Returns the parsed body or a failure. Never throws. */
  const get = async (path: string): Promise<ApiAnswer> => {
    const closedSeconds = Math.ceil((memory.closedUntil - now()) / 1_000)
    if (closedSeconds > 0) return failure('codehost_rate_limited', true, closedSeconds)
    const url = `${baseUrl.replace(/\/$/, '')}${path}`
    const answer = await send(url, cache.get(url)?.etag)
    if (!answer.ok) return failure(`codehost_${answer.failure}`, true)
    const limited = limitSeconds(answer, now())
    if (limited !== null) memory.closedUntil = Math.max(memory.closedUntil, now() + limited * 1_000)
    const refused = answer.status === 403 || answer.status === 429 || answer.status === 503
    if (refused && limited !== null) return failure(`codehost_api_${answer.status}`, true, limited)
    return accept(url, answer)
  }

  return { get }
}
export type CodehostApi = ReturnType<typeof createCodehostApi>
