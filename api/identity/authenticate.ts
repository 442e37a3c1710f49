import { isRevoked } from '../../activities/identity/records.ts'
import { bearerOf } from '../../domain/common/bearer.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { type Caller, capabilitiesOf, type Role } from '../../schemas/identity/authorisation.ts'
import { capabilitiesNeeded, type OperationSpec, rolesAllowed } from '../../schemas/operations/operation.ts'
import { AddressInput } from '../../schemas/operations/values.ts'
import type { Settings } from '../../schemas/settings.ts'
import type { ApiDeps } from '../deps.ts'
import { invalidRequest } from '../http/problem.ts'
import type { TokenClaims } from './token-claims.ts'

/** What an operation asks of its caller. */
export type Requirement = Pick<OperationSpec, 'id' | 'auth' | 'role' | 'capability'>

type AuthDeps = Pick<ApiDeps, 'settings' | 'isLocal' | 'database' | 'clock' | 'tokens'>

/** Roles a wallet is configured for. */
export const configuredRoles = (settings: Settings, wallet: string): Role[] => {
  const lists = { admin: settings.ADMIN_WALLETS, verifier: settings.VERIFIER_WALLETS, arbitrator: settings.ARBITRATOR_WALLETS }
  return (['admin', 'verifier', 'arbitrator'] as const).filter((role) => lists[role].includes(wallet))
}

const callerOf = (claims: TokenClaims, settings: Settings): Caller => {
  const configured = configuredRoles(settings, claims.sub)
  const roles = claims.kind === 'service' ? [] : claims.roles.filter((role) => configured.includes(role))
  return {
    subject: claims.sub,
    wallet: claims.sub as `0x${string}`,
    kind: claims.kind,
    roles,
    // A service token has only the capabilities of its grant; without a grant it has none.
    capabilities: claims.kind === 'service' ? [] : capabilitiesOf(roles),
    token: { jti: claims.jti, roles: claims.roles, issuedAt: claims.iat, expiresAt: claims.exp, authTime: claims.authTime },
  }
}

const permissiveCaller = (wallet: string): Caller => {
  const parsed = AddressInput.safeParse(wallet)
  if (!parsed.success) throw invalidRequest([{ pointer: 'query/wallet', rule: 'pattern', message: 'must be an address' }])
  return { subject: parsed.data, wallet: parsed.data, kind: 'wallet', roles: [], capabilities: capabilitiesOf([]), token: null }
}

/** The parts of a request that identify the caller. */
export interface Credentials {
  authorization: string | undefined
  /** `?wallet=` of the query; used in the permissive mode only. */
  namedWallet: string | null
}

const signedIn = async ({ settings, database, clock, tokens }: AuthDeps, token: string): Promise<Caller> => {
  const claims = await tokens.verify(token, clock.now())
  if (await isRevoked(database.rows, claims.jti)) throw new ServiceError('token_revoked')
  return callerOf(claims, settings)
}

const identify = async (deps: AuthDeps, spec: Requirement, { authorization, namedWallet }: Credentials): Promise<Caller | null> => {
  const token = bearerOf(authorization)
  if (token !== null) return signedIn(deps, token)
  if (spec.auth === 'optional') return null
  const permissive = deps.settings.AUTH_MODE === 'permissive' && deps.isLocal
  if (permissive && namedWallet !== null) return permissiveCaller(namedWallet)
  throw new ServiceError('missing_token')
}

const missingRole = (spec: Requirement, caller: Caller): ServiceError => {
  const revoked = caller.token?.roles.some((role) => rolesAllowed(spec).includes(role)) ?? false
  return new ServiceError('missing_role', revoked ? { reason: 'role_revoked' } : {})
}

const assertAllowed = (spec: Requirement, caller: Caller): void => {
  if (spec.auth === 'wallet_only' && caller.kind === 'service')
    throw new ServiceError(spec.id === 'refreshToken' ? 'service_token_refresh_unsupported' : 'wallet_session_required')
  if (spec.role !== undefined && !rolesAllowed(spec).some((role) => caller.roles.includes(role))) throw missingRole(spec, caller)
  const missing = capabilitiesNeeded(spec).filter((capability) => !caller.capabilities.includes(capability))
  if (missing.length > 0) throw new ServiceError('missing_capability', { details: { missingCapabilities: missing } })
}

/** Authenticates and authorises the caller of an operation; null when it needs no token. Throws 401 or 403. */
export const createAuthentication =
  (deps: AuthDeps) =>
  async (spec: Requirement, credentials: Credentials): Promise<Caller | null> => {
    if (spec.auth === 'none' || spec.auth === 'metrics') return null
    const caller = await identify(deps, spec, credentials)
    if (caller !== null) assertAllowed(spec, caller)
    return caller
  }
