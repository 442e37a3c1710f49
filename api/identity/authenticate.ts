import { isRevoked } from '../../activities/identity/records.ts'
import { bearerOf } from '../../domain/common/bearer.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { Principal } from '../../schemas/identity/authorisation.ts'
import { capabilitiesNeeded, type OperationSpec, rolesAllowed } from '../../schemas/operations/operation.ts'
import type { ServiceDeps } from '../deps.ts'
import { AUTHENTICATORS, type Credentials, type Presented } from './authenticators.ts'
import type { TokenClaims } from './token-claims.ts'

/** What an operation asks of its caller. */
export type Requirement = Pick<OperationSpec, 'id' | 'auth' | 'role' | 'capability'>

const verifyToken = async ({ database, clock, tokens }: ServiceDeps, token: string): Promise<TokenClaims> => {
  const claims = await tokens.verify(token, clock.now())
  if (await isRevoked(database.rows, claims.jti)) throw new ServiceError('token_revoked')
  return claims
}

const presentedBy = (deps: ServiceDeps, credentials: Credentials): Presented => {
  const token = bearerOf(credentials.authorization)
  let verified: Promise<TokenClaims | null> | undefined
  return {
    ...credentials,
    claims: () => {
      verified ??= token === null ? Promise.resolve(null) : verifyToken(deps, token)
      return verified
    },
  }
}

/** The caller by the first accepted credential that the request presents. */
const identify = async (deps: ServiceDeps, spec: Requirement, credentials: Credentials): Promise<Principal | null> => {
  const presented = presentedBy(deps, credentials)
  for (const credential of spec.auth) {
    const caller = await AUTHENTICATORS[credential](deps, presented)
    if (caller !== undefined) return caller
  }
  if ((await presented.claims()) === null) throw new ServiceError('missing_token')
  throw new ServiceError(spec.id === 'refreshToken' ? 'service_token_refresh_unsupported' : 'wallet_session_required')
}

const missingRole = (spec: Requirement, caller: Principal): ServiceError => {
  const revoked = caller.token?.roles.some((role) => rolesAllowed(spec).includes(role)) ?? false
  return new ServiceError('missing_role', revoked ? { reason: 'role_revoked' } : {})
}

const assertAllowed = (spec: Requirement, caller: Principal): void => {
  if (spec.role !== undefined && !rolesAllowed(spec).some((role) => caller.roles.includes(role))) throw missingRole(spec, caller)
  const missing = capabilitiesNeeded(spec).filter((capability) => !caller.capabilities.includes(capability))
  if (missing.length > 0) throw new ServiceError('missing_capability', { details: { missingCapabilities: missing } })
}

/** Authenticates and authorises the caller of an operation; null when it needs no token. Throws 401 or 403. */
export const createAuthentication =
  (deps: ServiceDeps) =>
  async (spec: Requirement, credentials: Credentials): Promise<Principal | null> => {
    const caller = await identify(deps, spec, credentials)
    if (caller !== null) assertAllowed(spec, caller)
    return caller
  }
