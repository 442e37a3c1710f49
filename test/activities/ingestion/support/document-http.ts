import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SourceHttp } from '../../../../activities/ingestion/source.ts'
import type { LocalSource } from '../../../../local/sources/local-source.ts'
import { budgetOf, sourceHttp } from './source-world.ts'

const servers: Server[] = []

/** Ends the servers of a test file. */
export const closeServers = (): void => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
}

/** Starts a server, whose answers are JSON unless they name another type; returns its host. */
export const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    listener(request, response)
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

interface Asked {
  method: string
  /** Path and query, without the name of the source. */
  path: string
  headers: Record<string, string>
}

/** Serves a source under its name, and records what was asked. */
export const serveSource = async (source: LocalSource) => {
  const asked: Asked[] = []
  const host = await serve((request, response) => {
    const { method = 'GET', headers } = request
    const path = (request.url ?? '/').replace(`/${source.name}`, '')
    asked.push({ method, path, headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])) })
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

/** Requests of a run to sources, by the client that the service has. */
export const createDocumentHttp = ({ hosts, budget = 10_000, timeoutMs = 10_000 }: DocumentHttpSettings): SourceHttp =>
  sourceHttp(hosts, { budget: budgetOf(budget), timeoutMs })
