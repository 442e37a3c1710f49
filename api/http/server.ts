import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type Koa from 'koa'
import { ServiceError } from '../../schemas/errors.ts'
import { problemOf } from './problem.ts'

/** A problem document for requests that never reach the application. */
const refusalOf = (detail: string, baseUrl: string): { headers: Record<string, string | number>; body: string } => {
  const id = randomUUID()
  const body = JSON.stringify(problemOf(new ServiceError('invalid_request', { detail }), baseUrl, id))
  const headers = {
    'Content-Type': 'application/problem+json',
    'X-Request-Id': id,
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  }
  return { headers, body }
}

/** Answers bytes that are not an HTTP request with a problem document. */
const answerMalformedRequest = (baseUrl: string) => (_error: Error, socket: Duplex) => {
  if (!socket.writable) return
  const { headers, body } = refusalOf('The request is not valid HTTP.', baseUrl)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(['HTTP/1.1 400 Bad Request', ...lines, '', body].join('\r\n'))
}

/** Path and query of a target, which may be an address as a whole (RFC 9112, 3.2.2). */
const originForm = (target: string): string => target.replace(/^https?:\/\/[^/?]*\/?/i, '/')

/** Longer than the idle time of a usual load balancer, so that it never reuses a closing connection. */
const KEEP_ALIVE_MS = 65_000

export interface ApiListener {
  server: Server
  /** Replaces the application, from the next request on. */
  setApp(app: Koa): void
}

/** Listens; resolves once connections are accepted. */
export const listen = async (
  first: Koa,
  { port, host, baseUrl }: { port: number; host: string; baseUrl: string },
): Promise<ApiListener> => {
  let answer = first.callback()
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    request.url = originForm(request.url ?? '/')
    // Node would refuse a missing host with an empty 400.
    if (request.httpVersion !== '1.1' || request.headers.host !== undefined) return void answer(request, response)
    const { headers, body } = refusalOf('An HTTP/1.1 request names its host.', baseUrl)
    response.writeHead(400, headers).end(body)
  }
  const server = createServer({ requireHostHeader: false }, handle).listen(port, host)
  server.keepAliveTimeout = KEEP_ALIVE_MS
  // An unknown expectation is ignored; Node would answer an empty 417.
  server.on('checkExpectation', handle)
  server.on('clientError', answerMalformedRequest(baseUrl))
  await once(server, 'listening')
  return {
    server,
    setApp: (app) => {
      answer = app.callback()
    },
  }
}
