import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import { createSourceHttp, type RequestBudget, type SourceHttpDeps, type SourceState } from '../../../../activities/ingestion/http/http.ts'
import { createSourceMemory } from '../../../../activities/ingestion/http/memory.ts'
import { SourceFailure, type SourceRequest } from '../../../../activities/ingestion/source.ts'
import { createGuardedFetch } from '../../../../activities/outbound/guarded-fetch.ts'
import { startHttpServer } from '../../support/http-server.ts'

/** When the tests of sources take place, epoch ms. */
export const NOW = Date.parse('2026-11-30T12:00:00Z')

/** State of a source in memory, as several runs share it. */
export const createMemoryState = (): SourceState & { nextAllowedAt: number | null } => {
  const state = {
    nextAllowedAt: null as number | null,
    readNextAllowedAt: async () => state.nextAllowedAt,
    deferUntil: async (_host: string, epochMs: number) => {
      state.nextAllowedAt = Math.max(epochMs, state.nextAllowedAt ?? 0)
    },
  }
  return state
}

/** What a run may ask, and has asked. */
export const budgetOf = (limit: number, used = 0): RequestBudget => ({ limit, used })

/** Requests of a run to the hosts that are allowed, without waits between repeats. */
export const sourceHttp = (allowedHosts: readonly string[], change: Partial<SourceHttpDeps> = {}) =>
  createSourceHttp({
    source: 'osv',
    fetch: createGuardedFetch({ allowedHosts }),
    state: createMemoryState(),
    memory: createSourceMemory(),
    budget: budgetOf(10),
    contact: 'https://work.example/contact',
    timeoutMs: 5_000,
    now: () => NOW,
    random: () => 0.5,
    sleep: async () => undefined,
    ...change,
  })

/** Longest body of the requests of {@link startScriptedSource}, bytes. */
export const MAX_BYTES = 64 * 1024
/** Text of a page of JSON. */
export const PAGE = JSON.stringify({ items: ['one', 'two'] })

/** Answer of a source in JSON, with the headers, status and body that differ from a page. */
export const json =
  (headers: Record<string, string | string[]> = {}, status = 200, body: string | Buffer = PAGE): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)

/** Fault of a request, and the seconds that the source asks to wait where it does. */
export const faultOf = async (work: Promise<unknown>): Promise<unknown[]> => {
  const error = await work.then(
    () => new Error('no failure'),
    (failure: unknown) => failure,
  )
  if (!(error instanceof SourceFailure)) throw error
  return error.retryAfterSeconds === null ? [error.fault] : [error.fault, error.retryAfterSeconds]
}

/** A source whose every answer a test sets. */
export const startScriptedSource = async () => {
  const server = await startHttpServer((request, response) => {
    source.seen.push({ url: request.url ?? '', method: request.method ?? '', headers: request.headers })
    source.respond(request, response)
  })
  const source = {
    host: server.host,
    url: server.url,
    /** Requests since the test began. */
    seen: [] as { url: string; method: string; headers: IncomingHttpHeaders }[],
    respond: json() as RequestListener,
    /** Requests of a run to this source alone. */
    run: (change: Partial<SourceHttpDeps> = {}) => sourceHttp([server.host], change),
    ask: (path = '/page', change: Partial<SourceRequest> = {}): SourceRequest => ({
      url: `${server.url}${path}`,
      maxBytes: MAX_BYTES,
      ...change,
    }),
    reset: (): void => {
      source.seen = []
      source.respond = json()
    },
    stop: server.stop,
  }
  return source
}
export type ScriptedSource = Awaited<ReturnType<typeof startScriptedSource>>
