import { createHash, randomUUID } from 'node:crypto'
import { compactVerify, decodeProtectedHeader, errors, type ProtectedHeaderParameters, SignJWT } from 'jose'
import type { ListedKey, SigningKey } from '../../activities/common/document-signing.ts'
import type { CurrentKey, KeyRecord } from '../../activities/identity/key-records.ts'
import { keyView } from '../../activities/identity/signing-keys.ts'
import { hasKeyEnded, isInKeyWindow, type KeyWindow } from '../../domain/identity/key-windows.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { Role } from '../../schemas/identity/authorisation.ts'
import { type ClaimRules, nativeClaims, readClaims, readSubject, TOKEN_TYPE, TOLERANCE_SECONDS, type TokenClaims } from './token-claims.ts'
import type { TokenKeyRecords } from './token-keys.ts'

const SKEW_MS = TOLERANCE_SECONDS * 1_000

type Key = Parameters<typeof compactVerify>[1] & Parameters<SignJWT['sign']>[0]

/** A key that verifies; without a window it verifies tokens of any date. */
interface VerifyingKey {
  key: Key
  window: Pick<KeyWindow, 'validFrom' | 'retiredAt'> | null
}

/** The active algorithm with its keys. Times are epoch ms. */
interface Backend {
  alg: 'ES256' | 'HS256'
  /** Key that signs now. Throws 503 `token_key_unavailable` if there is none. */
  signer: (now: number) => Promise<{ kid: string; key: Key }>
  /** Key of an id; null for one whose tokens are not accepted. */
  find: (kid: string, now: number) => Promise<VerifyingKey | null>
  /** Public keys of access tokens; none for shared secrets. */
  keySet: (now: number) => Promise<ListedKey[]>
  /** The next token is verified with records that are read after this call. */
  forgetKeys: () => void
}

interface KeysDeps {
  currentKey: CurrentKey
  records: TokenKeyRecords
  /** Records of all token keys. */
  list: () => Promise<KeyRecord[]>
}

/** ES256 over the recorded P-256 keys: the current one signs, those that have not ended verify. */
export const es256Backend = ({ currentKey, records, list }: KeysDeps): Backend => {
  const signer = async (now: number): Promise<SigningKey> => {
    const { key, record } = await currentKey()
    // Another process may have a newer file. Readers accept a token that is dated within the clock difference of the window.
    if (hasKeyEnded(record, now) || !isInKeyWindow({ ...record, validFrom: 0 }, now, SKEW_MS))
      throw new ServiceError('token_key_unavailable')
    return key
  }
  return {
    alg: 'ES256',
    signer: async (now) => {
      const { kid, privateKey } = await signer(now)
      return { kid, key: privateKey }
    },
    find: async (kid, now) => {
      const record = await records.find(kid)
      return record === undefined || hasKeyEnded(record, now) ? null : { key: records.publicKey(record), window: record }
    },
    keySet: async (now) => {
      await currentKey()
      return (await list()).filter((record) => !hasKeyEnded(record, now)).map(keyView)
    },
    forgetKeys: records.forget,
  }
}

/** Key id of a shared secret: its digest, so that rotation needs no numbers. */
const secretKid = (secret: string): string => `hs-${createHash('sha256').update(secret).digest('hex').slice(0, 12)}`

/** HS256 over a list of secrets of at least 32 characters. */
export const hs256Backend = (secrets: readonly string[]): Backend => {
  if (secrets.length === 0 || secrets.some((secret) => secret.length < 32))
    throw new Error('JWT_SECRETS needs at least one secret, each of at least 32 characters')
  const [first, ...others] = secrets.map((secret) => ({ kid: secretKid(secret), key: new TextEncoder().encode(secret) }))
  if (first === undefined) throw new Error('no secret to sign tokens with')
  return {
    alg: 'HS256',
    signer: async () => first,
    find: async (kid) => {
      const found = [first, ...others].find((one) => one.kid === kid)
      return found === undefined ? null : { key: found.key, window: null }
    },
    keySet: async () => [],
    forgetKeys: () => undefined,
  }
}

interface TokenGrant {
  /** Lower-case address, or SS58 address (prefix 0) of a native account. */
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

const keyFor = async (backend: Backend, token: string, now: number): Promise<VerifyingKey> => {
  const header = headerOf(token)
  if (REFUSED_HEADERS.some((name) => header[name] !== undefined))
    throw new ServiceError('malformed_token', { detail: 'The token carries a key or a critical extension in its header.' })
  if (header.alg !== backend.alg) throw new ServiceError('unsupported_alg')
  if (header.typ !== TOKEN_TYPE) throw new ServiceError('claims_mismatch', { reason: 'typ' })
  const key = header.kid === undefined ? null : await backend.find(header.kid, now)
  if (key === null) throw new ServiceError('unknown_kid')
  return key
}

const payloadOf = async (backend: Backend, key: Key, token: string): Promise<Record<string, unknown>> => {
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

/** The subject of a token to sign. Throws for a text that is none. */
const getSubject = (sub: string) => {
  const subject = readSubject(sub)
  if (subject === null) throw new Error(`no token has the subject ${sub}`)
  return subject
}

/** Issues and verifies access tokens with exactly one algorithm. */
export const createTokens = (backend: Backend, rules: ClaimRules) => {
  const sign = async (claims: TokenClaims, audience = rules.audience) => {
    const signer = await backend.signer(claims.iat * 1000)
    const { sub, roles, kind, sid, grantId, scope, authTime, iat, exp, jti } = claims
    const granted = { tokenKind: kind, capabilityGrantId: grantId, ...(scope !== null && { serviceScope: scope }) }
    const token = await new SignJWT({
      roles,
      auth_time: authTime,
      ...nativeClaims(claims),
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
      .sign(signer.key)
    return { token, claims }
  }
  /** Signs a token of a wallet that ends after the configured lifetime, never beyond `notAfter` (epoch seconds). With the `jti` and time of an earlier one it has the same claims. */
  const issue = (grant: TokenGrant, nowMs: number, notAfter = Number.POSITIVE_INFINITY, jti: string = randomUUID()) => {
    const iat = Math.floor(nowMs / 1000)
    const exp = Math.min(iat + rules.ttlSeconds, notAfter)
    return sign({ ...grant, ...getSubject(grant.sub), roles: [...grant.roles], kind: 'wallet', grantId: null, scope: null, jti, iat, exp })
  }
  /** Signs a service token, which has no role. */
  const issueService = ({ iat, ...token }: ServiceToken) =>
    sign({ ...token, ...getSubject(token.sub), sid: null, roles: [], kind: 'service', jti: randomUUID(), iat, authTime: iat })
  /** Signs the token of a delegate, which has no role. */
  const issueDelegate = ({ iat, audience, ...token }: DelegateToken) =>
    sign(
      { ...token, ...getSubject(token.sub), sid: null, scope: null, roles: [], kind: 'delegate', jti: randomUUID(), iat, authTime: iat },
      audience,
    )
  return {
    algorithm: backend.alg,
    keySet: backend.keySet,
    forgetKeys: backend.forgetKeys,
    issue,
    issueService,
    issueDelegate,
    /** Claims of a valid token, at `resource` also of one of OAuth; throws the 401 code of the first rule it breaks. The caller checks revocation. */
    verify: async (token: string, nowMs: number, resource?: string) => {
      const { key, window } = await keyFor(backend, token, nowMs)
      const claims = readClaims(await payloadOf(backend, key, token), { ...rules, resource }, Math.floor(nowMs / 1000))
      if (window !== null && !isInKeyWindow(window, claims.iat * 1000, SKEW_MS))
        throw new ServiceError('claims_mismatch', { detail: 'The token is dated outside the window of its key.', reason: 'iat' })
      return claims
    },
  }
}
export type Tokens = ReturnType<typeof createTokens>
