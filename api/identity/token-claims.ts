import { SERVICE_TOKEN_SECONDS } from '../../domain/identity/grants.ts'
import { readNativeAccount } from '../../domain/identity/native/account.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { ROLES, type Role } from '../../schemas/identity/authorisation.ts'

/** Header type of an access token. */
export const TOKEN_TYPE = 'service-auth+jwt'
/** Accepted clock difference. */
export const TOLERANCE_SECONDS = 60

/** Claims of an access token. Times are epoch seconds. */
export interface TokenClaims {
  /** Lower-case address, or SS58 address (prefix 0) of a native account. */
  sub: string
  /** Lower-case address that is paid: the key of every record. */
  wallet: `0x${string}`
  /** Account id of a native account, 0x and 64 hex digits; null for every other subject. */
  accountId: `0x${string}` | null
  roles: Role[]
  kind: 'wallet' | 'service' | 'delegate'
  /** Sign-in of the token of a wallet; null for every other. */
  sid: string | null
  /** Grant of a service token or delegate; null for the token of a wallet. */
  grantId: string | null
  /** What a service token is for; null for every other. */
  scope: string | null
  jti: string
  iat: number
  exp: number
  authTime: number
}

export interface ClaimRules {
  issuer: string
  audience: string
  /** Longest lifetime of a wallet token. */
  ttlSeconds: number
  /** Address of the resource that is called: tokens of delegates may have it as their audience. */
  resource?: string | undefined
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const isAddress = (sub: string): sub is `0x${string}` => /^0x[0-9a-f]{40}$/.test(sub)
const GRANT_ID = /^grant-[0-9a-f]{12}$/

const mismatch = (claim: string): ServiceError =>
  new ServiceError('claims_mismatch', { detail: `The claim ${claim} of the token is not acceptable.`, reason: claim })

/** 9999-12-31T23:59:59Z, the last instant that the wire and the database can hold. */
const LAST_SECOND = 253_402_300_799

const seconds = (payload: Record<string, unknown>, claim: string): number => {
  const value = payload[claim]
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > LAST_SECOND) throw mismatch(claim)
  return value
}

const kindOf = (payload: Record<string, unknown>): TokenClaims['kind'] => {
  const kind = payload.tokenKind ?? 'wallet'
  if (kind !== 'wallet' && kind !== 'service' && kind !== 'delegate') throw new ServiceError('invalid_token_kind')
  return kind
}

const rolesOf = (payload: Record<string, unknown>): Role[] => {
  const { roles } = payload
  if (!Array.isArray(roles) || roles.length > ROLES.length) throw mismatch('roles')
  return roles.map((role) => {
    const known = ROLES.find((name) => name === role)
    if (known === undefined) throw new ServiceError('role_not_allowed')
    return known
  })
}

/** Claims of a token that has a grant: that, what it is for, and no role. */
const grantOf = (payload: Record<string, unknown>, kind: TokenClaims['kind']): Pick<TokenClaims, 'grantId' | 'scope' | 'roles'> => {
  const roles = rolesOf(payload)
  if (kind === 'wallet') return { grantId: null, scope: null, roles }
  const { capabilityGrantId: grantId, serviceScope: scope = null } = payload
  if (typeof grantId !== 'string' || !GRANT_ID.test(grantId)) throw mismatch('capabilityGrantId')
  if (scope !== null && typeof scope !== 'string') throw mismatch('serviceScope')
  if (roles.length > 0) throw new ServiceError('role_not_allowed', { detail: 'A token with a grant has no role.' })
  return { grantId, scope, roles }
}

type Subject = Pick<TokenClaims, 'sub' | 'wallet' | 'accountId'>

/** The wallet of a subject; null for a text that no token has as its subject. */
export const readSubject = (sub: string): Subject | null => {
  if (isAddress(sub)) return { sub, wallet: sub, accountId: null }
  const account = readNativeAccount(sub)
  return typeof account === 'string' || account.ss58 !== sub ? null : { sub, wallet: account.wallet, accountId: account.accountId }
}

/** Claims that name the forms of a native account; none for every other subject. */
export const nativeClaims = ({ wallet, accountId }: Subject): { payoutAddress?: string; accountId32?: string } =>
  accountId === null ? {} : { payoutAddress: wallet, accountId32: accountId }

const subjectOf = (payload: Record<string, unknown>, kind: TokenClaims['kind']): Subject => {
  const { sub } = payload
  if (typeof sub !== 'string' || sub === '') throw new ServiceError('missing_subject')
  const subject = readSubject(sub)
  // An operator issues service tokens for 0x addresses alone.
  if (subject === null || (kind === 'service' && subject.accountId !== null)) throw mismatch('sub')
  const { payoutAddress, accountId32 } = nativeClaims(subject)
  if (payload.payoutAddress !== payoutAddress) throw mismatch('payoutAddress')
  if (payload.accountId32 !== accountId32) throw mismatch('accountId32')
  return subject
}

const uuidOf = (payload: Record<string, unknown>, claim: 'jti' | 'sid'): string => {
  const value = payload[claim]
  if (typeof value !== 'string' || !UUID.test(value)) throw mismatch(claim)
  return value
}

const assertTimes = (times: { iat: number; nbf: number; exp: number; longest: number }, nowSeconds: number): void => {
  if (times.iat > nowSeconds + TOLERANCE_SECONDS) throw new ServiceError('token_iat_future')
  if (times.nbf > nowSeconds + TOLERANCE_SECONDS) throw new ServiceError('token_nbf_future')
  if (times.exp <= nowSeconds - TOLERANCE_SECONDS) throw new ServiceError('token_expired')
  if (times.exp - times.iat > times.longest || times.exp <= times.iat) throw mismatch('exp')
}

const authTimeOf = (payload: Record<string, unknown>, issuedAt: number): number => {
  const authTime = seconds(payload, 'auth_time')
  if (authTime > issuedAt + TOLERANCE_SECONDS) throw mismatch('auth_time')
  return authTime
}

/** Checks every claim of a token with a valid signature. Source: identity, "Access tokens". */
export const readClaims = (payload: Record<string, unknown>, rules: ClaimRules, nowSeconds: number): TokenClaims => {
  if (payload.iss !== rules.issuer) throw mismatch('iss')
  const kind = kindOf(payload)
  const isOfResource = kind === 'delegate' && rules.resource !== undefined && payload.aud === rules.resource
  if (payload.aud !== rules.audience && !isOfResource) throw mismatch('aud')
  const times = { iat: seconds(payload, 'iat'), nbf: seconds(payload, 'nbf'), exp: seconds(payload, 'exp') }
  assertTimes({ ...times, longest: kind === 'wallet' ? rules.ttlSeconds : SERVICE_TOKEN_SECONDS }, nowSeconds)
  return {
    ...subjectOf(payload, kind),
    kind,
    ...grantOf(payload, kind),
    sid: kind === 'wallet' ? uuidOf(payload, 'sid') : null,
    jti: uuidOf(payload, 'jti'),
    iat: times.iat,
    exp: times.exp,
    authTime: authTimeOf(payload, times.iat),
  }
}
