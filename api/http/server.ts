import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type Koa from 'koa'
import { namesOneHost } from '../../domain/http/request-metadata.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { type Exchange, isLongTarget, type Refused, refuseBytes, refuseConnect, refuseRequest, type Wire } from './wire-refusals.ts'

/** Path and query of a target, which may be an address as a whole (RFC 9112, 3.2.2). */
const originForm = (target: string): string => target.replace(/^https?:\/\/[^/?]*\/?/i, '/')

/** Most bytes of address and header fields together. */
const HEADER_BYTES = 16_384
/** What Node reads at most: above `HEADER_BYTES`, so that a refusal can tell a long address from long fields. */
const READ_HEADER_BYTES = 32_768

const hostLines = ({ rawHeaders }: IncomingMessage): string[] =>
  rawHeaders.filter((_value, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host')

/** Refusal of a request before the application sees it; null for one that it may see. */
const findRefusal = (request: IncomingMessage): ServiceError | null => {
  const target = request.url ?? ''
  const size = request.rawHeaders.reduce((bytes, text) => bytes + text.length, target.length)
  if (size > HEADER_BYTES) return new ServiceError(isLongTarget(target) ? 'uri_too_long' : 'header_fields_too_large')
  if (namesOneHost(hostLines(request), request.httpVersion)) return null
  return new ServiceError('invalid_request', { detail: 'A request names one host, in one Host line.' })
}

/** Longer than the idle time of a usual load balancer, so that it never reuses a closing connection. */
const KEEP_ALIVE_MS = 65_000
/** Time in which a request must arrive, and how often that is checked. */
const ARRIVAL = { headersMs: 15_000, requestMs: 30_000, checkMs: 5_000 }

/** Event of the application for an answer that its server gave in its place; the argument is a {@link Refused}. */
export const REFUSED = 'refused'

export interface ApiListener {
  server: Server
  /** Every open connection, also those that Node no longer counts because they asked for CONNECT. */
  connections: ReadonlySet<Socket>
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
  let [app, answer] = [first, first.callback()]
  const wire: Wire = { baseUrl, onRefused: (refused: Refused) => void app.emit(REFUSED, refused) }
  const exchanges = new WeakMap<Duplex, Exchange>()
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    exchanges.set(request.socket, { request, response })
    const refusal = findRefusal(request)
    if (refusal !== null) {
      refuseRequest(response, refusal, wire)
      return
    }
    request.url = originForm(request.url ?? '/')
    void answer(request, response)
  }
  const server = createServer(
    {
      // Node would refuse a missing host with an empty 400.
      requireHostHeader: false,
      maxHeaderSize: READ_HEADER_BYTES,
      headersTimeout: arrival.headersMs,
      requestTimeout: arrival.requestMs,
      connectionsCheckingInterval: arrival.checkMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    handle,
  ).listen(port, host)
  const connections = new Set<Socket>()
  server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  // An unknown expectation is ignored; Node would answer an empty 417.
  server.on('checkExpectation', handle)
  server.on('clientError', (error, socket) => refuseBytes(error, socket, exchanges.get(socket), wire))
  server.on('connect', (_request, socket) => refuseConnect(socket, exchanges.get(socket), wire))
  await once(server, 'listening')
  return {
    server,
    connections,
    setApp: (next) => {
      app = next
      answer = next.callback()
    },
  }
}
