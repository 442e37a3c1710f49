import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from '@jest/globals'
import { verify } from '@scure/sr25519'
import { encodeCall, word } from '../../client/cli/chain/calls.ts'
import { EXIT } from '../../client/cli/failures.ts'
import { createKeyFile, readKeyFile } from '../../client/cli/key/key-file.ts'
import { readKeystore, writeKeystore } from '../../client/cli/key/keystore.ts'
import { accountIdOf, encodeSs58, payoutAddress, type Scheme, signWrapped } from '../../client/cli/key/native-account.ts'
import { readNativeKeystore, writeNativeKeystore } from '../../client/cli/key/native-keystore.ts'
import { CORE, type ScriptedChain, startScriptedChain, TOKEN } from './support/scripted-chain.ts'
import { json, problem, type Script } from './support/scripted-service.ts'

const LIGHT = { n: 4096, r: 8, p: 1 }
const DIRECTORY = mkdtempSync(join(tmpdir(), 'native-'))
afterAll(() => rmSync(DIRECTORY, { recursive: true }))

const SECRET = Buffer.alloc(32, 1)
const bytes = (hex: string): Buffer => Buffer.from(hex.replace(/^0x/, ''), 'hex')

/** Accounts of the mini secret, made with another implementation. */
const ACCOUNTS = {
  sr25519: ['1ZGzHnrAgt3eKQvtZXgDPE9aduT4UWJH4fUL9HHdfWk6nx3', '0x0cb277ed1cac248575dd0bda24085a10d5d21f3b'],
  ed25519: ['148eGqBKBSbTrKnGQka9tNNFoycLLa6ZPddFbtfJNczsBQPj', '0x97b1c813eae702332ba3eaa1625f942c5472626d'],
} as const
const [[SS58, WALLET]] = [ACCOUNTS.sr25519]
const SCHEMES = ['sr25519', 'ed25519'] as const

const textFor = (domain: string, address: string, { side = 'Substrate', chain = `polkadot:${'0'.repeat(32)}` } = {}): string =>
  [
    `${domain} wants you to sign in with your ${side} account:\n${address}\n\nSign in to the agent work service.\n`,
    `URI: https://${domain}\nVersion: 1.0.0\nChain ID: ${chain}\nNonce: 0123456789abcdef0123456789abcdef`,
    'Issued At: 2026-01-02T03:04:05.000Z\nExpiration Time: 2026-01-02T03:09:05.000Z',
  ].join('\n')

describe('a native account', () => {
  test.each(SCHEMES)('of %s has the addresses of its mini secret', (scheme) => {
    const accountId = accountIdOf(SECRET, scheme)
    expect([encodeSs58(accountId), payoutAddress(accountId)]).toEqual(ACCOUNTS[scheme])
  })

  test.each([
    [
      '0xd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d',
      '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5',
      '0x9621dde636de098b43efb0fa9b61facfe328f99d',
    ],
    [
      '0x70997970c51812dc3a010c7d01b50e0d17dc79c8eeeeeeeeeeeeeeeeeeeeeeee',
      '13YdxMwPMq5W6zLZehpTnzgJq74J4v9YHFiAMyDCVi4u5DQW',
      '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
    ],
  ])('with the id %s has the addresses %s and %s', (id, ss58, address) => {
    expect([encodeSs58(bytes(id)), payoutAddress(bytes(id))]).toEqual([ss58, address])
  })

  test('of ed25519 signs a text as a browser extension does', () => {
    expect(signWrapped(SECRET, 'ed25519', textFor('work.example', ACCOUNTS.ed25519[0]))).toBe(
      '0xf88e465d78b7cd0ba75ca8b7e59e575d106e76785fbfcfb969715e0b745fb92ceb21a012757692e9a252846bb8cfbbd64442ed4b11742a483525d59bac85ec05',
    )
  })

  test('of sr25519 signs a text as a browser extension does, each time with another signature', () => {
    const text = textFor('work.example', SS58)
    const [first, second] = [signWrapped(SECRET, 'sr25519', text), signWrapped(SECRET, 'sr25519', text)]
    expect(first).not.toBe(second)
    for (const signature of [first, second])
      expect(verify(Buffer.from(`<Bytes>${text}</Bytes>`), bytes(signature), accountIdOf(SECRET, 'sr25519'))).toBe(true)
  })
})

describe('a keystore file of a native account', () => {
  test.each(SCHEMES)('of %s opens with its passphrase alone, and names both addresses', async (scheme) => {
    const text = await writeNativeKeystore(SECRET, scheme, 'one', LIGHT)
    const [ss58, address] = ACCOUNTS[scheme]
    expect(JSON.parse(text)).toMatchObject({ kind: 'agent-work-native', version: 1, scheme, ss58, payoutAddress: address })
    expect(text).not.toContain(SECRET.toString('hex'))
    const { decrypt } = readNativeKeystore(text)
    expect(await decrypt('one')).toEqual(SECRET)
    await expect(decrypt('two')).rejects.toMatchObject({ exit: EXIT.key })
  })

  test('does not open as that of a wallet, nor that of a wallet as one of a native account', async () => {
    const native = await writeNativeKeystore(SECRET, 'sr25519', 'one', LIGHT)
    expect(() => readKeystore(native)).toThrow('its version is not 3')
    const wallet = await writeKeystore(SECRET, 'one', LIGHT)
    expect(() => readNativeKeystore(wallet)).toThrow('its kind is not agent-work-native')
  })

  test.each([
    ['another version', { version: 2 }, 'its version is not 1'],
    ['an unknown scheme', { scheme: 'ecdsa' }, 'its scheme is not sr25519 or ed25519'],
    ['no address', { ss58: undefined }, 'it has no ss58'],
    ['no encrypted part', { crypto: undefined }, 'crypto is not an object'],
  ])('with %s is refused', async (_, members, reason) => {
    const text = await writeNativeKeystore(SECRET, 'sr25519', 'one', LIGHT)
    expect(() => readNativeKeystore(JSON.stringify({ ...JSON.parse(text), ...members }))).toThrow(reason)
  })

  test('whose scheme or address was changed does not open', async () => {
    const text = await writeNativeKeystore(SECRET, 'sr25519', 'one', LIGHT)
    for (const members of [{ scheme: 'ed25519' }, { ss58: ACCOUNTS.ed25519[0] }]) {
      const { decrypt } = readNativeKeystore(JSON.stringify({ ...JSON.parse(text), ...members }))
      await expect(decrypt('one')).rejects.toThrow('its ss58 is not that of its key')
    }
  })

  test.each(SCHEMES)('with a new key of %s is read as that account without a hint', async (scheme) => {
    const path = join(DIRECTORY, scheme)
    const made = await createKeyFile(path, 'one', { scheme, cost: LIGHT })
    const read = await readKeyFile(path, () => undefined)(async () => 'one')
    expect(read).toEqual(made)
    expect(read.native?.scheme).toBe(scheme)
  })
})

const b64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Token of the native account as the service makes it. */
const TOKEN_TEXT = ['head', b64({ sub: SS58, payoutAddress: WALLET, exp: 4_102_444_800 }), 'signature'].join('.')

let chain: ScriptedChain
afterEach(() => chain?.close())

/** Reads the address that a request for a text names, and answers with that text. */
const nonce =
  (change: (text: string) => string = (text) => text): Script =>
  ({ headers, body }, response) => {
    const text = textFor(String(headers.host), JSON.parse(body).wallet).replace('https:', 'http:')
    json(response, 200, { message: change(text), issuedAt: new Date().toISOString() })
  }

const start = async (scripts: Record<string, Script> = {}, template: object = {}): Promise<void> => {
  const data = encodeCall('deposit(address,uint256)', word(TOKEN), word(1_500_000n))
  const built = { step: 'deposit', from: WALLET, to: CORE, data, value: '0', chainId: 31_337 }
  const args = { dest: CORE, value: '0', weightLimit: { refTime: '2500000000', proofSize: '1600000' }, storageDepositLimit: '9', data }
  chain = await startScriptedChain({
    'POST /auth/nonce': nonce(),
    'POST /auth/verify': (_request, response) =>
      json(response, 200, {
        token: TOKEN_TEXT,
        wallet: SS58,
        payoutAddress: WALLET,
        expiresAt: '2100-01-01T00:00:00.000Z',
        roles: [],
        tokenKind: 'wallet',
      }),
    'GET /auth/session': (_request, response) => json(response, 200, { wallet: WALLET, subject: SS58, roles: [] }),
    'GET /reputation': (_request, response) => json(response, 200, { wallet: WALLET, tier: 'starter', skill: 0 }),
    'POST /account/deposit/transactions': (_request, response) =>
      json(response, 200, {
        asset: { symbol: 'USDC', address: TOKEN, decimals: 6 },
        templates: [{ ...built, revive: { pallet: 'Revive', call: 'call', args }, ...template }],
      }),
    ...scripts,
  })
}

/** Signs in with a raw mini secret. */
const login = async (...more: string[]) => {
  const path = join(DIRECTORY, 'raw')
  writeFileSync(path, SECRET.toString('hex'), { mode: 0o600 })
  chmodSync(path, 0o600)
  return chain.run(['login', '--native', '--key-file', path, ...more])
}

describe('login --native', () => {
  test.each<[Scheme, string[]]>([
    ['sr25519', []],
    ['ed25519', ['--scheme', 'ed25519']],
  ])('signs in with a key of %s, shows both addresses and keeps which account it is', async (scheme, options) => {
    await start()
    const { exit, document } = await login(...options)
    const [ss58, address] = ACCOUNTS[scheme]
    expect([exit, document]).toMatchObject([0, { wallet: address, nativeAccount: { ss58, scheme, payoutAddress: address } }])
    expect(chain.service.of('POST /auth/nonce').map(({ body }) => JSON.parse(body))).toEqual([{ wallet: ss58 }])
    const [{ message, signature }] = chain.service.of('POST /auth/verify').map(({ body }) => JSON.parse(body))
    expect(message).toContain(ss58)
    if (scheme === 'ed25519') expect(signature).toBe(signWrapped(SECRET, scheme, message))
    else expect(verify(Buffer.from(`<Bytes>${message}</Bytes>`), bytes(signature), accountIdOf(SECRET, scheme))).toBe(true)
    expect(chain.state.readSession()).toMatchObject({
      wallet: address,
      native: { ss58, scheme },
      token: TOKEN_TEXT,
      service: { chainId: 31_337, network: `polkadot:${'0'.repeat(32)}` },
    })
  })

  test('is used by later commands, which renew the token with the key where the service refuses it', async () => {
    await start({
      'GET /reputation': (_request, response, number) =>
        number === 1 ? problem(response, 401, 'token_expired') : json(response, 200, { wallet: WALLET, tier: 'starter' }),
    })
    await login()
    const { out } = await chain.runForPeople(['whoami'])
    expect(out).toMatch(new RegExp(`^Wallet +0x0CB2.*\nNative account +${SS58}\n`, 'i'))
    expect(chain.service.of('POST /auth/verify')).toHaveLength(2)
  })

  test.each([
    ['the text of a wallet', (text: string) => text.replace('Substrate', 'Ethereum'), 'not a sign-in text'],
    ['a text for another account', (text: string) => text.replace(SS58, ACCOUNTS.ed25519[0]), 'another wallet'],
    ['a text for a chain by its number', (text: string) => text.replace(/polkadot:0+/, '31337'), 'no chain id'],
  ])('does not sign %s', async (_, change, reason) => {
    await start({ 'POST /auth/nonce': nonce(change) })
    const { exit, document } = await login()
    expect([exit, document.detail]).toEqual([1, expect.stringContaining(reason)])
    expect(chain.service.of('POST /auth/verify')).toEqual([])
  })

  test('repeated with a raw key is the same account, without its scheme', async () => {
    await start()
    const path = join(DIRECTORY, 'raw-key')
    writeFileSync(path, SECRET.toString('hex'), { mode: 0o600 })
    const logins = []
    for (const args of [['--scheme', 'ed25519', '--key-file', path], []]) logins.push(await chain.run(['login', '--native', ...args]))
    expect(logins.map(({ exit, document }) => [exit, document.nativeAccount.scheme])).toEqual(Array(2).fill([0, 'ed25519']))
  })

  test('refuses a keystore file of a wallet, one of another scheme, and a scheme without it', async () => {
    await start()
    const wallet = join(DIRECTORY, 'wallet.json')
    writeFileSync(wallet, await writeKeystore(SECRET, 'one', LIGHT))
    const native = join(DIRECTORY, 'native.json')
    writeFileSync(native, await writeNativeKeystore(SECRET, 'sr25519', 'one', LIGHT))
    chain.env.AGENT_WORK_PASSPHRASE = 'one'
    for (const [args, reason] of [
      [['--native', '--key-file', wallet], 'holds the key of a wallet'],
      [['--native', '--scheme', 'ed25519', '--key-file', native], 'holds a key of sr25519, not of ed25519'],
      [['--scheme', 'ed25519'], '--scheme is for --native'],
    ] as const) {
      const { exit, document } = await chain.run(['login', ...args])
      expect([exit, document.detail]).toEqual([EXIT.usage, expect.stringContaining(reason)])
    }
  })
})

describe('a deposit of a native account', () => {
  test('is not sent: the command shows the call that the account submits, and asks no node', async () => {
    await start()
    await login()
    const { exit, document } = await chain.run(['deposit', '1.5', '--yes'])
    expect(exit).toBe(1)
    expect(document).toMatchObject({
      status: 'not_sent',
      wallet: WALLET,
      nativeAccount: { ss58: SS58 },
      calls: [{ step: 'deposit', pallet: 'Revive', call: 'call', args: { dest: CORE, value: '0', storageDepositLimit: '9' } }],
    })
    expect(chain.node.calls).toEqual([])
    const { out } = await chain.runForPeople(['deposit', '1.5'])
    expect(out).toMatch(/signs no Ethereum transaction.*Revive\.call.*refTime +2500000000/s)
  })

  test.each([
    ['the transaction is another one', { data: encodeCall('withdraw(address,uint256)', word(TOKEN), word(1n)) }, 'is not deposit'],
    [
      'the call differs from the transaction',
      {
        revive: {
          pallet: 'Revive',
          call: 'call',
          args: { dest: TOKEN, value: '0', weightLimit: null, storageDepositLimit: null, data: '0x' },
        },
      },
      'differs from its transaction',
    ],
  ])('is refused where %s', async (_, template, reason) => {
    await start({}, template)
    await login()
    const { exit, document } = await chain.run(['deposit', '1.5'])
    expect([exit, document.detail]).toEqual([1, expect.stringContaining(reason)])
  })
})

test('a delegate of a native account signs the grant with its key', async () => {
  const statement = (name: string, issuedAt: string) =>
    `Let '${name}' act for me: read; until ${new Date(Date.parse(issuedAt) + 86_400_000).toISOString()}.`
  await start({
    'POST /auth/nonce': ({ headers, body }, response) => {
      const { wallet, delegate } = JSON.parse(body)
      const text = textFor(String(headers.host), wallet).replace('https:', 'http:')
      const message =
        delegate === undefined
          ? text
          : text.replace('Sign in to the agent work service.', statement(delegate.name, '2026-01-02T03:04:05.000Z'))
      json(response, 200, { message, issuedAt: new Date().toISOString() })
    },
    'POST /auth/verify': ({ body }, response) => {
      const isGrant = JSON.parse(body).message.includes('act for me')
      json(response, 200, {
        token: isGrant ? 'delegate-token' : TOKEN_TEXT,
        wallet: SS58,
        payoutAddress: WALLET,
        expiresAt: '2100-01-01T00:00:00.000Z',
        roles: [],
        tokenKind: isGrant ? 'delegate' : 'wallet',
        ...(isGrant && { capabilityGrantId: 'grant-1' }),
      })
    },
  })
  await login()
  const out = join(DIRECTORY, 'delegate.token')
  const { exit, document } = await chain.run(['delegate', 'create', '--name', 'Night', '--scopes', 'read', '--out', out, '--yes'])
  expect([exit, document]).toMatchObject([0, { grantId: 'grant-1', wallet: WALLET, file: out }])
  expect(readFileSync(out, 'utf8')).toBe('delegate-token\n')
})
