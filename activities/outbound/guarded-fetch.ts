import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { ACCEPTED_CODINGS, type BodyLimits, readBody } from './body.ts'
import { isPublicAddress } from './public-address.ts'

/** One address of a host name. */
interface Resolved {
  address: string
  family: number
}

export interface GuardSettings {
  /** Hosts as in a URL (`host` or `host:port`, lower case) that may be private and may use plain HTTP. */
  allowedHosts: readonly string[]
  /** Resolves a name; the system's resolver by default. */
  resolve?: (host: string) => Promise<Resolved[]>
  /** User agent of requests that name none. */
  userAgent?: string
}

export interface OutboundRequest extends BodyLimits {
  url: string
  headers?: Record<string, string>
  /** Sent by POST; without one the request is a GET. A redirect of a POST is never followed. */
  body?: string
  /** For a request without a body that is no GET. */
  method?: 'DELETE'
  /** Time limit for name, connection, redirects and body together. */
  timeoutMs: number
  /** Maximum number of redirects. Each address is checked like the first. */
  redirects: number
  /** Called before each connection, also those of redirects. */
  onConnect?: () => void
  /** Called when the request has left, before its answer. */
  onSent?: () => void
  /** Ends the request as its time limit does. */
  signal?: AbortSignal
}

/** Reason of a failure. `refused` addresses were never connected to. */
type OutboundFailure = 'refused' | 'timeout' | 'network' | 'too_large' | 'encoding' | 'redirected'
export type OutboundAnswer =
  | { ok: true; status: number; headers: IncomingHttpHeaders; body: Buffer; url: string }
  | { ok: false; failure: OutboundFailure; detail: string }

/** Fetches a public address. Never throws; failures are answers. */
export type GuardedFetch = (request: OutboundRequest) => Promise<OutboundAnswer>

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

const createFailure = (failure: OutboundFailure, detail: string) => ({ ok: false as const, failure, detail })
type Failed = ReturnType<typeof createFailure>
const isFailed = (value: object): value is Failed => 'failure' in value

const systemResolve = (host: string): Promise<Resolved[]> => lookup(host, { all: true, verbatim: true })

/** Fault of an address before its name is resolved; null if there is none. */
const addressFault = (url: URL, named: boolean): string | null => {
  if (url.username !== '' || url.password !== '') return 'credentials in the address'
  if (named) return url.protocol === 'http:' || url.protocol === 'https:' ? null : `the scheme ${url.protocol}`
  if (url.protocol !== 'https:') return `the scheme ${url.protocol}`
  return url.port === '' ? null : `the port ${url.port}`
}

/** Pins the connection to the checked addresses, so that no second DNS lookup can return others. */
const pinLookup =
  (addresses: readonly Resolved[]): LookupFunction =>
  (_host, options, done) => {
    const [first] = addresses
    if (options.all) done(null, [...addresses])
    else done(null, first?.address ?? '', first?.family ?? 0)
  }

const errorText = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}

/** Checks a URL by scheme, port and the addresses of its host; returns the addresses. */
const createGuard = ({ allowedHosts, resolve = systemResolve }: GuardSettings) => {
  const allowed = new Set(allowedHosts.map((host) => host.toLowerCase()))
  return async (url: URL): Promise<Resolved[] | Failed> => {
    const named = allowed.has(url.host)
    const fault = addressFault(url, named)
    if (fault !== null) return createFailure('refused', fault)
    // The URL puts an IPv6 literal in brackets.
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const literal = isIP(host)
    const addresses = literal === 0 ? await resolve(host) : [{ address: host, family: literal }]
    if (addresses.length === 0) return createFailure('network', 'the name has no address')
    const closed = named ? undefined : addresses.find(({ address }) => !isPublicAddress(address))
    return closed === undefined ? addresses : createFailure('refused', `${url.host} is at an address that is not public`)
  }
}

/**
 * Runs work within a time limit. Never throws; a thrown error is a failure of the network. The timer ends with the work: one that ran on would keep
 * the answer in memory until the limit.
 */
const withinTime = async <Success extends object>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<Success | Failed>,
  ended?: AbortSignal,
): Promise<Success | Failed> => {
  if (ended?.aborted) return createFailure('timeout', 'the caller ended the request')
  const limit = new AbortController()
  const { signal } = limit
  const end = () => limit.abort()
  ended?.addEventListener('abort', end)
  const timer = setTimeout(() => limit.abort(), timeoutMs).unref()
  const late = once(signal, 'abort').then(() => createFailure('timeout', `no answer within ${timeoutMs} ms`))
  const working = work(signal).catch((error: unknown) => createFailure('network', errorText(error)))
  try {
    return await Promise.race([working.then((answer) => (signal.aborted && isFailed(answer) ? late : answer)), late])
  } finally {
    clearTimeout(timer)
    ended?.removeEventListener('abort', end)
  }
}

/** Why the guarded fetch would not reach an address now; null if it would. */
export type AddressCheck = (address: string) => Promise<string | null>

/** Creates the check of an address that is fetched later. The guarded fetch checks it again. */
export const createAddressCheck = (settings: GuardSettings, timeoutMs: number): AddressCheck => {
  const guard = createGuard(settings)
  return async (address) => {
    const url = URL.parse(address)
    if (url === null) return 'not an address'
    const checked = await withinTime(timeoutMs, () => guard(url))
    return isFailed(checked) ? checked.detail : null
  }
}

/** Creates a guarded fetch. The service makes every request to another host through one. */
export const createGuardedFetch = (settings: GuardSettings): GuardedFetch => {
  const guard = createGuard(settings)

  const connect = (
    url: URL,
    addresses: readonly Resolved[],
    { headers, body, method: named, onSent }: Pick<OutboundRequest, 'headers' | 'body' | 'method' | 'onSent'>,
    signal: AbortSignal,
  ): Promise<IncomingMessage> =>
    new Promise((resolveAnswer, reject) => {
      const send = url.protocol === 'https:' ? requestHttps : requestHttp
      const method = named ?? (body === undefined ? 'GET' : 'POST')
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
      const options = { method, headers: { ...headers, ...length }, lookup: pinLookup(addresses), agent: false, signal }
      const sent = send(url, options, resolveAnswer)
      sent.once('error', reject)
      if (onSent) sent.once('finish', onSent)
      sent.end(body)
    })

  const follow = async (request: OutboundRequest, signal: AbortSignal): Promise<OutboundAnswer> => {
    const { body: content, redirects } = request
    let url = URL.parse(request.url)
    let headers: Record<string, string> = {
      'accept-encoding': request.decode === true ? ACCEPTED_CODINGS : 'identity',
      ...(settings.userAgent !== undefined && { 'user-agent': settings.userAgent }),
      ...request.headers,
    }
    for (let hops = 0; url !== null; hops += 1) {
      const addresses = await guard(url)
      if (isFailed(addresses)) return addresses
      request.onConnect?.()
      const answer = await connect(url, addresses, { ...request, headers }, signal)
      const status = answer.statusCode ?? 0
      if (!REDIRECTS.has(status) || answer.headers.location === undefined) {
        const read = await readBody(answer, request)
        if ('fault' in read) return createFailure(read.fault, read.detail)
        return { ok: true, status, headers: answer.headers, body: read.body, url: url.href }
      }
      answer.destroy()
      if (content !== undefined || hops >= redirects) return createFailure('redirected', `more than ${redirects} redirects`)
      const next: URL | null = URL.parse(answer.headers.location, url.href)
      // The secret is sent only to its own host.
      if (next?.origin !== url.origin) headers = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'authorization'))
      url = next
    }
    return createFailure('refused', 'not an address')
  }

  return (request) => withinTime(request.timeoutMs, (signal) => follow(request, signal), request.signal)
}
