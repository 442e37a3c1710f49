import { describe, expect, test } from '@jest/globals'
import { decodeJwt } from 'jose'
import { findNativeAccount } from '../../../activities/identity/native-accounts.ts'
import { nativeAccountOf } from '../../../domain/identity/native/account.ts'
import { encodeSs58 } from '../../../domain/identity/native/ss58.ts'
import type { MappingStatus } from '../../../schemas/identity/native-shapes.ts'
import { ed25519Signer, type NativeSigner, sr25519Signer } from '../../domain/identity/native/signers.ts'
import { accounts, tokenOf } from '../../support/api.ts'
import { DELEGATE_TERMS } from '../support/delegates.ts'
import { useApi, useApis } from '../support/started.ts'

const mapping: { status: MappingStatus } = { status: 'unmapped' }
const CHECKED_AT = Date.parse('2026-01-02T03:04:05.000Z')
const settings = { RATE_LIMITS: '{"auth_nonce":{"limit":10000},"auth_verify":{"limit":10000}}' }
const api = useApi({ settings, readMapping: async () => ({ status: mapping.status, checkedAt: CHECKED_AT }) })

const [ED, SR, OTHER] = [ed25519Signer(1), sr25519Signer(1), sr25519Signer(2)]

const nonceFor = (wallet: string, more: object = {}) => api.call('/auth/nonce', { body: { wallet, ...more } })
const messageFor = async ({ account }: NativeSigner, more: object = {}): Promise<string> =>
  (await nonceFor(account.ss58, more)).body.message
const verify = (message: string, signature: string) => api.call('/auth/verify', { body: { message, signature } })
const signIn = async (signer: NativeSigner) => {
  const message = await messageFor(signer)
  return verify(message, signer.sign(message))
}
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]
const session = (token: string) => api.call('/auth/session', { token })

describe('the message of a native account', () => {
  test('comes with every member that a wallet needs to sign it', async () => {
    const { status, body } = await nonceFor(ED.account.ss58)
    expect(status).toBe(200)
    expect(body).toEqual({
      wallet: ED.account.ss58,
      nonce: expect.stringMatching(/^[0-9a-f]{32}$/),
      domain: 'work.example',
      chainId: 'polkadot:00000000000000000000000000000000',
      statement: 'Sign in to the agent work service.',
      issuedAt: expect.any(String),
      expiresAt: expect.any(String),
      message: expect.stringMatching(/^work\.example wants you to sign in with your Substrate account:\n148eGq/),
      scheme: 'siws',
      payoutAddress: ED.account.wallet,
      accountId32: ED.account.accountId,
      acceptedSignatureTypes: ['sr25519', 'ed25519'],
      mapping: { status: 'unmapped', checkedAt: '2026-01-02T03:04:05.000Z' },
    })
  })

  test.each([2, 42, 64, 16_383])('is for one subject with the prefix %i of another network', async (prefix) => {
    const { body } = await nonceFor(encodeSs58(SR.account.accountId, prefix))
    expect(body.wallet).toBe(SR.account.ss58)
    expect((await verify(body.message, SR.sign(body.message))).body.wallet).toBe(SR.account.ss58)
  })

  test.each([
    ['a wrong checksum', `${ED.account.ss58.slice(0, -1)}k`, 'checksum'],
    ['lower case', ED.account.ss58.toLowerCase().replaceAll('l', 'm'), 'checksum'],
    ['too few characters', ED.account.ss58.slice(0, -3), 'length'],
    ['a prefix in two bytes that fits in one', 'xz6', 'length'],
    ['a character that no address has', `${ED.account.ss58.slice(0, -1)}0`, 'pattern'],
    ['too many characters', ED.account.ss58.repeat(2), 'pattern'],
  ])('is refused for an address with %s', async (_name, wallet, rule) => {
    const { status, body } = await nonceFor(wallet)
    expect([status, body.code, body.errors]).toEqual([400, 'invalid_request', [expect.objectContaining({ pointer: '/wallet', rule })]])
  })
})

describe('a native account that signs in', () => {
  test.each([
    ['sr25519', SR, 'wrapped'],
    ['sr25519, bare', SR, 'bare'],
    ['ed25519', ED, 'wrapped'],
    ['ed25519, bare', ED, 'bare'],
    ['ed25519 of a hardware device', ED, 'hashed'],
  ] as const)('with %s gets a token, and each form of its address', async (_name, signer, form) => {
    const message = await messageFor(signer)
    const { status, body } = await verify(message, signer.sign(message, form))
    const { ss58, wallet, accountId } = signer.account
    expect([status, body.wallet, body.payoutAddress, body.accountId32]).toEqual([200, ss58, wallet, accountId])
    expect(body).toMatchObject({ roles: [], tokenKind: 'wallet', mapping: { status: 'unmapped' } })
    expect(decodeJwt(body.token)).toMatchObject({ sub: ss58, payoutAddress: wallet, accountId32: accountId })
    expect((await session(body.token)).body).toMatchObject({
      wallet,
      subject: ss58,
      payoutAddress: wallet,
      accountId32: accountId,
      mapping: { status: 'unmapped', checkedAt: '2026-01-02T03:04:05.000Z' },
    })
  })

  test('with its type before the signature gets a token', async () => {
    const message = await messageFor(SR)
    expect((await verify(message, `0x01${SR.sign(message).slice(2)}`)).status).toBe(200)
  })

  test.each(['mapped', 'mismatch', 'unreadable'] as const)('is told that its mapping is %s, and signs in', async (status) => {
    mapping.status = status
    const { status: answered, body } = await signIn(SR)
    mapping.status = 'unmapped'
    expect([answered, body.mapping.status]).toEqual([200, status])
  })

  test('is recorded once by its wallet', async () => {
    const { rows } = api.deps.database
    expect(await findNativeAccount(rows, OTHER.account.wallet)).toBeNull()
    await messageFor(OTHER)
    expect(await findNativeAccount(rows, OTHER.account.wallet)).toBeNull()
    await signIn(OTHER)
    const first = await findNativeAccount(rows, OTHER.account.wallet)
    expect(first).toMatchObject(OTHER.account)
    await signIn(OTHER)
    expect(await findNativeAccount(rows, OTHER.account.wallet)).toEqual(first)
  })

  test('has the same capabilities as an EVM wallet', async () => {
    const evm = await session(await tokenOf(api, accounts.worker))
    expect((await signIn(SR)).body.capabilities).toEqual(evm.body.capabilities)
  })

  test('refreshes its token, lists its sign-ins and ends them', async () => {
    const { body } = await signIn(ED)
    const refreshed = await api.call('/auth/refresh', { method: 'POST', token: body.token })
    expect(refreshed.body).toMatchObject({ wallet: ED.account.ss58, payoutAddress: ED.account.wallet })
    expect(codeOf(await session(body.token))).toEqual([401, 'token_revoked'])
    const { token } = refreshed.body
    const listed = await api.call('/auth/sessions', { token })
    expect(listed.body.items.map(({ current }: { current: boolean }) => current)).toContain(true)
    const out = await api.call('/auth/logout', { body: {}, token })
    expect(out.body).toMatchObject({ status: 'logged_out', wallet: ED.account.wallet })
    expect(codeOf(await session(token))).toEqual([401, 'token_revoked'])
  })

  test('ends all its sign-ins at once', async () => {
    const tokens = [(await signIn(ED)).body.token, (await signIn(ED)).body.token]
    const ended = await api.call('/auth/sessions/revoke', { body: { all: true }, token: tokens[0] })
    expect(ended.body.ended.length).toBeGreaterThanOrEqual(2)
    expect((await Promise.all(tokens.map(session))).map(({ status }) => status)).toEqual([401, 401])
  })

  test('grants to a delegate, whose token names it in every form', async () => {
    const message = await messageFor(SR, { delegate: DELEGATE_TERMS })
    expect(message).toContain('Test agent')
    const granted = await verify(message, SR.sign(message))
    expect(granted.body).toMatchObject({ wallet: SR.account.ss58, payoutAddress: SR.account.wallet, tokenKind: 'delegate' })
    const { token } = granted.body
    expect((await session(token)).body).toMatchObject({ wallet: SR.account.wallet, subject: SR.account.ss58, tokenKind: 'delegate' })
    const own = (await signIn(SR)).body.token
    const [listed] = (await api.call('/auth/delegates', { token: own })).body.items
    expect(listed).toMatchObject({ grantId: granted.body.capabilityGrantId, message })
    await api.call('/auth/delegates/revoke', { body: { all: true }, token: own })
    expect(codeOf(await session(token))).toEqual([401, 'delegate_ended'])
  })

  test('records events with its lower-case address', async () => {
    await signIn(ed25519Signer(7))
    const { wallet } = ed25519Signer(7).account
    const found = await api.deps.database.rows.selectFrom('event').select(['topic', 'wallets']).execute()
    const own = found.filter(({ wallets }) => (wallets as string[]).includes(wallet))
    expect([...new Set(own.map(({ topic }) => topic))].sort()).toEqual(['journey.auth_nonce_issued', 'journey.auth_verified'])
  })
})

describe('a native signature is refused', () => {
  test.each<[string, (message: string) => string, string]>([
    ['of another account', (message) => OTHER.sign(message), 'native_signature_invalid'],
    ['of the other scheme', (message) => ED.sign(message), 'native_signature_invalid'],
    ['of the hash, by sr25519', (message) => SR.sign(message, 'hashed'), 'native_signature_invalid'],
    ['of a text that is wrapped twice', (message) => SR.sign(`<Bytes>${message}</Bytes>`), 'native_signature_invalid'],
    ['with the type of ed25519', (message) => `0x00${SR.sign(message).slice(2)}`, 'native_signature_invalid'],
    ['with the type of ecdsa', (message) => `0x02${SR.sign(message).slice(2)}`, 'native_signature_type_unsupported'],
    ['with an unknown type', (message) => `0x09${SR.sign(message).slice(2)}`, 'native_signature_type_unsupported'],
    ['with many bytes after it', (message) => SR.sign(message) + '00'.repeat(500), 'native_signature_invalid'],
  ])('%s, and the nonce can be used again', async (_name, make, code) => {
    const message = await messageFor(SR)
    expect(codeOf(await verify(message, make(message)))).toEqual([401, code])
    expect((await verify(message, SR.sign(message))).status).toBe(200)
  })

  test('for the second use of a nonce', async () => {
    const message = await messageFor(SR)
    expect((await verify(message, SR.sign(message))).status).toBe(200)
    expect(codeOf(await verify(message, SR.sign(message)))).toEqual([401, 'invalid_nonce'])
  })

  test.each<[string, (message: string) => string, string]>([
    ['another host', (message) => message.replace('work.example', 'evil.example'), 'siwe_domain_mismatch'],
    ['another address of the service', (message) => message.replace('URI: https://work', 'URI: https://evil'), 'siwe_uri_mismatch'],
    ['another network', (message) => message.replace('polkadot:0', 'polkadot:1'), 'siwe_chain_mismatch'],
    ['the number of the EVM chain', (message) => message.replace(/polkadot:0+/, '420420417'), 'siwe_chain_mismatch'],
    ['an unknown nonce', (message) => message.replace(/Nonce: \w+/, `Nonce: ${'0'.repeat(32)}`), 'invalid_nonce'],
    ['another account', (message) => message.replace(SR.account.ss58, OTHER.account.ss58), 'nonce_wallet_mismatch'],
    [
      'another prefix of the account',
      (message) => message.replace(SR.account.ss58, encodeSs58(SR.account.accountId, 42)),
      'siwe_message_mismatch',
    ],
    ['a changed statement', (message) => message.replace('Sign in to', 'Sign in at'), 'siwe_message_mismatch'],
    ['an extra line', (message) => `${message}\nResources:\n- https://evil.example/`, 'siwe_message_mismatch'],
    ['line ends of Windows', (message) => message.replaceAll('\n', '\r\n'), 'siwe_message_mismatch'],
    ['its address in lower case', (message) => message.replace(SR.account.ss58, SR.account.ss58.toLowerCase()), 'siwe_message_mismatch'],
    ['an unreadable issue time', (message) => message.replace(/Issued At: .*/, 'Issued At: soon'), 'siwe_bad_issued_at'],
    ['an issue time in the future', (message) => message.replace(/Issued At: 20/, 'Issued At: 21'), 'siwe_iat_future'],
    ['a past expiry', (message) => message.replace(/Expiration Time: 20/, 'Expiration Time: 19'), 'siwe_expired'],
  ])('over a message with %s', async (_name, change, code) => {
    const message = change(await messageFor(SR))
    expect(codeOf(await verify(message, SR.sign(message)))).toEqual([401, code])
  })

  test.each<[string, (message: string) => string]>([
    ['another version', (message) => message.replace('1.0.0', '2.0.0')],
    ['a bad checksum in its address', (message) => message.replace(SR.account.ss58, `${SR.account.ss58.slice(0, -1)}4`)],
    ['a line that no message has', (message) => `${message}\nNot Before: 2026-01-02T03:04:05.000Z`],
  ])('as 400 over a text with %s', async (_name, change) => {
    const message = change(await messageFor(SR))
    const { status, body } = await verify(message, SR.sign(message))
    expect([status, body.errors]).toEqual([400, [expect.objectContaining({ pointer: '/message', rule: 'siws' })]])
  })
})

describe('the two kinds of accounts', () => {
  /** A message of one kind that carries the nonce of the other. */
  const withNonceOf = (message: string, other: string): string => message.replace(/Nonce: \w+/, /Nonce: \w+/.exec(other)?.[0] ?? '')

  test('refuse the message of the other kind for their nonce', async () => {
    const native = await messageFor(SR)
    const evm = (await nonceFor(accounts.worker.address)).body.message
    const evmForNative = withNonceOf(evm, native)
    const nativeForEvm = withNonceOf(native, evm)
    expect(codeOf(await verify(evmForNative, await accounts.worker.signMessage({ message: evmForNative })))).toEqual([
      401,
      'nonce_wallet_mismatch',
    ])
    expect(codeOf(await verify(nativeForEvm, SR.sign(nativeForEvm)))).toEqual([401, 'nonce_wallet_mismatch'])
  })

  test('refuse the signature of the other kind', async () => {
    const native = await messageFor(SR)
    const evm = (await nonceFor(accounts.worker.address)).body.message
    const byEvm = await verify(native, await accounts.worker.signMessage({ message: native }))
    expect([byEvm.status, byEvm.body.code]).toEqual([401, expect.stringMatching(/^native_signature_/)])
    const byNative = await verify(evm, SR.sign(evm))
    expect([byNative.status, byNative.body.code]).not.toEqual([200, undefined])
  })

  test('of one address keep their own subjects, and are one wallet', async () => {
    const wallet = accounts.other.address.toLowerCase() as `0x${string}`
    const derived = nativeAccountOf(`${wallet}${'ee'.repeat(12)}`)
    expect(derived.wallet).toBe(wallet)
    const asked = await nonceFor(derived.ss58)
    expect(asked.body).toMatchObject({ wallet: derived.ss58, payoutAddress: wallet })
    // No mapping is needed, and still only the account's own key signs in.
    for (const signature of [await accounts.other.signMessage({ message: asked.body.message }), SR.sign(asked.body.message)])
      expect((await verify(asked.body.message, signature)).status).toBe(401)
    const evm = await tokenOf(api, accounts.other)
    expect((await session(evm)).body).toMatchObject({ wallet, subject: wallet })
    expect((await session(evm)).body.accountId32).toBeUndefined()
  })
})

describe('a chain', () => {
  const { start } = useApis()

  test('without a native side refuses native accounts, and their messages', async () => {
    const without = await start({ settings, native: null })
    const { status, body } = await without.call('/auth/nonce', { body: { wallet: SR.account.ss58 } })
    expect([status, body.errors]).toEqual([400, [expect.objectContaining({ pointer: '/wallet', rule: 'unsupported' })]])
    const message = await messageFor(SR)
    const refused = await without.call('/auth/verify', { body: { message, signature: SR.sign(message) } })
    expect(codeOf(refused)).toEqual([401, 'siwe_chain_mismatch'])
  })

  test('refuses a message of another network', async () => {
    const native = { ...api.deps.chain.native, genesisHash: `0x${'1'.repeat(64)}` } as const
    const other = await start({ settings, native: native as NonNullable<typeof api.deps.chain.native> })
    const { message } = (await other.call('/auth/nonce', { body: { wallet: SR.account.ss58 } })).body
    expect(codeOf(await verify(message, SR.sign(message)))).toEqual([401, 'siwe_chain_mismatch'])
  })
})
