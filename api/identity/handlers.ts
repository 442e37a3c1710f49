import { readWalletGrants } from '../../activities/identity/grants.ts'
import { listKeyRecords } from '../../activities/identity/key-records.ts'
import { keyView } from '../../activities/identity/signing-keys.ts'
import { iso } from '../../domain/common/instants.ts'
import { refreshableUntil } from '../../domain/identity/auth-sessions.ts'
import { type GrantRow, withGranted } from '../../domain/identity/grants.ts'
import { SIGNATURE_TYPES } from '../../domain/identity/native/signature.ts'
import { type Capability, capabilitiesOf, type WalletPrincipal } from '../../schemas/identity/authorisation.ts'
import type * as operations from '../../schemas/identity/operations.ts'
import type { HandlersOf } from '../../schemas/operations/operation.ts'
import { operationList } from '../../schemas/operations/registry.ts'
import type { Settings } from '../../schemas/settings.ts'
import type { ServiceDeps } from '../deps.ts'
import { accountOf, readSigningAccount } from './accounts/account.ts'
import { configuredRoles } from './authenticators.ts'
import { capabilityMatrix } from './capability-matrix.ts'
import { chainIdOf, issueChallenge, signInTerms, verifySignIn } from './challenge.ts'
import { createDelegateHandlers } from './delegate-answers.ts'
import { delegateOf, delegateRequestOf, grantDelegate } from './delegates.ts'
import { createRefresh, createSignInHandlers, getToken, openSignIn } from './sign-ins.ts'
import type { TokenClaims } from './token-claims.ts'

const signedIn = (token: string, claims: TokenClaims, capabilities: readonly Capability[]) => ({
  token,
  wallet: claims.sub,
  expiresAt: iso(claims.exp * 1000),
  roles: claims.roles,
  capabilities: [...capabilities],
  tokenType: 'Bearer',
  tokenKind: claims.kind === 'delegate' ? ('delegate' as const) : ('wallet' as const),
})

const sessionView = (caller: WalletPrincipal, settings: Settings) => {
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
    refreshableUntil: kind !== 'wallet' ? null : iso(refreshableUntil(token.authTime * 1000, settings.AUTH_SESSION_DAYS)),
  }
}

/** The statement of a message that this service made: its one paragraph. */
const statementOf = (message: string): string => message.split('\n\n')[1] ?? ''

/** Sign-in, refresh, logout and the public keys. */
export const createIdentityHandlers = (deps: ServiceDeps): HandlersOf<typeof operations> => {
  const { database, clock, tokens, settings, mappings } = deps
  const refresh = createRefresh(deps)
  const signIns = createSignInHandlers(deps)
  const delegates = createDelegateHandlers(deps)

  /** The token of a new delegate, which ends with its grant. */
  const openDelegate = async (grant: GrantRow, subject: string, now: number) => {
    const iat = Math.floor(now / 1000)
    const exp = Math.floor(delegateOf(grant).expiresAt / 1000)
    const { token, claims } = await tokens.issueDelegate({ sub: subject, grantId: grant.id, iat, exp })
    return { ...signedIn(token, claims, grant.capabilities), capabilityGrantId: grant.id }
  }

  /** Members of an answer about a native account, with its mapping now; none for every other subject. */
  const nativeView = async (subject: string) => {
    const account = accountOf(subject)
    if (typeof account === 'string' || account.native === null) return {}
    const { status, checkedAt } = await mappings.read(account.native)
    return { payoutAddress: account.wallet, accountId32: account.native.accountId, mapping: { status, checkedAt: iso(checkedAt) } }
  }
  const withNative = async <Answer extends { wallet: string }>(answer: Answer) => ({ ...answer, ...(await nativeView(answer.wallet)) })

  return {
    issueNonce: async ({ body: { wallet, domain: asked, delegate: granted }, request }) => {
      const account = readSigningAccount(deps.chain, wallet, '/wallet')
      const delegate = granted === undefined ? null : { request: delegateRequestOf(granted, clock.now()) }
      const issued = await issueChallenge(deps, account, { requestId: request.id, domain: asked, delegate })
      const { nonce, message, issuedAt, expiresAt } = issued
      const domain = asked ?? signInTerms(deps).domain
      const binding = { domain, chainId: chainIdOf(deps, account.kind), statement: statementOf(message) }
      const times = { issuedAt: iso(issuedAt), expiresAt: iso(expiresAt) }
      const body = { wallet: account.subject, nonce, ...binding, ...times, message }
      if (account.kind === 'evm') return { status: 200, body }
      return { status: 200, body: { ...(await withNative(body)), scheme: 'siws', acceptedSignatureTypes: [...SIGNATURE_TYPES] } }
    },
    verifySignature: async ({ body, request }) => {
      const answer = await verifySignIn(deps, { ...body, requestId: request.id, interaction: null }, async (rows, signed, now) => {
        const { subject, wallet } = signed.account
        if (signed.challenge.delegate !== null) return openDelegate(await grantDelegate(rows, signed, now), subject, now)
        const roles = configuredRoles(settings, wallet)
        const { token, claims } = await openSignIn(deps, rows, { wallet, subject, roles, ip: request.ip }, now)
        const capabilities = withGranted(capabilitiesOf(roles), await readWalletGrants(rows, wallet, now))
        return signedIn(token, claims, capabilities)
      })
      return { status: 200, body: await withNative(answer) }
    },
    refreshToken: async ({ caller }) => {
      const { token, claims } = await refresh(caller)
      const answer = await withNative(signedIn(token, claims, caller.capabilities))
      return { status: 200, body: { ...answer, rotatedFromJti: getToken(caller).jti } }
    },
    ...signIns,
    logout: async (input) => {
      const { caller } = input
      if (caller.kind !== 'delegate') return signIns.logout(input)
      await delegates.endOwn(caller)
      return { status: 200, body: { status: 'logged_out', wallet: caller.wallet, jti: getToken(caller).jti } }
    },
    getAuthSession: async ({ caller }) => {
      const delegate = await delegates.ownTerms(caller)
      const native = await nativeView(caller.subject)
      return { status: 200, body: { ...sessionView(caller, settings), ...native, ...(delegate && { delegate }) } }
    },
    ...delegates.handlers,
    getKeySet: async () => {
      const records = await listKeyRecords(database.rows, 'receipt')
      return { status: 200, body: { keys: [...(await tokens.keySet(clock.now())), ...records.map(keyView)] } }
    },
  }
}
