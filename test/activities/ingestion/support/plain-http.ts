import type { SourceAnswer, SourceHttp, SourceRequest } from '../../../../activities/ingestion/source.ts'
import { SourceFailure } from '../../../../activities/ingestion/source.ts'
import type { Twin } from '../../../../local/sources/twin.ts'
import { startHttpServer } from '../../support/http-server.ts'

/** A request as a server received it. */
interface Received {
  method: string
  url: URL
  headers: Readonly<Record<string, string | string[] | undefined>>
}

/** Requests of a run without limits: enough to read a server of this machine. */
export const createPlainHttp = (budget = Number.POSITIVE_INFINITY): SourceHttp => {
  const requests = { used: 0 }
  const get = async ({ url, headers, maxBytes, accept = [] }: SourceRequest): Promise<SourceAnswer> => {
    if (requests.used >= budget) throw new SourceFailure('budget_exhausted', `${budget} requests`)
    requests.used += 1
    const response = await fetch(url, { headers: { 'user-agent': 'test/1 (tests@example)', ...headers } })
    const body = Buffer.from(await response.arrayBuffer())
    if (body.length > maxBytes) throw new SourceFailure('source_too_large', `more than ${maxBytes} bytes`)
    if (response.status !== 200 && !accept.includes(response.status)) throw new SourceFailure('source_refused', `status ${response.status}`)
    return { status: response.status, headers: Object.fromEntries(response.headers), body, url: response.url, unchanged: false }
  }
  return {
    get,
    async getJson(request) {
      const answer = await get(request)
      const type = String(answer.headers['content-type']).split(';')[0] ?? ''
      if (request.types?.includes(type) === false) throw new SourceFailure('source_unreadable', `the type ${type}`)
      try {
        return { value: JSON.parse(answer.body.toString('utf8')), answer }
      } catch {
        throw new SourceFailure('source_unreadable', 'the answer is not JSON')
      }
    },
    get used() {
      return requests.used
    },
  }
}

/** Starts a server of a local source at `/<name>` and records what it receives. */
export const startLocalSource = async (source: Twin) => {
  const received: Received[] = []
  const server = await startHttpServer((request, response) => {
    const url = new URL(request.url ?? '', `http://${request.headers.host}`)
    received.push({ method: request.method ?? '', url: new URL(url), headers: request.headers })
    url.pathname = url.pathname.slice(source.name.length + 1)
    const { status, type, body, headers } = source.answer({ method: request.method ?? '', url, headers: request.headers, body: '' })
    response.writeHead(status, { 'content-type': type, ...headers }).end(body)
  })
  return { url: `${server.url}/${source.name}`, received, stop: server.stop }
}

/** Starts a source whose one answer a test sets. */
export const startFixedSource = async () => {
  const fixed = { status: 200, body: '' as unknown, headers: {} as Record<string, string> }
  const server = await startHttpServer((_request, response) => {
    const { status, body, headers } = fixed
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  return {
    url: server.url,
    stop: server.stop,
    respond: (body: unknown, headers: Record<string, string> = {}, status = 200): void => {
      Object.assign(fixed, { body, headers, status })
    },
  }
}

/** The failure of a source; any other error is thrown. */
export const failureOf = async (work: Promise<unknown>): Promise<SourceFailure> => {
  try {
    await work
  } catch (error) {
    if (error instanceof SourceFailure) return error
    throw error
  }
  throw new Error('no failure')
}
