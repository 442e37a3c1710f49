import { readWalletGrants } from '../../activities/identity/grants.ts'
import { revokeToken } from '../../activities/identity/records.ts'
import { keyView, listKeyRecords } from '../../activities/identity/signing-keys.ts'
import { iso } from '../../domain/common/instants.ts'
import { type GrantRow, withGranted } from '../../domain/identity/grants.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { type Capability, capabilitiesOf, type WalletPrincipal } from '../../schemas/identity/authorisation.ts'
import type * as operations from '../../schemas/identity/operations.ts'
import type { HandlersOf } from '../../schemas/operations/operation.ts'
import { operationList } from '../../schemas/operations/registry.ts'
import type { ServiceDeps } from '../deps.ts'
import { configuredRoles } from './authenticators.ts'
import { capabilityMatrix } from './capability-matrix.ts'
import { issueChallenge, signInTerms, verifySignIn } from './challenge.ts'
import { createDelegateHandlers } from './delegate-handlers.ts'
import { delegateRequestOf, grantDelegate } from './delegates.ts'
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
  tokenKind: claims.kind === 'delegate' ? ('delegate' as const) : ('wallet' as const),
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
  const kind =
    caller.kind === 'service_token' ? ('service' as const) : caller.kind === 'delegate' ? ('delegate' as const) : ('wallet' as const)
  return {
    wallet: caller.wallet,
    subject: caller.subject,
    roles: [...token.roles],
    tokenKind: kind,
    serviceToken: kind === 'service',
    ...(caller.grant && { capabilityGrantId: caller.grant.id }),
    ...(caller.grant?.scope && { serviceScope: caller.grant.scope }),
    capabilities: [...caller.capabilities],
    capabilityMatrix: capabilityMatrix(operationList),
    issuedAt: iso(token.issuedAt * 1000),
    expiresAt: iso(token.expiresAt * 1000),
    authTime: iso(token.authTime * 1000),
    refreshableUntil: kind !== 'wallet' ? null : iso((token.authTime + REFRESH_CHAIN_SECONDS) * 1000),
  }
}

/** The statement of a message that this service made: its one paragraph. */
const statementOf = (message: string): string => message.split('\n\n')[1] ?? ''

/** Sign-in, refresh, logout and the public keys. */
export const createIdentityHandlers = (deps: ServiceDeps): HandlersOf<typeof operations> => {
  const { database, clock, tokens, settings } = deps
  const refresh = createRefresh(deps)
  const delegates = createDelegateHandlers(deps)

  /** The token of a new delegate, which ends with its grant. */
  const openDelegate = async (grant: GrantRow, now: number) => {
    const iat = Math.floor(now / 1000)
    const exp = Math.floor((grant.expiresAt ?? now) / 1000)
    const { token, claims } = await tokens.issueDelegate({ sub: grant.subject, grantId: grant.id, iat, exp })
    return { ...signedIn(token, claims, grant.capabilities), capabilityGrantId: grant.id }
  }

  return {
    issueNonce: async ({ body: { wallet, delegate }, request }) => {
      const asked = delegate === undefined ? null : { request: delegateRequestOf(delegate, clock.now()) }
      const { nonce, message, issuedAt, expiresAt } = await issueChallenge(deps, wallet, request.id, asked)
      const { domain, chainId } = signInTerms(deps)
      const statement = statementOf(message)
      const times = { issuedAt: iso(issuedAt), expiresAt: iso(expiresAt) }
      return { status: 200, body: { wallet, nonce, domain, chainId, statement, ...times, message } }
    },
    verifySignature: async ({ body, request }) => {
      const answer = await verifySignIn(deps, { ...body, requestId: request.id, interaction: null }, async (rows, signed, now) => {
        if (signed.challenge.delegate !== null) return openDelegate(await grantDelegate(rows, signed, now), now)
        const { wallet } = signed
        const roles = configuredRoles(settings, wallet)
        const { token, claims } = await tokens.issue({ sub: wallet, roles, authTime: Math.floor(now / 1000) }, now)
        const capabilities = withGranted(capabilitiesOf(roles), await readWalletGrants(rows, wallet, now))
        return signedIn(token, claims, capabilities)
      })
      return { status: 200, body: answer }
    },
    refreshToken: async ({ caller }) => ({ status: 200, body: await refresh(caller) }),
    logout: async ({ caller }) => {
      const { jti, expiresAt } = getToken(caller)
      const ended = { jti, subject: caller.subject, expiresAt: expiresAt * 1000, reason: 'logout' } as const
      if (caller.kind === 'delegate') await delegates.endOwn(caller)
      else await database.transaction((rows) => revokeToken(rows, ended, clock.now()))
      return { status: 200, body: { status: 'logged_out', wallet: caller.wallet, jti } }
    },
    getAuthSession: async ({ caller }) => {
      const delegate = await delegates.ownTerms(caller)
      return { status: 200, body: { ...sessionView(caller), ...(delegate && { delegate }) } }
    },
    ...delegates.handlers,
    getKeySet: async () => ({ status: 200, body: { keys: [...tokens.jwks, ...(await listKeyRecords(database.rows)).map(keyView)] } }),
  }
}
