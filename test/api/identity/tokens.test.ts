import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { SignJWT } from 'jose'
import { loadSigningKey, type SigningKey } from '../../../activities/common/document-signing.ts'
import { insertAuthSession } from '../../../activities/identity/auth-sessions.ts'
import { createDocumentSigner } from '../../../activities/identity/signing-keys.ts'
import { createTokensFrom } from '../../../api/boot.ts'
import { nativeAccountOf } from '../../../domain/identity/native/account.ts'
import { encodeSs58 } from '../../../domain/identity/native/ss58.ts'
import { readSettings, type Settings } from '../../../schemas/settings.ts'
import { accounts, makePem, tokenOf } from '../../support/api.ts'
import { serviceTokenOf } from '../support/service-tokens.ts'
import { useApi } from '../support/started.ts'

const pem = makePem()

const api = useApi({
  settings: { JWT_KEY: pem },
  handlers: {
    getAccount: async () => ({ status: 200, body: null }),
    getJobTiers: async ({ caller }: { caller: { wallet: string } | null }) => ({
      status: 200,
      body: { ladder: 'claim tier', scoringVersion: 1, tiers: [], ...(caller && { wallet: caller.wallet }) },
    }),
  },
})

const wallet = accounts.worker.address.toLowerCase()
const NATIVE = nativeAccountOf('0xd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d')
const NATIVE_CLAIMS = { sub: NATIVE.ss58, payoutAddress: NATIVE.wallet, accountId32: NATIVE.accountId }
const nowSeconds = () => Math.floor(Date.now() / 1000)
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const good = (): Record<string, unknown> => ({
  iss: 'agent-work-service',
  aud: 'agent-work-service',
  sub: wallet,
  roles: [],
  iat: nowSeconds(),
  nbf: nowSeconds(),
  exp: nowSeconds() + 3600,
  jti: randomUUID(),
  sid: randomUUID(),
  auth_time: nowSeconds(),
})
type Claims = Record<string, unknown>

const HEADER = { alg: 'ES256', typ: 'service-auth+jwt', kid: 'jwt-1' }

/** Stores the sign-in that the claims name, so that it counts. */
const storeSignIn = async ({ sid: id, sub, payoutAddress: subject = sub, jti: lastJti, tokenKind = 'wallet' }: Claims): Promise<void> => {
  if (tokenKind !== 'wallet' || typeof id !== 'string' || typeof subject !== 'string' || typeof lastJti !== 'string') return
  const now = Date.now()
  const times = { signedInAt: now, issuedAt: now, expiresAt: now + 86_400_000 }
  await insertAuthSession(api.deps.database.rows, { id, subject, lastJti, ...times, network: null })
}

/** Signs any claims, with the service's own token key unless another is given: only the rule under test is broken. */
const forge = async (
  claims: Claims,
  header: Record<string, unknown> = {},
  key: KeyObject | SigningKey['privateKey'] = createPrivateKey(pem),
): Promise<string> => {
  const payload = Object.fromEntries(Object.entries({ ...good(), ...claims }).filter(([, value]) => value !== undefined))
  await storeSignIn(payload)
  return new SignJWT(payload).setProtectedHeader({ ...HEADER, ...header }).sign(key)
}
/** How each refusal of a token describes the sign-in. */
const SIGN_IN = { requiresAuth: true, requiredAction: 'wallet_sign_in', authScheme: 'SIWE_JWT', onboarding: '/onboarding' }
const codeOf = async (token: string): Promise<string | number> => {
  const { status, body } = await api.call('/auth/session', { token })
  if (status === 401) expect(body.details).toMatchObject(SIGN_IN)
  return body.code ?? status
}

describe('a token', () => {
  test('made by this test as the service makes it is accepted', async () => {
    expect(await codeOf(await forge({}))).toBe(200)
    expect(await codeOf(await forge({ tokenKind: 'wallet' }))).toBe(200)
    expect(await codeOf(await forge(NATIVE_CLAIMS))).toBe(200)
  })

  test.each([
    ...['exp', 'iat', 'nbf', 'jti', 'sid', 'roles', 'auth_time'].map((claim) => [
      `without ${claim}`,
      { [claim]: undefined },
      'claims_mismatch',
    ]),
    ['without a subject', { sub: undefined }, 'missing_subject'],
    ['with an empty subject', { sub: '' }, 'missing_subject'],
    ['with a checksummed subject', { sub: accounts.worker.address }, 'claims_mismatch'],
    ['of an EVM wallet with a payout address', { payoutAddress: wallet }, 'claims_mismatch'],
    ['of an EVM wallet with an account id', { accountId32: NATIVE.accountId }, 'claims_mismatch'],
    ['of a native account without its other forms', { sub: NATIVE.ss58 }, 'claims_mismatch'],
    ['of a native account without its account id', { ...NATIVE_CLAIMS, accountId32: undefined }, 'claims_mismatch'],
    ['of a native account without its payout address', { ...NATIVE_CLAIMS, payoutAddress: undefined }, 'claims_mismatch'],
    ['of a native account that is paid elsewhere', { ...NATIVE_CLAIMS, payoutAddress: wallet }, 'claims_mismatch'],
    ['of a native account with another account id', { ...NATIVE_CLAIMS, accountId32: `0x${'1'.repeat(64)}` }, 'claims_mismatch'],
    [
      'of a native account in upper-case hex',
      { ...NATIVE_CLAIMS, payoutAddress: `0x${NATIVE.wallet.slice(2).toUpperCase()}` },
      'claims_mismatch',
    ],
    [
      'of a native account with the prefix of another network',
      { ...NATIVE_CLAIMS, sub: encodeSs58(NATIVE.accountId, 42) },
      'claims_mismatch',
    ],
    ['of a native account in lower case', { ...NATIVE_CLAIMS, sub: NATIVE.ss58.toLowerCase() }, 'claims_mismatch'],
    [
      'of a service for an SS58 address',
      { ...NATIVE_CLAIMS, tokenKind: 'service', capabilityGrantId: 'grant-000000000001' },
      'claims_mismatch',
    ],
    ['whose lifetime is too long', { exp: Math.floor(Date.now() / 1000) + 86_400 + 120 }, 'claims_mismatch'],
    ['of another issuer', { iss: 'another-service' }, 'claims_mismatch'],
    ['for another audience', { aud: 'another-service' }, 'claims_mismatch'],
    ['for several audiences', { aud: ['agent-work-service', 'another-service'] }, 'claims_mismatch'],
    ['with a role that does not exist', { roles: ['root'] }, 'role_not_allowed'],
    ['with roles that are no list', { roles: 'admin' }, 'claims_mismatch'],
    ['of an unknown kind', { tokenKind: 'refresh' }, 'invalid_token_kind'],
    ['with an id that is no UUID', { jti: 'x' }, 'claims_mismatch'],
    ['of a sign-in that is no UUID', { sid: 'x' }, 'claims_mismatch'],
    ['with a list of roles without end', { roles: Array(200).fill('admin') }, 'claims_mismatch'],
    ...[Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, -1, 8_640_000_000_001, 1.5, 1e300, '1', null, [], {}].flatMap((value) =>
      ['auth_time', 'exp', 'iat', 'nbf'].map((claim) => [
        `with the ${claim} ${JSON.stringify(value)}`,
        { [claim]: value },
        'claims_mismatch',
      ]),
    ),
    ['with a sign-in time after its issue time', { auth_time: Math.floor(Date.now() / 1000) + 120 }, 'claims_mismatch'],
    ['of a service with an unbounded sign-in time', { tokenKind: 'service', auth_time: Number.MAX_SAFE_INTEGER }, 'claims_mismatch'],
  ] as [string, Claims, string][])('%s is refused', async (_name, claims, code) => {
    expect(await codeOf(await forge(claims))).toBe(code)
  })

  test('counts only in its own sign-in, of its own wallet', async () => {
    const [own, other] = [good(), good()]
    await Promise.all([forge(own), forge({ ...other, sub: accounts.other.address.toLowerCase() })])
    const header = { ...HEADER }
    const resign = (claims: Claims) => new SignJWT(claims).setProtectedHeader(header).sign(createPrivateKey(pem))
    expect(await codeOf(await resign(own))).toBe(200)
    for (const claims of [{ ...own, sid: randomUUID() }, { ...own, sid: other.sid }, { ...other }, { ...own, jti: randomUUID() }])
      expect(await codeOf(await resign(claims))).toBe('token_revoked')
  })

  test('is good until 60 s after its expiry and not from then on', async () => {
    const at = nowSeconds() - 100
    const past = { iat: at, nbf: at, auth_time: at }
    const now = nowSeconds()
    expect(await codeOf(await forge({ ...past, exp: now - 50 }))).toBe(200)
    expect(await codeOf(await forge({ ...past, exp: now - 61 }))).toBe('token_expired')
  })

  test('may come 60 s from the future and no more', async () => {
    const now = nowSeconds()
    expect(await codeOf(await forge({ iat: now + 50, nbf: now + 50 }))).toBe(200)
    expect(await codeOf(await forge({ iat: now + 70 }))).toBe('token_iat_future')
    expect(await codeOf(await forge({ nbf: now + 70 }))).toBe('token_nbf_future')
  })

  test.each<[string, () => string | Promise<string>, string]>([
    ['of another type', () => forge({}, { typ: 'JWT' }), 'claims_mismatch'],
    ['of an unknown key', () => forge({}, { kid: 'jwt-2' }), 'unknown_kid'],
    ['without a key id', () => forge({}, { kid: undefined }), 'unknown_kid'],
    ['that brings its own key', () => forge({}, { jwk: { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' } }), 'malformed_token'],
    ['that points at a key', () => forge({}, { jku: 'https://evil.example/jwks.json' }), 'malformed_token'],
    ['that points at a certificate', () => forge({}, { x5u: 'https://evil.example/cert' }), 'malformed_token'],
    ['without a signature', () => `${encoded({ ...HEADER, alg: 'none' })}.${encoded(good())}.`, 'unsupported_alg'],
    [
      'signed with the public key as a shared secret',
      () => {
        const text = `${encoded({ ...HEADER, alg: 'HS256' })}.${encoded(good())}`
        const publicPem = createPublicKey(pem).export({ type: 'spki', format: 'pem' })
        return `${text}.${createHmac('sha256', publicPem).update(text).digest('base64url')}`
      },
      'unsupported_alg',
    ],
    [
      'signed by another P-256 key under the key id of the service',
      () => forge({}, {}, generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
      'bad_signature',
    ],
    ['signed by the receipt key', async () => forge({}, {}, (await loadSigningKey(makePem(), 'badge-1')).privateKey), 'bad_signature'],
    [
      'with one changed byte of its payload',
      async () => {
        const [header, payload = '', signature] = (await forge({})).split('.')
        const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
        return [header, encoded({ ...claims, roles: ['admin'] }), signature].join('.')
      },
      'bad_signature',
    ],
    ...['', 'x', 'a.b', 'a.b.c.d', '!!.!!.!!', `${'a'.repeat(20)}.${'b'.repeat(20)}.c`].map((token): [string, () => string, string] => [
      `that reads "${token}"`,
      () => token,
      'malformed_token',
    ]),
  ])('%s is refused', async (_name, make, code) => {
    expect(await codeOf(await make())).toBe(code)
  })

  test('under another scheme is malformed, and no token is missing', async () => {
    expect((await api.call('/auth/session', { headers: { authorization: 'Basic abc' } })).body.code).toBe('malformed_token')
    const { body } = await api.call('/auth/session')
    expect([body.code, body.nextActions[0].path]).toEqual(['missing_token', '/auth/nonce'])
    expect(body.details).toEqual({
      ...SIGN_IN,
      requiredCapabilities: [],
      walletModes: ['evm-siwe', 'agent-self-custody', 'substrate-native'],
      authEntrypoints: ['/auth/nonce', '/auth/verify', '/auth/refresh', '/auth/logout'],
    })
  })

  test('that is invalid is refused where a token is optional; a valid one is used', async () => {
    expect((await api.call('/jobs/tiers', { token: 'x' })).body.code).toBe('malformed_token')
    expect((await api.call('/jobs/tiers')).body.wallet).toBeUndefined()
    expect((await api.call('/jobs/tiers', { token: await forge({}) })).body.wallet).toBe(wallet)
  })
})

describe('a service token', () => {
  const service = { tokenKind: 'service', serviceToken: true, capabilityGrantId: 'grant-0123456789ab' }
  test('has no role and, without its grant, no capability', async () => {
    const token = await forge({ ...service, sub: accounts.admin.address.toLowerCase() })
    const { body } = await api.call('/auth/session', { token })
    expect(body).toMatchObject({ tokenKind: 'service', serviceToken: true, roles: [], capabilities: [], refreshableUntil: null })
    expect((await api.call('/account', { token })).body).toMatchObject({
      code: 'missing_capability',
      details: { missingCapabilities: ['account:read'] },
    })
  })

  test.each<[string, Claims, string]>([
    ['without a grant', { capabilityGrantId: undefined }, 'claims_mismatch'],
    ['with the id of no grant', { capabilityGrantId: 'g' }, 'claims_mismatch'],
    ['with several grants', { capabilityGrantId: ['grant-0123456789ab'] }, 'claims_mismatch'],
    ['with a scope that is no text', { serviceScope: {} }, 'claims_mismatch'],
    ['with a role', { roles: ['admin'] }, 'role_not_allowed'],
    ['of another issuer', { iss: 'another-service' }, 'claims_mismatch'],
    ['for another audience', { aud: 'another-service' }, 'claims_mismatch'],
    ['for several audiences', { aud: ['agent-work-service', 'another-service'] }, 'claims_mismatch'],
  ])('%s is refused', async (_name, claims, code) => {
    expect(await codeOf(await forge({ ...service, ...claims }))).toBe(code)
  })

  test('of another algorithm, key or type is refused as every other', async () => {
    const claims = { ...good(), ...service }
    const unsigned = (header: object) => `${encoded({ ...HEADER, ...header })}.${encoded(claims)}.`
    expect(await codeOf(unsigned({ alg: 'none' }))).toBe('unsupported_alg')
    expect(await codeOf(unsigned({ alg: 'HS256' }))).toBe('unsupported_alg')
    expect(await codeOf(await forge(service, { typ: 'JWT' }))).toBe('claims_mismatch')
    expect(await codeOf(await forge(service, {}, generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey))).toBe('bad_signature')
  })

  test('has the capabilities of a grant only with the id and the subject that the grant names', async () => {
    const own = await serviceTokenOf(api, wallet, ['account:read'])
    const named = { ...service, capabilityGrantId: own.id }
    const capabilities = async (token: string) => (await api.call('/auth/session', { token })).body.capabilities
    expect(await capabilities(own.token)).toEqual(['account:read'])
    expect(await capabilities(await forge(named))).toEqual([])
    const { jti } = JSON.parse(Buffer.from(own.token.split('.')[1] ?? '', 'base64url').toString())
    expect(await capabilities(await forge({ ...named, jti, sub: accounts.other.address.toLowerCase() }))).toEqual([])
    expect(await capabilities(await forge({ ...named, jti }))).toEqual(['account:read'])
  })

  test('is refused where the sign-in of the wallet itself is needed', async () => {
    const { status, body } = await api.call('/webhooks', { body: {}, token: await forge(service) })
    expect([status, body.code]).toEqual([403, 'wallet_session_required'])
  })

  test('may live 30 days and cannot be refreshed', async () => {
    const token = await forge({ ...service, exp: nowSeconds() + 2_592_000 })
    expect((await api.call('/auth/session', { token })).status).toBe(200)
    const refreshed = await api.call('/auth/refresh', { method: 'POST', token })
    expect([refreshed.status, refreshed.body.code]).toEqual([401, 'service_token_refresh_unsupported'])
    expect(await codeOf(await forge({ ...service, exp: nowSeconds() + 2_592_001 }))).toBe('claims_mismatch')
  })
})

describe('roles', () => {
  test('end with the configuration at once; an address that is not configured gets none', async () => {
    const token = await forge({ sub: accounts.admin.address.toLowerCase(), roles: ['admin'] })
    expect((await api.call('/auth/session', { token })).body.roles).toEqual(['admin'])
    const plain = await api.call('/admin/sessions', { token: await forge({}) })
    expect([plain.status, plain.body]).toMatchObject([403, { code: 'missing_role', details: { requiredRole: 'admin' } }])
    expect(plain.body.reason).toBeUndefined()
    const { ADMIN_WALLETS } = api.deps.settings
    api.deps.settings.ADMIN_WALLETS = []
    const removed = await api.call('/admin/sessions', { token })
    api.deps.settings.ADMIN_WALLETS = ADMIN_WALLETS
    expect([removed.status, removed.body.code, removed.body.reason]).toEqual([403, 'missing_role', 'role_revoked'])
  })

  test('are added by a new sign-in only, not to an old token', async () => {
    const token = await forge({ sub: accounts.admin.address.toLowerCase(), roles: [] })
    expect((await api.call('/admin/sessions', { token })).body.code).toBe('missing_role')
  })
})

describe('shared secrets', () => {
  const secrets = ['first-secret-of-at-least-32-characters', 'second-secret-of-at-least-32-characters']
  const settingsOf = (list: string[]) =>
    readSettings({ DATABASE_URL: 'x', CHAIN_FILE: 'x', JWT_ALGORITHM: 'HS256', JWT_SECRETS: list.join(',') })
  const tokensOf = (settings: Settings) => createTokensFrom(settings, api.deps)

  test('the first signs, all verify, and a dropped one no longer does', async () => {
    const now = Date.now()
    const old = await tokensOf(settingsOf(secrets.slice(1)))
    const { token } = await old.issue({ sub: wallet, roles: [], sid: randomUUID(), authTime: nowSeconds() }, now)
    const both = await tokensOf(settingsOf(secrets))
    expect((await both.verify(token, now)).sub).toBe(wallet)
    const rotated = await tokensOf(settingsOf(secrets.slice(0, 1)))
    await expect(rotated.verify(token, now)).rejects.toMatchObject({ code: 'unknown_kid' })
    expect(await both.keySet(now)).toEqual([])
  })

  test('a token of the other algorithm is refused', async () => {
    const shared = await tokensOf(settingsOf(secrets))
    await expect(shared.verify(await forge({}), Date.now())).rejects.toMatchObject({ code: 'unsupported_alg' })
  })

  test('short secrets and missing keys stop the start', async () => {
    await expect(tokensOf(settingsOf(['short']))).rejects.toThrow('at least 32')
    await expect(tokensOf(settingsOf([]))).rejects.toThrow('at least one secret')
    await expect(tokensOf(readSettings({ DATABASE_URL: 'x', CHAIN_FILE: 'x' }))).rejects.toThrow('JWT_KEY')
    const pinned = readSettings({ DATABASE_URL: 'x', CHAIN_FILE: 'x', JWT_KEY: pem, JWT_KEY_FINGERPRINT: 'ab'.repeat(32) })
    await expect(tokensOf(pinned)).rejects.toThrow('fingerprint')
  })
})

test('the key set lists the token key and the receipt key, and no private part', async () => {
  const keys = [await loadSigningKey(makePem(), 'badge'), await loadSigningKey(makePem(), 'badge')]
  for (const key of keys) {
    const signer = createDocumentSigner({ database: api.deps.database, clock: api.deps.clock, readKey: async () => key })
    await signer.register()
  }
  const { body, headers } = await api.call('/.well-known/jwks.json')
  expect(body.keys.map(({ kid }: { kid: string }) => kid)).toEqual(['jwt-1', 'badge-1', 'badge-2'])
  const members = ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']
  const [, ...receipts] = body.keys
  for (const key of body.keys) expect(Object.keys(key).sort()).toEqual([...members, 'retiredAt', 'validFrom'].sort())
  expect(receipts.map(({ x }: { x: string }) => x)).toEqual(keys.map(({ jwk }) => jwk.x))
  expect(receipts.map(({ retiredAt }: { retiredAt: string | null }) => retiredAt)).toEqual([expect.any(String), null])
  expect(headers.get('cache-control')).toBe('public, max-age=300')
})

test('a token of the sign-in carries exactly the promised claims', async () => {
  const [header, payload] = (await tokenOf(api, accounts.admin)).split('.').map((part) => Buffer.from(part, 'base64url').toString())
  expect(JSON.parse(header ?? '')).toEqual({ alg: 'ES256', typ: 'service-auth+jwt', kid: 'jwt-1' })
  const claims = JSON.parse(payload ?? '')
  expect(Object.keys(claims).sort()).toEqual(['aud', 'auth_time', 'exp', 'iat', 'iss', 'jti', 'nbf', 'roles', 'sid', 'sub'])
  expect([claims.exp - claims.iat, claims.roles, claims.sub]).toEqual([86_400, ['admin'], accounts.admin.address.toLowerCase()])
})
