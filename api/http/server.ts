import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type Koa from 'koa'
import { namesOneHost } from '../../domain/http/request-metadata.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { type Exchange, refuseBytes, refuseConnect, refuseRequest } from './wire-refusals.ts'

/** Path and query of a target, which may be an address as a whole (RFC 9112, 3.2.2). */
const originForm = (target: string): string => target.replace(/^https?:\/\/[^/?]*\/?/i, '/')

const hostLines = ({ rawHeaders }: IncomingMessage): string[] =>
  rawHeaders.filter((_value, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host')

/** Longer than the idle time of a usual load balancer, so that it never reuses a closing connection. */
const KEEP_ALIVE_MS = 65_000
/** Time in which a request must arrive, and how often that is checked. */
const ARRIVAL = { headersMs: 15_000, requestMs: 30_000, checkMs: 5_000 }

export interface ApiListener {
  server: Server
  /** Replaces the application, from the next request on. */
  setApp(app: Koa): void
}

interface Address {
  port: number
  host: string
  baseUrl: string
  /** Default: 15 s for the header, 30 s for the whole request. */
  arrival?: typeof ARRIVAL
}

/** Listens; resolves once connections are accepted. */
export const listen = async (first: Koa, { port, host, baseUrl, arrival = ARRIVAL }: Address): Promise<ApiListener> => {
  let answer = first.callback()
  const exchanges = new WeakMap<Duplex, Exchange>()
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    exchanges.set(request.socket, { request, response })
    request.url = originForm(request.url ?? '/')
    if (namesOneHost(hostLines(request), request.httpVersion)) return void answer(request, response)
    refuseRequest(response, new ServiceError('invalid_request', { detail: 'A request names one host, in one Host line.' }), baseUrl)
  }
  const server = createServer(
    {
      // Node would refuse a missing host with an empty 400.
      requireHostHeader: false,
      headersTimeout: arrival.headersMs,
      requestTimeout: arrival.requestMs,
      connectionsCheckingInterval: arrival.checkMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    handle,
  ).listen(port, host)
  // An unknown expectation is ignored; Node would answer an empty 417.
  server.on('checkExpectation', handle)
  server.on('clientError', (error, socket) => refuseBytes(error, socket, exchanges.get(socket), baseUrl))
  server.on('connect', (_request, socket) => refuseConnect(socket, exchanges.get(socket), baseUrl))
  await once(server, 'listening')
  return {
    server,
    setApp: (app) => {
      answer = app.callback()
    },
  }
}
