import { setTimeout as delay } from 'node:timers/promises'
import type { GuardedFetch, OutboundAnswer } from '../../outbound/guarded-fetch.ts'
import { userAgentOf } from '../../outbound/user-agent.ts'
import { type SourceAnswer, SourceFailure, type SourceHttp, type SourceRequest } from '../source.ts'
import { answerJson, checkJsonType, checkType, findJson } from './content.ts'
import type { KeptAnswer, SourceMemory } from './memory.ts'
import { waitOf } from './waits.ts'

/** When a source may be asked again. All processes and runs share that of a source. */
export interface SourceState {
  /** Epoch ms before which no request leaves to this host; null without a wish of it. */
  readNextAllowedAt(host: string): Promise<number | null>
  /** Moves that time forward; an earlier time than the stored one changes nothing. */
  deferUntil(host: string, epochMs: number): Promise<void>
}

/** Requests that a run may make, redirects and repeats included, and those that it has made. Its clients share one. */
export interface RequestBudget {
  readonly limit: number
  used: number
}

export interface SourceHttpDeps {
  /** Name of the source, under which its requests are ordered. */
  source: string
  fetch: GuardedFetch
  state: SourceState
  memory: SourceMemory
  budget: RequestBudget
  /** How the operator of the service is reached: an address or a mailbox. Stands in the user agent. */
  contact: string
  /** Bearer token, and the address to whose origin alone it is sent. */
  token?: { value: string; baseUrl: string }
  /** Time limit of a request with its redirects and repeats. */
  timeoutMs?: number
  /** Epoch ms by the wall clock, which the source shares. */
  now: () => number
  /** From 0 to 1, exclusive: spreads the repeats of several processes. */
  random: () => number
  /** Waits before a repeat. */
  sleep?: (ms: number) => Promise<unknown>
}

type Reached = Extract<OutboundAnswer, { ok: true }>

const TIMEOUT_MS = 30_000
const REDIRECTS = 3
/** Repeats of a request whose connection broke or that the source failed to answer. */
const REPEATS = 2
const FIRST_DELAY_MS = 250

const FAULTS = {
  refused: 'source_refused',
  timeout: 'source_unreadable',
  network: 'source_unreadable',
  too_large: 'source_too_large',
  encoding: 'source_unreadable',
  redirected: 'source_unreadable',
} as const

const failureOf = (answer: OutboundAnswer): SourceFailure => {
  if (!answer.ok) return new SourceFailure(FAULTS[answer.failure], answer.detail)
  const isRefused = answer.status >= 400 && answer.status < 500
  return new SourceFailure(isRefused ? 'source_refused' : 'source_unreadable', `status ${answer.status}`)
}

const isTransient = (answer: OutboundAnswer): boolean => (answer.ok ? answer.status >= 500 : answer.failure === 'network')

const conditionsOf = (kept: KeptAnswer | undefined): Record<string, string> => ({
  ...(kept?.etag !== undefined && { 'if-none-match': kept.etag }),
  ...(kept?.lastModified !== undefined && { 'if-modified-since': kept.lastModified }),
})

/** Key of a kept answer; null for a request that is never conditional. */
const cacheKey = ({ url, json, headers }: SourceRequest): string | null =>
  json === undefined ? JSON.stringify([url, headers ?? {}]) : null

/** The same bytes in a block of their own: a short body lies in a block that many share, which it would keep in memory as a whole. */
const ownBytes = (body: Buffer): Buffer => {
  if (body.buffer.byteLength === body.length) return body
  const own = Buffer.allocUnsafeSlow(body.length)
  body.copy(own)
  return own
}

/** Creates the requests of one run to one source. */
export const createSourceHttp = (deps: SourceHttpDeps): SourceHttp => {
  const { source, fetch, state, memory, budget, contact, token, now, random } = deps
  const { timeoutMs = TIMEOUT_MS, sleep = delay } = deps

  const headersOf = ({ url, json, headers }: SourceRequest): Record<string, string> => ({
    'user-agent': userAgentOf(contact),
    ...(json !== undefined && { 'content-type': 'application/json' }),
    ...headers,
    ...(token !== undefined && URL.parse(url)?.origin === URL.parse(token.baseUrl)?.origin && { authorization: `Bearer ${token.value}` }),
  })

  const exhausted = (): SourceFailure => new SourceFailure('budget_exhausted', `the run has made ${budget.used} requests`)
  /** Whether only the budget kept a redirect from being followed. */
  const isOverBudget = (answer: OutboundAnswer): boolean => !answer.ok && answer.failure === 'redirected' && budget.used >= budget.limit

  const assertOpen = async (host: string): Promise<void> => {
    const waitMs = ((await state.readNextAllowedAt(host)) ?? 0) - now()
    if (waitMs > 0) throw new SourceFailure('source_rate_limited', 'the source asked to wait', Math.ceil(waitMs / 1_000))
    if (budget.used >= budget.limit) throw exhausted()
  }

  /** Stores what the source asks for. Throws where the answer is nothing else. */
  const obey = async (host: string, answer: OutboundAnswer): Promise<void> => {
    const wait = answer.ok ? waitOf(answer, now()) : null
    if (wait === null) return
    await state.deferUntil(host, now() + wait.seconds * 1_000)
    if (wait.isRefusal) throw new SourceFailure('source_rate_limited', 'the source asks to wait', wait.seconds)
  }

  const sendOnce = (request: SourceRequest, kept: KeptAnswer | undefined, remainingMs: number): Promise<OutboundAnswer> =>
    fetch({
      url: request.url,
      headers: { ...headersOf(request), ...conditionsOf(kept) },
      ...(request.json !== undefined && { body: JSON.stringify(request.json) }),
      timeoutMs: remainingMs,
      maxBytes: request.maxBytes,
      decode: true,
      redirects: Math.min(REDIRECTS, budget.limit - budget.used - 1),
      onConnect: () => {
        budget.used += 1
      },
    })

  /** Sends the request, and again after a transient fault, within the budget and the time limit. */
  const send = async (request: SourceRequest, kept: KeptAnswer | undefined): Promise<Reached> => {
    const deadline = performance.now() + timeoutMs
    const host = URL.parse(request.url)?.host ?? ''
    for (let repeats = 0; ; repeats += 1) {
      await assertOpen(host)
      const answer = await sendOnce(request, kept, Math.ceil(deadline - performance.now()))
      await obey(host, answer)
      if (answer.ok && !isTransient(answer)) return answer
      const pauseMs = Math.round(FIRST_DELAY_MS * 2 ** repeats * (0.5 + random() / 2))
      const mayRepeat = isTransient(answer) && repeats < REPEATS && budget.used < budget.limit && performance.now() + pauseMs < deadline
      if (!mayRepeat) throw isOverBudget(answer) ? exhausted() : failureOf(answer)
      await sleep(pauseMs)
    }
  }

  const keep = (key: string | null, { headers, body, url }: Reached): void => {
    if (key === null) return
    const { etag, 'last-modified': lastModified } = headers
    if (etag === undefined && lastModified === undefined) memory.answers.delete(key)
    else
      memory.answers.set(key, {
        headers,
        body: ownBytes(body),
        url,
        ...(etag !== undefined && { etag }),
        ...(lastModified !== undefined && { lastModified }),
      })
  }

  /** Reads an answer. What `parse` refuses is not kept. */
  const read = <Value>(request: SourceRequest, parse: (answer: SourceAnswer) => Value): Promise<{ value: Value; answer: SourceAnswer }> =>
    memory.lockOf(source).runExclusive(async () => {
      const key = cacheKey(request)
      const kept = key === null ? undefined : memory.answers.get(key)
      const reached = await send(request, kept)
      const { status, headers, body, url } = reached
      const isKept = status === 304 && kept !== undefined
      if (!isKept && status !== 200 && request.accept?.includes(status) !== true) throw failureOf(reached)
      const answer: SourceAnswer = isKept
        ? { status: 200, headers: kept.headers, body: kept.body, url: kept.url, unchanged: true }
        : { status, headers, body, url, unchanged: false }
      const value = parse(answer)
      if (status === 200) keep(key, reached)
      return { value, answer }
    })

  const checkOwnTypes = ({ types }: SourceRequest, answer: SourceAnswer): void => {
    if (answer.status === 200 && types !== undefined) checkType(answer, types)
  }

  return {
    get: async (request) => (await read(request, (answer) => checkOwnTypes(request, answer))).answer,
    /** The value of an accepted status other than 200 is null if its body is not JSON. */
    getJson: (request) =>
      read(request, (answer) => {
        if (answer.status !== 200) return findJson(answer)
        if (request.types === undefined) checkJsonType(answer)
        else checkOwnTypes(request, answer)
        return answerJson(answer)
      }),
    get used() {
      return budget.used
    },
  }
}
