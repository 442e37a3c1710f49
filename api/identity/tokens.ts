import { createHash, randomUUID } from 'node:crypto'
import { compactVerify, decodeProtectedHeader, errors, type ProtectedHeaderParameters, SignJWT } from 'jose'
import type { PublicJwk, SigningKey } from '../../activities/common/document-signing.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { Role } from '../../schemas/identity/authorisation.ts'
import { type ClaimRules, readClaims, TOKEN_TYPE, type TokenClaims } from './token-claims.ts'

type Key = Parameters<typeof compactVerify>[1] & Parameters<SignJWT['sign']>[0]

/** The active algorithm with its keys: the first key signs, all keys verify. */
interface Backend {
  alg: 'ES256' | 'HS256'
  keys: readonly { kid: string; sign: Key; verify: Key }[]
  /** Public keys of access tokens; empty for shared secrets. */
  jwks: PublicJwk[]
}

/** ES256 over one P-256 key. */
export const es256Backend = (key: SigningKey): Backend => ({
  alg: 'ES256',
  keys: [{ kid: key.kid, sign: key.privateKey, verify: key.publicKey }],
  jwks: [key.jwk],
})

/** Key id of a shared secret: its digest, so that rotation needs no numbers. */
const secretKid = (secret: string): string => `hs-${createHash('sha256').update(secret).digest('hex').slice(0, 12)}`

/** HS256 over a list of secrets of at least 32 characters. */
export const hs256Backend = (secrets: readonly string[]): Backend => {
  if (secrets.length === 0 || secrets.some((secret) => secret.length < 32))
    throw new Error('JWT_SECRETS needs at least one secret, each of at least 32 characters')
  const keys = secrets.map((secret) => ({ kid: secretKid(secret), bytes: new TextEncoder().encode(secret) }))
  return { alg: 'HS256', keys: keys.map(({ kid, bytes }) => ({ kid, sign: bytes, verify: bytes })), jwks: [] }
}

interface TokenGrant {
  sub: string
  roles: readonly Role[]
  /** The sign-in. */
  sid: string
  /** Epoch seconds of the original sign-in; copied by every refresh. */
  authTime: number
}

/** A service token to sign. Times are epoch seconds. */
interface ServiceToken {
  sub: string
  grantId: string
  scope: string | null
  iat: number
  exp: number
}

/** The token of a delegate to sign. One of OAuth is for the resource `audience` alone. */
type DelegateToken = Omit<ServiceToken, 'scope'> & { audience?: string }

const REFUSED_HEADERS = ['jku', 'jwk', 'x5u', 'x5c', 'x5t', 'crit', 'b64'] as const

const headerOf = (token: string): ProtectedHeaderParameters => {
  if (!/^[\w-]+\.[\w-]*\.[\w-]*$/.test(token)) throw new ServiceError('malformed_token')
  try {
    return decodeProtectedHeader(token)
  } catch (error) {
    if (error instanceof TypeError || error instanceof errors.JOSEError) throw new ServiceError('malformed_token')
    throw error
  }
}

const keyFor = (backend: Backend, token: string): Key => {
  const header = headerOf(token)
  if (REFUSED_HEADERS.some((name) => header[name] !== undefined))
    throw new ServiceError('malformed_token', { detail: 'The token carries a key or a critical extension in its header.' })
  if (header.alg !== backend.alg) throw new ServiceError('unsupported_alg')
  if (header.typ !== TOKEN_TYPE) throw new ServiceError('claims_mismatch', { reason: 'typ' })
  const key = backend.keys.find(({ kid }) => kid === header.kid)
  if (key === undefined) throw new ServiceError('unknown_kid')
  return key.verify
}

const payloadOf = async (backend: Backend, token: string): Promise<Record<string, unknown>> => {
  const key = keyFor(backend, token)
  const verified = await compactVerify(token, key, { algorithms: [backend.alg] }).catch((error: unknown) => {
    if (error instanceof errors.JWSSignatureVerificationFailed) throw new ServiceError('bad_signature')
    if (error instanceof errors.JOSEError) throw new ServiceError('malformed_token')
    throw error
  })
  return objectOf(verified.payload)
}

const objectOf = (bytes: Uint8Array): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new ServiceError('malformed_token')
}

/** Issues and verifies access tokens with exactly one algorithm. */
export const createTokens = (backend: Backend, rules: ClaimRules) => {
  const [signer] = backend.keys
  if (signer === undefined) throw new Error('no key to sign tokens with')
  const sign = async (claims: TokenClaims, audience = rules.audience) => {
    const { sub, roles, kind, sid, grantId, scope, authTime, iat, exp, jti } = claims
    const granted = { tokenKind: kind, capabilityGrantId: grantId, ...(scope !== null && { serviceScope: scope }) }
    const token = await new SignJWT({
      roles,
      auth_time: authTime,
      ...(kind === 'wallet' ? { sid } : granted),
      ...(kind === 'service' && { serviceToken: true }),
    })
      .setProtectedHeader({ alg: backend.alg, typ: TOKEN_TYPE, kid: signer.kid })
      .setIssuer(rules.issuer)
      .setAudience(audience)
      .setSubject(sub)
      .setIssuedAt(iat)
      .setNotBefore(iat)
      .setExpirationTime(exp)
      .setJti(jti)
      .sign(signer.sign)
    return { token, claims }
  }
  /** Signs a token of a wallet that ends after the configured lifetime, never beyond `notAfter` (epoch seconds). With the `jti` and time of an earlier one it has the same claims. */
  const issue = (grant: TokenGrant, nowMs: number, notAfter = Number.POSITIVE_INFINITY, jti: string = randomUUID()) => {
    const iat = Math.floor(nowMs / 1000)
    const exp = Math.min(iat + rules.ttlSeconds, notAfter)
    return sign({ ...grant, roles: [...grant.roles], kind: 'wallet', grantId: null, scope: null, jti, iat, exp })
  }
  /** Signs a service token, which has no role. */
  const issueService = ({ iat, ...token }: ServiceToken) =>
    sign({ ...token, sid: null, roles: [], kind: 'service', jti: randomUUID(), iat, authTime: iat })
  /** Signs the token of a delegate, which has no role. */
  const issueDelegate = ({ iat, audience, ...token }: DelegateToken) =>
    sign({ ...token, sid: null, scope: null, roles: [], kind: 'delegate', jti: randomUUID(), iat, authTime: iat }, audience)
  return {
    algorithm: backend.alg,
    jwks: backend.jwks,
    issue,
    issueService,
    issueDelegate,
    /** Claims of a valid token, at `resource` also of one of OAuth; throws the 401 code of the first rule it breaks. The caller checks revocation. */
    verify: async (token: string, nowMs: number, resource?: string) =>
      readClaims(await payloadOf(backend, token), { ...rules, resource }, Math.floor(nowMs / 1000)),
  }
}
export type Tokens = ReturnType<typeof createTokens>
