import { readWalletGrants } from '../../activities/identity/grants.ts'
import { revokeToken } from '../../activities/identity/records.ts'
import { keyView, listKeyRecords } from '../../activities/identity/signing-keys.ts'
import { iso } from '../../domain/common/instants.ts'
import { withGranted } from '../../domain/identity/grants.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { type Capability, capabilitiesOf, type WalletPrincipal } from '../../schemas/identity/authorisation.ts'
import type * as operations from '../../schemas/identity/operations.ts'
import type { HandlersOf } from '../../schemas/operations/operation.ts'
import { operationList } from '../../schemas/operations/registry.ts'
import type { ServiceDeps } from '../deps.ts'
import { configuredRoles } from './authenticators.ts'
import { capabilityMatrix } from './capability-matrix.ts'
import { issueChallenge, signInTerms, verifySignIn } from './challenge.ts'
import { REFRESH_CHAIN_SECONDS, type TokenClaims } from './token-claims.ts'

/** The caller's token; a caller of the permissive mode has none. */
const getToken = ({ token }: WalletPrincipal) => {
  if (token === null) throw new ServiceError('missing_token')
  return token
}

const signedIn = (token: string, claims: TokenClaims, capabilities: readonly Capability[]) => ({
  token,
  wallet: claims.sub,
  expiresAt: iso(claims.exp * 1000),
  roles: claims.roles,
  capabilities: [...capabilities],
  tokenType: 'Bearer',
})

const createRefresh = (deps: ServiceDeps) => async (caller: WalletPrincipal) => {
  const old = getToken(caller)
  const now = deps.clock.now()
  const ends = old.authTime + REFRESH_CHAIN_SECONDS
  if (Math.floor(now / 1000) >= ends) throw new ServiceError('auth_session_expired')
  // Issue the new token before revoking the old one: if signing fails, the caller stays signed in.
  const { token, claims } = await deps.tokens.issue({ sub: caller.subject, roles: old.roles, authTime: old.authTime }, now, ends)
  const revoked = await deps.database.transaction((rows) =>
    revokeToken(rows, { jti: old.jti, subject: caller.subject, expiresAt: old.expiresAt * 1000, reason: 'refresh' }, now),
  )
  if (!revoked) throw new ServiceError('token_revoked')
  return { ...signedIn(token, claims, caller.capabilities), rotatedFromJti: old.jti }
}

const sessionView = (caller: WalletPrincipal) => {
  const token = getToken(caller)
  const service = caller.kind === 'service_token'
  return {
    wallet: caller.wallet,
    subject: caller.subject,
    roles: service ? [] : [...token.roles],
    tokenKind: service ? ('service' as const) : ('wallet' as const),
    serviceToken: service,
    ...(caller.grant && { capabilityGrantId: caller.grant.id }),
    ...(caller.grant?.scope && { serviceScope: caller.grant.scope }),
    capabilities: [...caller.capabilities],
    capabilityMatrix: capabilityMatrix(operationList),
    issuedAt: iso(token.issuedAt * 1000),
    expiresAt: iso(token.expiresAt * 1000),
    authTime: iso(token.authTime * 1000),
    refreshableUntil: service ? null : iso((token.authTime + REFRESH_CHAIN_SECONDS) * 1000),
  }
}

/** Sign-in, refresh, logout and the public keys. */
export const createIdentityHandlers = (deps: ServiceDeps): HandlersOf<typeof operations> => {
  const { database, clock, tokens, settings } = deps
  const refresh = createRefresh(deps)
  return {
    issueNonce: async ({ body: { wallet }, request }) => {
      const { nonce, message, issuedAt, expiresAt } = await issueChallenge(deps, wallet, request.id)
      const { domain, chainId, statement } = signInTerms(deps)
      const times = { issuedAt: iso(issuedAt), expiresAt: iso(expiresAt) }
      return { status: 200, body: { wallet, nonce, domain, chainId, statement, ...times, message } }
    },
    verifySignature: async ({ body, request }) => {
      const wallet = await verifySignIn(deps, body.message, body.signature, request.id)
      const now = clock.now()
      const roles = configuredRoles(settings, wallet)
      const { token, claims } = await tokens.issue({ sub: wallet, roles, authTime: Math.floor(now / 1000) }, now)
      const capabilities = withGranted(capabilitiesOf(roles), await readWalletGrants(database.rows, wallet, now))
      return { status: 200, body: signedIn(token, claims, capabilities) }
    },
    refreshToken: async ({ caller }) => ({ status: 200, body: await refresh(caller) }),
    logout: async ({ caller }) => {
      const { jti, expiresAt } = getToken(caller)
      const ended = { jti, subject: caller.subject, expiresAt: expiresAt * 1000, reason: 'logout' } as const
      await database.transaction((rows) => revokeToken(rows, ended, clock.now()))
      return { status: 200, body: { status: 'logged_out', wallet: caller.wallet, jti } }
    },
    getAuthSession: async ({ caller }) => ({ status: 200, body: sessionView(caller) }),
    getKeySet: async () => ({ status: 200, body: { keys: [...tokens.jwks, ...(await listKeyRecords(database.rows)).map(keyView)] } }),
  }
}
