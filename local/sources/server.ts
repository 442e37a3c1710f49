import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createFaults, SourceFault, sendRight } from './faults.ts'
import type { LocalSource, LocalSourceAnswer } from './local-source.ts'

/** Longest body of a request, bytes, and most requests that are recorded. */
const BODY_BYTES = 4 * 1024 * 1024
const RECORDED = 5_000

/** A request as a source got it. */
export interface SourceRecord {
  name: string
  method: string
  /** Path and query without the name of the source. */
  path: string
  headers: Record<string, string>
  body: string
}

export interface SourcesRequest {
  port?: number
  /** The sources, or what creates them for the address under which each stands by its name. */
  sources: readonly LocalSource[] | ((url: string) => readonly LocalSource[])
  /** Faults from the start. */
  faults?: readonly SourceFault[]
}

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > BODY_BYTES) throw new Error('the body is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const sendJson = (response: ServerResponse, status: number, value: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

/** True where the client has the answer by the validators that it sends. */
const isUnchanged = ({ headers }: IncomingMessage, { status, headers: own }: LocalSourceAnswer): boolean => {
  if (status !== 200) return false
  const { etag, 'last-modified': modified } = own ?? {}
  const known = headers['if-none-match']
  if (known !== undefined) return etag !== undefined && known === etag
  return modified !== undefined && headers['if-modified-since'] === modified
}

/** Splits an address into the name of a source and the address that the source sees. */
const splitAddress = (request: IncomingMessage): { name: string; url: URL } => {
  const [, name = '', rest = ''] = /^\/([^/?]*)(.*)$/s.exec(request.url ?? '/') ?? []
  const path = rest.startsWith('/') ? rest : `/${rest}`
  return { name, url: new URL(`http://${request.headers.host ?? '127.0.0.1'}${path}`) }
}

export type LocalSources = Awaited<ReturnType<typeof startSources>>

/**
 * Starts the sources of work of the local stack on one port, each under its name. `POST /_script/faults` adds a fault, `DELETE` ends all;
 * `GET /_script/requests` returns what was asked, `DELETE` forgets it.
 */
export const startSources = async ({ port = 0, sources, faults: initial = [] }: SourcesRequest) => {
  const byName = new Map<string, LocalSource>()
  const faults = createFaults(initial)
  let records: SourceRecord[] = []
  /** Last answer of each source and path, without its query. */
  const previous = new Map<string, LocalSourceAnswer>()

  const script = async (request: IncomingMessage, response: ServerResponse, path: string): Promise<void> => {
    const { method } = request
    if (path === '/faults' && method === 'POST') faults.add(SourceFault.parse(JSON.parse(await readBody(request))))
    else if (path === '/faults' && method === 'DELETE') faults.clear()
    else if (path === '/requests' && method === 'GET') return sendJson(response, 200, records)
    else if (path === '/requests' && method === 'DELETE') records = []
    else return sendJson(response, 404, { message: 'no such script' })
    response.writeHead(204).end()
  }

  const record = (request: IncomingMessage, name: string, { pathname, search }: URL, body: string): void => {
    const headers = Object.fromEntries(Object.entries(request.headers).map(([key, value]) => [key, String(value)]))
    records.push({ name, method: request.method ?? '', path: `${pathname}${search}`, headers, body })
    if (records.length > RECORDED) records = records.slice(-RECORDED)
  }

  const answer = async (request: IncomingMessage, response: ServerResponse, source: LocalSource, url: URL): Promise<void> => {
    const body = await readBody(request)
    record(request, source.name, url, body)
    const right = source.answer({ method: request.method ?? 'GET', url, headers: request.headers, body })
    const place = `${source.name}${url.pathname}`
    const fault = faults.take(source.name, `${url.pathname}${url.search}`)
    const before = previous.get(place)
    previous.set(place, right)
    if (fault !== undefined) return fault({ response, right, previous: before })
    if (isUnchanged(request, right)) response.writeHead(304, right.headers).end()
    else sendRight(response, right, /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? '')))
  }

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const { name, url } = splitAddress(request)
      const source = byName.get(name)
      if (name === '_script') await script(request, response, url.pathname)
      else if (source === undefined) sendJson(response, 404, { message: 'no such source' })
      else await answer(request, response, source, url)
    } catch (error) {
      if (!response.headersSent) sendJson(response, 400, { message: error instanceof Error ? error.message : String(error) })
      else response.destroy()
    }
  }

  const server = createServer((request, response) => void handle(request, response))
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const source of typeof sources === 'function' ? sources(`http://${host}`) : sources) byName.set(source.name, source)

  return {
    /** Address under which each source stands by its name. */
    url: `http://${host}`,
    /** Host and port, as a URL has them. */
    host,
    faults,
    /** Returns the requests since the last call. */
    takeRequests: (): SourceRecord[] => {
      const taken = records
      records = []
      return taken
    },
    stop: async (): Promise<void> => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** Settings with which a service reads these sources. */
export const sourceSettings = (url: string): Record<string, string> => ({
  WIKIPEDIA_API_URL: `${url}/wikipedia/{language}/w/api.php`,
  OSV_API_URL: `${url}/osv`,
  OPEN_DATA_API_URL: `${url}/open-data`,
  OPENAPI_LIST_URL: `${url}/openapi/v2/list.json`,
  STANDARDS_API_URL: `${url}/standards`,
  STANDARDS_PAGES_URL: `${url}/standards`,
})
