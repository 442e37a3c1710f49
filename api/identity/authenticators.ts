import type { TokenStanding } from '../../activities/identity/grants.ts'
import { assertMetricsSecret } from '../../activities/observability/metrics-secret.ts'
import { grantEnd, withGranted } from '../../domain/identity/grants.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { type CallerBy, type Credential, capabilitiesOf, type Role } from '../../schemas/identity/authorisation.ts'
import { AddressInput } from '../../schemas/operations/values.ts'
import type { Settings } from '../../schemas/settings.ts'
import type { ServiceDeps } from '../deps.ts'
import { invalidRequest } from '../http/problem.ts'
import type { TokenClaims } from './token-claims.ts'

/** The parts of a request that identify the caller. */
export interface Credentials {
  authorization: string | undefined
  /** `?wallet=` of the query; used in the permissive mode only. */
  namedWallet: string | null
  /** Address of the resource that is called, whose tokens of OAuth count; absent elsewhere. */
  resource?: string
}

/** A valid token that is not revoked, with the grants that count for it. */
export type VerifiedToken = TokenClaims & Pick<TokenStanding, 'grants'>

/** Credentials of one request. */
export interface Presented extends Credentials {
  /** Its token, which is verified once; null without one. Throws the 401 of a bad token. */
  claims(): Promise<VerifiedToken | null>
}

type Authenticators = {
  [Name in Credential]: (deps: ServiceDeps, presented: Presented) => Promise<CallerBy[Name] | undefined> | CallerBy[Name] | undefined
}

/** Wallets that are configured for a role, in lower case. */
export const walletsOfRole = (settings: Settings, role: Role): readonly string[] =>
  ({ admin: settings.ADMIN_WALLETS, verifier: settings.VERIFIER_WALLETS, arbitrator: settings.ARBITRATOR_WALLETS })[role]

/** Roles a wallet is configured for. */
export const configuredRoles = (settings: Settings, wallet: string): Role[] =>
  (['admin', 'verifier', 'arbitrator'] as const).filter((role) => walletsOfRole(settings, role).includes(wallet))

const tokenFacts = ({ sub, wallet, jti, sid, roles, iat, exp, authTime }: TokenClaims) => ({
  subject: sub,
  wallet,
  token: { jti, sid, roles, issuedAt: iat, expiresAt: exp, authTime },
})

/** The caller by each credential; undefined if the request does not present it. They throw the refusal of a bad one. */
export const AUTHENTICATORS: Authenticators = {
  wallet_token: async ({ settings, clock }, { claims }) => {
    const found = await claims()
    if (found?.kind !== 'wallet') return undefined
    const configured = configuredRoles(settings, found.wallet)
    const roles = found.roles.filter((role) => configured.includes(role))
    const now = clock.now()
    const granted = found.grants.filter((grant) => grantEnd(grant, now) === null).flatMap(({ capabilities }) => capabilities)
    const kind = found.accountId === null ? ('wallet' as const) : ('native_account' as const)
    return { ...tokenFacts(found), kind, roles, capabilities: withGranted(capabilitiesOf(roles), granted) }
  },

  service_token: async ({ clock }, { claims }) => {
    const found = await claims()
    if (found?.kind !== 'service' || found.grantId === null) return undefined
    const { grantId: id, scope } = found
    const [grant] = found.grants
    const ended = grant === undefined ? ('capability_grant_unknown' as const) : grantEnd(grant, clock.now())
    // Exactly the capabilities of its grant: none of the wallet, and no role.
    const capabilities = grant === undefined || ended !== null ? [] : grant.capabilities
    return { ...tokenFacts(found), kind: 'service_token', roles: [], capabilities, grant: { id, scope, ended } }
  },

  delegate_token: async ({ clock }, { claims }) => {
    const found = await claims()
    if (found?.kind !== 'delegate' || found.grantId === null) return undefined
    const [grant] = found.grants
    const ended = grant === undefined ? ('capability_grant_unknown' as const) : grantEnd(grant, clock.now())
    if (grant === undefined || ended !== null) throw new ServiceError('delegate_ended', { reason: ended ?? undefined })
    const { capabilities } = grant
    return { ...tokenFacts(found), kind: 'delegate', roles: [], capabilities, grant: { id: found.grantId, scope: null, ended: null } }
  },

  named_wallet: async ({ settings, isLocal }, { claims, namedWallet }) => {
    const isPermissive = settings.AUTH_MODE === 'permissive' && isLocal
    if (!isPermissive || namedWallet === null || (await claims()) !== null) return undefined
    const parsed = AddressInput.safeParse(namedWallet)
    if (!parsed.success) throw invalidRequest([{ pointer: 'query/wallet', rule: 'pattern', message: 'must be an address' }])
    return { subject: parsed.data, wallet: parsed.data, kind: 'wallet', roles: [], capabilities: capabilitiesOf([]), token: null }
  },

  metrics_secret: (deps, { authorization }) => {
    assertMetricsSecret(deps, authorization)
    return null
  },

  anonymous: () => null,
}
