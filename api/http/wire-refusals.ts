import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type ErrorCode, ServiceError } from '../../schemas/errors.ts'
import { problemOf } from './problem.ts'

/** A failure that Node found in the bytes of a connection. */
interface WireError extends Error {
  code?: string
  /** The bytes at which reading failed. */
  rawPacket?: Buffer
}

/** A request with its response. */
export interface Exchange {
  request: IncomingMessage
  response: ServerResponse
}

/** An answer that the server gave in place of the application. */
export interface Refused {
  status: number
  code: ErrorCode
  requestId: string
}

/** What a refusal needs of its server. */
export interface Wire {
  baseUrl: string
  /** Called once for each of these answers. */
  onRefused: (answer: Refused) => void
}

const ALLOW = 'GET, HEAD, POST, OPTIONS'
const LONG_TARGET = 8_192
/** A connection that was refused is closed this long after the answer: closed at once, the caller might never read it. */
const LINGER_MS = 1_000

/** The address is most of what did not fit. */
export const isLongTarget = (target: string): boolean => target.length > LONG_TARGET

/** Header and address did not even fit into what is read: only the packet at hand shows which of them is long. */
const hasLongTarget = ({ rawPacket }: WireError): boolean =>
  isLongTarget(/^[A-Z]+ (\S*)/.exec(rawPacket?.toString('latin1') ?? '')?.[1] ?? '')

/** The refusal of bytes that are no request. */
const refusalOf = (error: WireError): ServiceError => {
  if (error.code === 'HPE_HEADER_OVERFLOW') return new ServiceError(hasLongTarget(error) ? 'uri_too_long' : 'header_fields_too_large')
  if (error.code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return new ServiceError('payload_too_large')
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ServiceError('request_timeout')
  return new ServiceError('invalid_request', { detail: 'The request is not valid HTTP.' })
}

const documentOf = (refusal: ServiceError, baseUrl: string) => {
  const requestId = randomUUID()
  const problem = problemOf(refusal, baseUrl, requestId)
  const body = JSON.stringify(problem)
  const headers = {
    'Content-Type': 'application/problem+json',
    'X-Request-Id': requestId,
    'Content-Length': Buffer.byteLength(body),
    ...(problem.status === 405 && { Allow: ALLOW }),
    Connection: 'close',
  }
  return { answer: { status: problem.status, code: refusal.code, requestId }, headers, body }
}

/** Answers a request in place of the application, and closes its connection. */
export const refuseRequest = (response: ServerResponse, refusal: ServiceError, { baseUrl, onRefused }: Wire): void => {
  const { answer, headers, body } = documentOf(refusal, baseUrl)
  onRefused(answer)
  response.writeHead(answer.status, headers).end(body)
}

const writeRefusal = (socket: Duplex, refusal: ServiceError, { baseUrl, onRefused }: Wire): void => {
  const { answer, headers, body } = documentOf(refusal, baseUrl)
  onRefused(answer)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`, ...lines, '', body].join('\r\n'), () => {
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  })
}

/** Closes the connection once the answer that is under way has been sent. */
const closeAfter = (response: ServerResponse, socket: Duplex): void => {
  if (!response.headersSent) response.setHeader('connection', 'close')
  response.once('close', () => socket.destroy())
}

/**
 * Refuses what cannot be read from a connection. The last request of the connection gets one answer at most: a failure in its body answers
 * it only while no answer has begun, and bytes behind it never replace its answer.
 */
export const refuseBytes = (error: WireError, socket: Duplex, last: Exchange | undefined, wire: Wire): void => {
  if (!socket.writable) return
  if (last === undefined) {
    const isSilent = socket instanceof Socket && socket.bytesRead === 0
    if (isSilent) socket.destroy()
    else writeRefusal(socket, refusalOf(error), wire)
    return
  }
  const { request, response } = last
  if (request.complete && response.writableFinished) writeRefusal(socket, refusalOf(error), wire)
  else if (response.writableFinished) socket.destroy()
  else if (request.complete || response.headersSent) closeAfter(response, socket)
  else refuseRequest(response, refusalOf(error), wire)
}

/** Refuses `CONNECT`: this is no proxy. */
export const refuseConnect = (socket: Duplex, last: Exchange | undefined, wire: Wire): void => {
  // Node has let go of this connection: nothing else would notice its end.
  socket.on('error', () => socket.destroy()).resume()
  if (last !== undefined && !last.response.writableFinished) closeAfter(last.response, socket)
  else writeRefusal(socket, new ServiceError('method_not_allowed'), wire)
}
