import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose'
import { insertAuthSession } from '../../../../activities/identity/auth-sessions.ts'
import { lockGrant, revokeGrant } from '../../../../activities/identity/grants.ts'
import type { ServiceDeps } from '../../../../api/deps.ts'
import { type Capability, capabilitiesOf, GRANTABLE_CAPABILITIES, type Role } from '../../../../schemas/identity/authorisation.ts'
import { DELEGATE_SCOPES, type DelegateScope, SCOPE_NAMES } from '../../../../schemas/identity/delegate-terms.ts'
import { capabilitiesNeeded, type OperationSpec } from '../../../../schemas/operations/operation.ts'
import { ed25519Signer, sr25519Signer } from '../../../domain/identity/native/signers.ts'
import { type Api, accounts, tokenOf } from '../../../support/api.ts'
import { grantTo } from '../../support/delegates.ts'
import { serviceTokenOf } from '../../support/service-tokens.ts'
import type { CallerFacts } from './expected.ts'

/** A caller with the token that it sends. */
export interface Caller extends CallerFacts {
  name: string
  token: string | undefined
  /** What it is at `/mcp`, where that differs. */
  classOfTools?: CallerFacts['class']
}

/** Native accounts by their mapping, which the reader of the test answers. */
const NATIVE = { mapped: sr25519Signer(3), unmapped: ed25519Signer(4) } as const
export const readMapping: ServiceDeps['mappings']['read'] = async ({ wallet }) => ({
  status: wallet === NATIVE.mapped.account.wallet ? 'mapped' : 'unmapped',
  checkedAt: Date.now(),
})

const addressOf = (name: keyof typeof accounts): string => accounts[name].address.toLowerCase()
const WORKER = addressOf('worker')

const capabilitiesIn = (scopes: readonly DelegateScope[]): Capability[] => scopes.flatMap((scope) => [...DELEGATE_SCOPES[scope]])

const end = ({ deps }: Api, kind: 'token' | 'delegate', id: string) =>
  deps.database.transaction(async (rows) => {
    const grant = await lockGrant(rows, kind, id)
    if (grant === null) throw new Error(`no grant ${id}`)
    await revokeGrant(rows, grant, { by: WORKER, at: deps.clock.now(), note: null })
  })

/** A token of a sign-in that lives, which itself ended two minutes ago. */
const expiredToken = async ({ deps }: Api): Promise<string> => {
  const { JWT_TTL_SECONDS: ttl } = deps.settings
  const signedInAt = deps.clock.now() - (ttl + 120) * 1000
  const sid = randomUUID()
  const { token, claims } = await deps.tokens.issue({ sub: WORKER, roles: [], sid, authTime: Math.floor(signedInAt / 1000) }, signedInAt)
  const times = { signedInAt, issuedAt: signedInAt, expiresAt: deps.clock.now() + 60_000 }
  await insertAuthSession(deps.database.rows, { id: sid, subject: WORKER, lastJti: claims.jti, ...times, network: null })
  return token
}

/** The claims and the header of a token, signed by another key. */
const signedByAnother = (token: string): Promise<string> =>
  new SignJWT(decodeJwt(token))
    .setProtectedHeader(decodeProtectedHeader(token) as { alg: string })
    .sign(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)

/** Makes one token for each list of names. */
const memo = <Name extends string>(make: (names: readonly Name[]) => Promise<{ token: string }>) => {
  const made = new Map<string, Promise<{ token: string }>>()
  return (names: readonly Name[]): Promise<{ token: string }> => {
    const key = [...names].sort().join(' ')
    const known = made.get(key) ?? make(names)
    made.set(key, known)
    return known
  }
}

/** Every choice of scopes that a wallet can sign. */
const SCOPE_CHOICES = Array.from({ length: 2 ** SCOPE_NAMES.length - 1 }, (_none, choice) =>
  SCOPE_NAMES.filter((_scope, place) => ((choice + 1) >> place) % 2 === 1),
)

/** Capabilities by which an operation shows more than to an anonymous caller. */
const wanted = (spec: OperationSpec): readonly Capability[] => [...capabilitiesNeeded(spec), ...(spec.ownView ?? [])]

/** Scopes of a delegate without one that the operation needs; all where no scope gives it anything. */
const scopesWithout = (spec: OperationSpec): readonly DelegateScope[] => {
  const needed = wanted(spec)
  const left = SCOPE_NAMES.filter((scope) => !DELEGATE_SCOPES[scope].some((capability) => needed.includes(capability)))
  if (left.length === 0) throw new Error(`${spec.id} needs a capability of every scope`)
  return left
}

/** Signs everybody in, and gives the callers of each operation. */
export const prepareCallers = async (api: Api): Promise<(spec: OperationSpec) => Promise<Caller[]>> => {
  const signedIn = async (name: keyof typeof accounts, roles: readonly Role[]): Promise<Caller> => {
    const token = await tokenOf(api, accounts[name])
    return { name, class: 'wallet', token, wallet: addressOf(name), roles, capabilities: capabilitiesOf(roles) }
  }
  // A native account may do what a wallet may do; where it has to be mapped, both are called.
  const native = async (name: 'mapped' | 'unmapped'): Promise<Caller> => {
    const { account, sign } = NATIVE[name]
    const { message } = (await api.call('/auth/nonce', { body: { wallet: account.ss58 } })).body
    const { token } = (await api.call('/auth/verify', { body: { message, signature: sign(message) } })).body
    return {
      name: `native account, ${name}`,
      class: 'wallet',
      kind: 'native_account',
      isUnmapped: name === 'unmapped',
      token,
      wallet: account.wallet,
      roles: [],
      capabilities: capabilitiesOf([]),
    }
  }
  /** Tokens with which others act for a native account. */
  const forNative = async (name: 'mapped' | 'unmapped'): Promise<Caller[]> => {
    const { account, sign } = NATIVE[name]
    const granted = await grantTo(api, { address: account.ss58, signMessage: async ({ message }) => sign(message) })
    const issued = await serviceTokenOf(api, account.wallet, GRANTABLE_CAPABILITIES)
    const facts = { wallet: account.wallet, roles: [], isUnmapped: name === 'unmapped' }
    const of = `of a native account, ${name}`
    return [
      { ...facts, name: `delegate ${of}`, class: 'delegate', token: granted.body.token, capabilities: capabilitiesIn(SCOPE_NAMES) },
      { ...facts, name: `service token ${of}`, class: 'service token', token: issued.token, capabilities: GRANTABLE_CAPABILITIES },
    ]
  }
  const own = { wallet: WORKER, roles: [] }
  const nothing = { ...own, capabilities: [] }
  const serviceToken = memo<Capability>((capabilities) => serviceTokenOf(api, WORKER, capabilities))
  const delegate = memo<DelegateScope>(async (scopes) => (await grantTo(api, accounts.worker, { scopes })).body)
  // Signed while the handlers of the sign-in still do their work.
  await Promise.all(SCOPE_CHOICES.map(delegate))

  const revokedService = await serviceTokenOf(api, WORKER, GRANTABLE_CAPABILITIES)
  await end(api, 'token', revokedService.id)
  const { body: revokedDelegate } = await grantTo(api, accounts.worker)
  await end(api, 'delegate', revokedDelegate.capabilityGrantId)
  const replaced = await tokenOf(api, accounts.worker)
  const refreshed = await api.call('/auth/refresh', { body: {}, token: replaced })
  if (refreshed.status !== 200) throw new Error(refreshed.text)

  const same: Caller[] = [
    { ...nothing, name: 'no token', class: 'no token', token: undefined },
    ...(await Promise.all([
      signedIn('worker', []),
      signedIn('other', []),
      signedIn('verifier', ['verifier']),
      signedIn('arbitrator', ['arbitrator']),
      signedIn('admin', ['admin']),
      native('mapped'),
      native('unmapped'),
    ])),
    ...(await Promise.all([forNative('mapped'), forNative('unmapped')])).flat(),
    { ...nothing, name: 'revoked service token', class: 'revoked service token', token: revokedService.token },
    { ...nothing, name: 'revoked delegate', class: 'revoked delegate', token: revokedDelegate.token },
    { ...nothing, name: 'expired token', class: 'expired token', token: await expiredToken(api) },
    { ...nothing, name: 'token before its refresh', class: 'refreshed token', token: replaced },
    { ...nothing, name: 'bad signature', class: 'bad signature', token: await signedByAnother(refreshed.body.token) },
    { ...nothing, name: 'no token in the header', class: 'no token in the header', token: 'of two words' },
  ]

  const withCapabilities = async (name: string, capabilities: readonly Capability[]): Promise<Caller> => {
    const { token } = await serviceToken(capabilities)
    return { ...own, name: `service token ${name}`, class: 'service token', token, capabilities }
  }
  const withScopes = async (name: string, scopes: readonly DelegateScope[]): Promise<Caller> => {
    const { token } = await delegate(scopes)
    return { ...own, name: `delegate ${name}`, class: 'delegate', token, capabilities: capabilitiesIn(scopes) }
  }

  const { body: connected } = await grantTo(api, accounts.worker)
  const iat = Math.floor(api.deps.clock.now() / 1000)
  const ofOauth = { sub: WORKER, grantId: connected.capabilityGrantId, iat, exp: iat + 300, audience: `${api.deps.baseUrl}/mcp` }
  const byOauth: Caller = {
    ...own,
    name: 'delegate by OAuth',
    class: 'token of OAuth',
    classOfTools: 'delegate',
    token: (await api.deps.tokens.issueDelegate(ofOauth)).token,
    capabilities: capabilitiesIn(SCOPE_NAMES),
  }

  return async (spec) => {
    const needed = wanted(spec)
    const all = [...new Set([...GRANTABLE_CAPABILITIES, ...needed])]
    return [
      ...same,
      await withCapabilities('with what is needed', needed),
      await withCapabilities(
        'with all but that',
        all.filter((capability) => !needed.includes(capability)),
      ),
      ...(await Promise.all(
        needed.map((one) =>
          withCapabilities(
            `without ${one}`,
            all.filter((capability) => capability !== one),
          ),
        ),
      )),
      await withScopes('of every scope', SCOPE_NAMES),
      await withScopes('of every other scope', scopesWithout(spec)),
      byOauth,
    ]
  }
}
