import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SourceFailure, type SourceHttp, type SourceRequest } from '../../../../activities/ingestion/source.ts'
import { createGuardedFetch } from '../../../../activities/outbound/guarded-fetch.ts'
import type { LocalSource } from '../../../../local/sources/local-source.ts'

const servers: Server[] = []

/** Ends the servers of a test file. */
export const closeServers = (): void => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
}

/** Starts a server; returns its host. */
export const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

interface Asked {
  method: string
  /** Path and query, without the name of the source. */
  path: string
  headers: IncomingHttpHeaders
}

/** Serves a source under its name, and records what was asked. */
export const serveSource = async (source: LocalSource) => {
  const asked: Asked[] = []
  const host = await serve((request, response) => {
    const { method = 'GET', headers } = request
    const path = (request.url ?? '/').replace(`/${source.name}`, '')
    asked.push({ method, path, headers })
    const answer = source.answer({ method, url: new URL(path, `http://${headers.host}`), headers, body: '' })
    const isUnchanged = answer.status === 200 && headers['if-none-match'] !== undefined && headers['if-none-match'] === answer.headers?.etag
    response.writeHead(isUnchanged ? 304 : answer.status, { 'content-type': answer.type, ...answer.headers })
    response.end(isUnchanged ? undefined : answer.body)
  })
  return { host, baseUrl: `http://${host}/${source.name}`, asked }
}

export interface DocumentHttpSettings {
  /** Hosts at private addresses that may be asked. */
  hosts: readonly string[]
  /** Requests until the budget is used up. */
  budget?: number
  timeoutMs?: number
}

/** Requests to a source over real HTTP: conditional, within a budget, without repeats. */
export const createDocumentHttp = ({ hosts, budget = 10_000, timeoutMs = 10_000 }: DocumentHttpSettings): SourceHttp => {
  const fetch = createGuardedFetch({ allowedHosts: hosts })
  const stored = new Map<string, { etag: string; body: Buffer; headers: IncomingHttpHeaders }>()
  let used = 0

  const get = async ({ url, headers = {}, maxBytes, accept = [] }: SourceRequest) => {
    if (used >= budget) throw new SourceFailure('budget_exhausted', 'the budget is used up')
    used += 1
    const known = stored.get(url)
    const conditional = known === undefined ? {} : { 'if-none-match': known.etag }
    const answer = await fetch({ url, headers: { ...headers, ...conditional }, timeoutMs, maxBytes, redirects: 3 })
    if (!answer.ok) {
      const fault = answer.failure === 'refused' ? 'source_refused' : 'source_unreadable'
      throw new SourceFailure(answer.failure === 'too_large' ? 'source_too_large' : fault, answer.detail)
    }
    if (answer.status === 304 && known !== undefined)
      return { status: 200, headers: known.headers, body: known.body, url: answer.url, unchanged: true }
    if (answer.status === 429) throw new SourceFailure('source_rate_limited', 'the source asks to wait', 1)
    if (answer.status !== 200 && !accept.includes(answer.status)) throw new SourceFailure('source_unreadable', `status ${answer.status}`)
    const { etag } = answer.headers
    if (etag !== undefined) stored.set(url, { etag, body: answer.body, headers: answer.headers })
    return { ...answer, unchanged: false }
  }

  return {
    get,
    getJson: async (request) => {
      const answer = await get(request)
      try {
        return { value: JSON.parse(answer.body.toString('utf8')), answer }
      } catch {
        throw new SourceFailure('source_unreadable', 'the answer is not JSON')
      }
    },
    get used() {
      return used
    },
  }
}
