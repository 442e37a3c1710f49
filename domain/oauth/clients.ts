import { isStorable } from '../common/text.ts'
import { cleanName } from '../identity/delegate-terms.ts'

/** Bounds of what a client registers. */
const MOST_REDIRECTS = 10
const REDIRECT_LENGTH = 2_000

/** What every client is: a native program without a secret. Only then may an address on the own computer have any port. */
export const NATIVE_CLIENT = {
  application_type: 'native',
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
} as const

/** What a client registers, as far as the service uses it. */
type Registration = typeof NATIVE_CLIENT & {
  redirect_uris: string[]
  client_name: string
}

/** Whether an address can be stored, and names no user, behind which a reader would take another host for the place. */
const isPlain = (address: string): boolean => {
  if (!isStorable(address)) return false
  const url = URL.parse(address)
  return url === null || (url.username === '' && url.password === '')
}

/** The registration that a body asks for, or why it is refused. */
export const readRegistration = (body: unknown): Registration | { fault: string } => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { fault: 'the body must be a JSON object' }
  const { redirect_uris: redirects, client_name: name } = body as Record<string, unknown>
  if (!Array.isArray(redirects) || redirects.length === 0) return { fault: 'redirect_uris must be a list of addresses' }
  if (redirects.length > MOST_REDIRECTS) return { fault: `redirect_uris has more than ${MOST_REDIRECTS} addresses` }
  if (!redirects.every((uri) => typeof uri === 'string' && uri.length <= REDIRECT_LENGTH))
    return { fault: `redirect_uris holds an address of more than ${REDIRECT_LENGTH} characters, or no text` }
  if (!redirects.every(isPlain))
    return { fault: 'redirect_uris holds an address with a user name, or with characters that are not valid text' }
  return { ...NATIVE_CLIENT, redirect_uris: redirects, client_name: cleanName(typeof name === 'string' ? name : '') }
}

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/

/** Where a client is sent back: in words for a person, for the statement of a message, and as a source of a `form-action` policy. */
export const describeRedirect = (redirect: string): { words: string; host: string; source: string; isLocal: boolean } => {
  const { protocol, host, hostname, origin } = new URL(redirect)
  if (protocol !== 'http:' && protocol !== 'https:')
    return { words: `a program on this computer, by ${protocol}`, host: 'this computer', source: protocol, isLocal: true }
  const isLocal = LOOPBACK.test(hostname)
  return { words: isLocal ? `a program on this computer, at ${host}` : host, host, source: origin, isLocal }
}

/** Host of the document that describes a client; null for a client that registered itself. */
export const documentHost = (clientId: string): string | null =>
  clientId.startsWith('https://') ? (URL.parse(clientId)?.host ?? null) : null
