import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Socket } from 'node:net'

/** A request that the service makes of its authorisation server, in place of the client's own. */
export interface ServerRequest {
  method: 'GET' | 'POST'
  /** Path with its query. */
  target: string
  cookie?: string | null
  body?: { type: string; bytes: Buffer }
}

export interface ServerAnswer {
  /** The request that the server read, by which its events are known. */
  request: IncomingMessage
  status: number
  headers: OutgoingHttpHeaders
  text: string
}

/** Cookies that tie a request to its browser. There is none of a session, as consent is never remembered. */
const REQUEST_COOKIE = /^_interaction(?:_resume)?(?:\.sig)?=/

/** Request and response without a connection. The server builds its addresses from `baseUrl` alone. */
export const createExchange = (baseUrl: string, { method, target, cookie, body }: ServerRequest) => {
  const { host, protocol } = new URL(baseUrl)
  const request = new IncomingMessage(new Socket())
  const cookies = (cookie ?? '').split(/;\s*/).filter((pair) => REQUEST_COOKIE.test(pair))
  Object.assign(request, { method, url: target })
  request.headers = {
    host,
    'x-forwarded-proto': protocol.slice(0, -1),
    ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
    ...(body !== undefined && { 'content-type': body.type, 'content-length': String(body.bytes.length) }),
  }
  if (body !== undefined) request.push(body.bytes)
  request.push(null)
  return { request, response: new ServerResponse(request) }
}

/** Cookies of an answer, without those of a session. */
export const cookiesOf = (headers: OutgoingHttpHeaders): string[] => {
  const sent = headers['set-cookie'] ?? []
  return (Array.isArray(sent) ? sent : [String(sent)]).filter((cookie) => REQUEST_COOKIE.test(cookie))
}

/** Sends a request through the authorisation server and collects its answer. */
export const exchange = (
  baseUrl: string,
  callback: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  sent: ServerRequest,
): Promise<ServerAnswer> => {
  const { request, response } = createExchange(baseUrl, sent)
  return new Promise((resolve, reject) => {
    response.end = ((chunk?: unknown) => {
      const text = Buffer.isBuffer(chunk) ? chunk.toString('utf8') : typeof chunk === 'string' ? chunk : ''
      resolve({ request, status: response.statusCode, headers: response.getHeaders(), text })
      return response
    }) as typeof response.end
    callback(request, response).catch(reject)
  })
}
