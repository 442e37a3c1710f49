import { readStanding, type TokenState } from '../../activities/identity/grants.ts'
import { bearerOf } from '../../domain/common/bearer.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { Principal } from '../../schemas/identity/authorisation.ts'
import { capabilitiesNeeded, type OperationSpec, rolesAllowed } from '../../schemas/operations/operation.ts'
import type { ServiceDeps } from '../deps.ts'
import { AUTHENTICATORS, type Credentials, type Presented, type VerifiedToken } from './authenticators.ts'
import { missingScope } from './hints.ts'

/** What an operation asks of its caller. */
export type Requirement = Pick<OperationSpec, 'id' | 'auth' | 'role' | 'capability' | 'ownView' | 'withoutGrant' | 'replacedToken'>

/** 401 for a token that does not count any more. */
export const tokenRevoked = (state: TokenState): ServiceError =>
  new ServiceError('token_revoked', state === 'unknown' ? {} : { reason: state })

const verifyToken = async (
  { database, clock, tokens }: ServiceDeps,
  { replacedToken }: Requirement,
  { token, resource }: { token: string; resource: string | undefined },
): Promise<VerifiedToken> => {
  const claims = await tokens.verify(token, clock.now(), resource)
  // A database that does not answer refuses every token: 503.
  const { state, grants } = await readStanding(database.rows, claims)
  if (state !== 'live' && !(state === 'replaced' && replacedToken)) throw tokenRevoked(state)
  return { ...claims, grants }
}

const presentedBy = (deps: ServiceDeps, spec: Requirement, credentials: Credentials): Presented => {
  const read = async (): Promise<VerifiedToken | null> => {
    const token = bearerOf(credentials.authorization)
    return token === null ? null : verifyToken(deps, spec, { token, resource: credentials.resource })
  }
  let verified: Promise<VerifiedToken | null> | undefined
  return {
    ...credentials,
    claims: () => {
      verified ??= read()
      return verified
    },
  }
}

const refreshUnsupported = ({ kind }: VerifiedToken): ServiceError =>
  new ServiceError('service_token_refresh_unsupported', {
    detail:
      kind === 'delegate'
        ? 'The token of a delegate lives as long as its grant and cannot be refreshed here. After that its wallet grants another one.'
        : undefined,
  })

/** The caller by the first accepted credential that the request presents. */
const identify = async (deps: ServiceDeps, spec: Requirement, credentials: Credentials): Promise<Principal | null> => {
  const presented = presentedBy(deps, spec, credentials)
  for (const credential of spec.auth) {
    const caller = await AUTHENTICATORS[credential](deps, presented)
    if (caller !== undefined) return caller
  }
  const claims = await presented.claims()
  if (claims === null) throw new ServiceError('missing_token')
  throw spec.id === 'refreshToken' ? refreshUnsupported(claims) : new ServiceError('wallet_session_required')
}

const missingRole = (spec: Requirement, caller: Principal): ServiceError => {
  const revoked = caller.token?.roles.some((role) => rolesAllowed(spec).includes(role)) ?? false
  return new ServiceError('missing_role', revoked ? { reason: 'role_revoked' } : {})
}

/** Throws 403 for a service token whose grant has ended. */
const assertGranted = (spec: Requirement, { grant }: Principal): void => {
  const ended = grant?.ended ?? null
  if (ended === null || spec.withoutGrant) return
  throw new ServiceError('missing_capability', { reason: ended, details: { missingCapabilities: capabilitiesNeeded(spec) } })
}

/** Whether a service token or delegate is read as its wallet where a token is optional. */
const hasOwnView = ({ ownView }: Requirement, { grant, capabilities }: Principal): boolean =>
  grant === undefined || ownView === undefined || ownView.some((capability) => capabilities.includes(capability))

const assertAllowed = (spec: Requirement, caller: Principal): void => {
  if (spec.role !== undefined && !rolesAllowed(spec).some((role) => caller.roles.includes(role))) throw missingRole(spec, caller)
  const missing = capabilitiesNeeded(spec).filter((capability) => !caller.capabilities.includes(capability))
  if (missing.length === 0) return
  throw caller.kind === 'delegate'
    ? missingScope(missing)
    : new ServiceError('missing_capability', { details: { missingCapabilities: missing } })
}

/** Authenticates and authorises the caller of an operation; null when it needs no token. Throws 401 or 403. */
export const createAuthentication =
  (deps: ServiceDeps) =>
  async (spec: Requirement, credentials: Credentials): Promise<Principal | null> => {
    const caller = await identify(deps, spec, credentials)
    if (caller === null) return null
    assertGranted(spec, caller)
    if (!hasOwnView(spec, caller)) return null
    assertAllowed(spec, caller)
    return caller
  }
