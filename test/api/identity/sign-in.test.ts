import { beforeAll, describe, expect, test } from '@jest/globals'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { concatHex, createPublicClient, encodeFunctionData, type Hex, http, serializeErc6492Signature } from 'viem'
import { openDatabase } from '../../../activities/database/database.ts'
import { loadArtifact } from '../../../contracts/artifact.ts'
import { createPipeline } from '../../../contracts/pipeline.ts'
import { startAnvil } from '../../contracts/support/anvil.ts'
import { OWNER_KEY } from '../../contracts/support/world.ts'
import { accounts, signIn, startApi, tokenOf } from '../../support/api.ts'
import { untilLocksWait } from '../../support/postgres/waiting-locks.ts'
import { useStarted } from '../../support/started.ts'
import { useApi } from '../support/started.ts'

const anvil = useStarted(startAnvil, (node) => node.stop())
const settings = { RATE_LIMITS: '{"auth_nonce":{"limit":10000},"auth_verify":{"limit":10000}}' }
const api = useApi(() => ({ rpcUrl: anvil.rpcUrl, settings }))

type Owner = (typeof accounts)[keyof typeof accounts]
const { worker, other, admin, verifier } = accounts
const messageFor = async (wallet: string): Promise<string> => {
  const { message, nonce } = (await api.call('/auth/nonce', { body: { wallet } })).body
  expect(message).toContain(`\nNonce: ${nonce}\n`)
  return message
}
/** A challenge of the worker. */
const challenge = () => messageFor(worker.address)
const signed = async (message: string, account = worker) => ({ message, signature: await account.signMessage({ message }) })
const verify = (body: unknown) => api.call('/auth/verify', { body })

describe('signing in', () => {
  test('a fresh wallet gets a token of three parts, no roles and the base capabilities', async () => {
    const { status, body } = await signIn(api, worker)
    expect(status).toBe(200)
    expect(body.token.split('.')).toHaveLength(3)
    expect(body).toMatchObject({ wallet: worker.address.toLowerCase(), roles: [], tokenType: 'Bearer' })
    expect(body.capabilities).toContain('jobs:claim')
    expect(body.capabilities).not.toContain('jobs:create')
  })

  test('three spellings of an address are one subject', async () => {
    const { address } = worker
    const upper = `0x${address.slice(2).toUpperCase()}`
    for (const spelling of [address, address.toLowerCase(), upper]) {
      const message = await messageFor(spelling)
      expect(message).toContain(address)
      expect((await verify(await signed(message))).body.wallet).toBe(address.toLowerCase())
    }
  })

  test('an address with a wrong checksum is refused', async () => {
    const wrong = `${worker.address.slice(0, -1)}c`
    const { status, body } = await api.call('/auth/nonce', { body: { wallet: wrong } })
    expect([status, body.code, body.errors[0].pointer]).toEqual([400, 'invalid_request', '/wallet'])
  })

  test('a nonce works once', async () => {
    const body = await signed(await challenge())
    expect((await verify(body)).status).toBe(200)
    const again = await verify(body)
    expect([again.status, again.body.code]).toEqual([401, 'invalid_nonce'])
    expect(again.headers.get('www-authenticate')).toBe('Bearer')
    expect((await verify({ ...body, signature: `0x${'ff'.repeat(65)}` })).body.code).toBe('invalid_nonce')
  })

  test('twenty parallel uses of one signature give one token', async () => {
    const message = await challenge()
    const nonce = /Nonce: (\w+)/.exec(message)?.[1]
    const body = await signed(message)
    const { database: store } = api.deps
    // The requests fill the pool that they wait in: who looks on has a connection of its own.
    const onlooker = openDatabase({ url: api.databaseUrl, poolSize: 1, connectMs: 20_000 })
    const replies = await store.transaction(async (rows) => {
      await sql`select 1 from auth_challenge where nonce = ${nonce} for update`.execute(rows)
      const sent = Array.from({ length: 20 }, () => verify(body))
      await untilLocksWait(onlooker, 10)
      return sent
    })
    const all = await Promise.all(replies)
    await onlooker.close()
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(all.filter(({ status }) => status !== 200).map((reply) => reply.body.code))).toEqual(new Set(['invalid_nonce']))
  })

  test.each<[string, (message: string) => Promise<{ message: string; signature: string }>, string]>([
    ['of another wallet', (message) => signed(message, other), 'siwe_signature_mismatch'],
    ['without a recoverable signer', async (message) => ({ message, signature: `0x${'ff'.repeat(65)}` }), 'siwe_recover_failed'],
    [
      'of 65 bytes and one more',
      async (message) => ({ message, signature: concatHex([(await signed(message)).signature, '0x00']) }),
      'siwe_recover_failed',
    ],
    [
      'of another wallet in whose name the message is changed',
      (message) => signed(message.replace(worker.address, other.address), other),
      'nonce_wallet_mismatch',
    ],
  ])('a signature %s is refused, and the nonce can be used again', async (_name, make, code) => {
    const message = await challenge()
    const refused = await verify(await make(message))
    expect([refused.status, refused.body.code]).toEqual([401, code])
    expect((await verify(await signed(message))).status).toBe(200)
  })

  test('a signature without 0x is accepted', async () => {
    const { message, signature } = await signed(await challenge())
    expect((await verify({ message, signature: signature.slice(2) })).status).toBe(200)
  })

  test.each([
    ['another host', /^work\.example/, 'evil.example', 'siwe_domain_mismatch'],
    ['another address of the service', 'URI: https://work.example', 'URI: https://evil.example', 'siwe_uri_mismatch'],
    ['another chain', 'Chain ID: 420420417', 'Chain ID: 420420419', 'siwe_chain_mismatch'],
    ['an unknown nonce', /Nonce: \w+/, 'Nonce: 0123456789abcdef0123456789abcdef', 'invalid_nonce'],
    ['a changed statement', 'Sign in to the agent', 'Sign in to the Agent', 'siwe_message_mismatch'],
    ['an extra line', /$/, '\nResources:\n- https://evil.example/', 'siwe_message_mismatch'],
    ['a removed expiry', /\nExpiration Time: .*/, '', 'siwe_message_mismatch'],
    ['an issue time that is no date', /Issued At: .*/, 'Issued At: 2026-99-99T00:00:00.000Z', 'siwe_bad_issued_at'],
    ['an issue time in the future', /Issued At: .*/, 'Issued At: 2100-01-01T00:00:00.000Z', 'siwe_iat_future'],
    ['a past expiry', /Expiration Time: .*/, 'Expiration Time: 2020-01-01T00:00:00.000Z', 'siwe_expired'],
    ['a later begin', /$/, '\nNot Before: 2100-01-01T00:00:00.000Z', 'siwe_not_before'],
  ])('a message with %s is refused', async (_name, part, replacement, code) => {
    const message = await challenge()
    const { status, body } = await verify(await signed(message.replace(part, replacement)))
    expect([status, body.code]).toEqual([401, code])
    expect(body.nextActions[0].kind).toBe('sign_in')
  })

  test.each<[string, (issued: string) => string]>([
    ['line ends of Windows', (issued) => issued.replaceAll('\n', '\r\n')],
    ['line ends of old systems', (issued) => issued.replaceAll('\n', '\r')],
    ['a line feed at its end', (issued) => `${issued}\n`],
    ['white space at its end', (issued) => `${issued}  \r\n`],
    ['white space at the ends of its lines', (issued) => issued.replaceAll('\n', ' \n')],
    ['a byte order mark', (issued) => `\uFEFF${issued}`],
    ['no empty lines', (issued) => issued.replaceAll('\n\n', '\n')],
    ['one line', (issued) => issued.replaceAll('\n', ' ')],
    ['its address in lower case', (issued) => issued.replace(worker.address, worker.address.toLowerCase())],
    ['its address in upper case', (issued) => issued.replace(/0x\w+/, (address) => address.toUpperCase())],
    ['its domain in upper case', (issued) => issued.replace('work.example', 'WORK.example')],
    ['its statement in upper case', (issued) => issued.replace('Sign in to', 'SIGN IN TO')],
    ['its nonce in upper case', (issued) => issued.replace(/Nonce: \w+/, (line) => `Nonce: ${line.slice(7).toUpperCase()}`)],
  ])('the issued message with %s is to be signed unchanged', async (_name, change) => {
    const message = await challenge()
    const changed = change(message)
    const { status, body } = await verify(await signed(changed))
    expect([status, body.code]).toEqual([401, 'siwe_message_mismatch'])
    expect(body.detail).toMatch(/Sign the issued message unchanged/)
    expect((await verify(await signed(message))).status).toBe(200)
    const late = await verify(await signed(changed))
    expect([late.status, late.body.code]).toEqual([401, 'siwe_message_mismatch'])
  })

  test('the issued message in another form and past its time is to be signed unchanged, too', async () => {
    const message = await challenge()
    const body = await signed(message.replaceAll('\n', '\r\n'))
    api.clock.at = Date.now() + 3_600_000
    const late = await verify(body)
    const withoutExpiry = await verify(await signed(message.replace(/\nExpiration Time: .*/, '')))
    api.clock.at = null
    expect([late.status, late.body.code]).toEqual([401, 'siwe_message_mismatch'])
    expect(withoutExpiry.body.code).toBe('invalid_nonce')
  })

  test.each([
    ['no message at all', {}, ['/message', '/signature']],
    ['a text that is no sign-in message', { message: 'x'.repeat(60), signature: `0x${'00'.repeat(65)}` }, ['/message']],
    ['a message that is too long', { message: 'x'.repeat(4097), signature: `0x${'00'.repeat(65)}` }, ['/message']],
    ['a short signature', { message: 'x'.repeat(60), signature: `0x${'00'.repeat(63)}` }, ['/signature']],
    ['half a byte of signature', { message: 'x'.repeat(60), signature: `0x${'0'.repeat(131)}` }, ['/signature']],
    ['a signature that is too long', { message: 'x'.repeat(60), signature: `0x${'00'.repeat(8193)}` }, ['/signature']],
    ['an unknown member', { message: 'x'.repeat(60), signature: `0x${'00'.repeat(65)}`, remember: true }, ['/remember']],
  ])('%s is a 400 that names the member', async (_name, body, pointers) => {
    const reply = await verify(body)
    expect(reply.status).toBe(400)
    expect(reply.body.errors.map((error: { pointer: string }) => error.pointer)).toEqual(pointers)
  })

  test('the published vector gives the published message, and each tampering its own code', async () => {
    const at = Date.parse('2026-01-02T03:04:05.000Z')
    const message =
      'work.example wants you to sign in with your Ethereum account:\n0x70997970C51812dc3A010C7d01b50e0d17dc79C8\n\nSign in to the agent work service.\n\nURI: https://work.example\nVersion: 1\nChain ID: 420420417\nNonce: 0123456789abcdef0123456789abcdef\nIssued At: 2026-01-02T03:04:05.000Z\nExpiration Time: 2026-01-02T03:09:05.000Z'
    const signature =
      '0x5feed8851fc1fe56683972f8881b49c8d39cd17b7c18db03e35b8feb3f5e6945061ef7c2b05fbb344f52f1ee9b9bb5303c4ba4e5ba9d23206b33698b285228f21b'
    const { rows } = api.deps.database
    const subject = worker.address.toLowerCase()
    const issued = { nonce: '0123456789abcdef0123456789abcdef', subject, message, issuedAt: at, expiresAt: at + 300_000 }
    await rows
      .insertInto('auth_challenge')

      .values({ ...issued, kind: 'evm', consumedAt: null })
      .execute()
    const codeAt = async (now: number, body: unknown) => {
      api.clock.at = now
      const reply = await verify(body)
      api.clock.at = null
      return reply.body.code ?? reply.status
    }
    expect(await codeAt(Date.parse('2026-01-02T03:09:05.001Z'), { message, signature })).toBe('siwe_expired')
    expect(await codeAt(Date.parse('2026-01-02T03:03:04.000Z'), { message, signature })).toBe('siwe_iat_future')
    expect(await codeAt(at, { message, signature: signature.replace(/1b$/, '1c') })).toBe('siwe_signature_mismatch')
    expect(await codeAt(at, { message, signature })).toBe(200)
    expect(await codeAt(at, { message, signature })).toBe('invalid_nonce')
  })

  test('a nonce and a sign-in record events with lower-case wallets', async () => {
    const wallet = accounts.arbitrator.address.toLowerCase()
    await signIn(api, accounts.arbitrator)
    const found = await sql<{
      topic: string
    }>`select distinct topic from event where wallets @> ${JSON.stringify([wallet])}::jsonb`.execute(api.deps.database.rows)
    expect(found.rows.map(({ topic }) => topic).sort()).toEqual(['journey.auth_nonce_issued', 'journey.auth_verified'])
  })
})

describe('refresh and logout', () => {
  const refresh = (token: string) => api.call('/auth/refresh', { method: 'POST', token })

  test('a refreshed token works and the old one does not', async () => {
    const old = await tokenOf(api, worker)
    const { status, body } = await refresh(old)
    expect(status).toBe(200)
    expect(body.rotatedFromJti).toMatch(/^[0-9a-f-]{36}$/)
    const replies = await Promise.all([old, body.token].map((token) => api.call('/auth/session', { token })))
    expect(replies.map((reply) => reply.body.code ?? reply.status)).toEqual(['token_revoked', 200])
  })

  test('parallel refreshes of one token give one new token, and it works', async () => {
    const token = await tokenOf(api, verifier)
    const replies = await Promise.all([1, 2, 3].map(() => refresh(token)))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(replies.map(({ body }) => decodeJwt(body.token).jti)).size).toBe(1)
    for (const { body } of replies) expect((await api.call('/auth/session', { token: body.token })).status).toBe(200)
  })

  test('a wallet without roles can refresh again and again, until 30 days after sign-in', async () => {
    const start = Date.parse('2026-03-01T00:00:00.000Z')
    const day = 86_400_000
    api.clock.at = start
    let token = await tokenOf(api, other)
    for (let elapsed = 0.9; elapsed < 30; elapsed += 0.9) {
      api.clock.at = start + elapsed * day
      token = (await refresh(token)).body.token
    }
    api.clock.at = start + 30 * day - 1000
    const last = await refresh(token)
    expect([last.status, last.body.expiresAt]).toEqual([200, new Date(start + 30 * day).toISOString()])
    api.clock.at = start + 30 * day + 1000
    const ended = await refresh(last.body.token)
    expect([ended.status, ended.body.code]).toEqual([401, 'auth_session_expired'])
    api.clock.at = null
  })

  test('a signer that fails leaves the old token working', async () => {
    const token = await tokenOf(api, worker)
    const { issue } = api.deps.tokens
    api.deps.tokens.issue = async () => {
      throw new Error('signer down')
    }
    expect((await refresh(token)).body.code).toBe('internal_error')
    api.deps.tokens.issue = issue
    expect((await api.call('/auth/session', { token })).status).toBe(200)
  })

  test('after logout the token is revoked', async () => {
    const token = await tokenOf(api, worker)
    const { body } = await api.call('/auth/logout', { method: 'POST', token })
    expect(body).toMatchObject({ status: 'logged_out', wallet: worker.address.toLowerCase() })
    expect((await api.call('/auth/session', { token })).body.code).toBe('token_revoked')
  })

  test('the session shows what the token may do and until when', async () => {
    const { body } = await api.call('/auth/session', { token: await tokenOf(api, admin) })
    expect(body).toMatchObject({
      roles: ['admin'],
      tokenKind: 'wallet',
      serviceToken: false,
      capabilityMatrix: { version: 'auth-policy-v1' },
    })
    expect(body.capabilities).toEqual(expect.arrayContaining(['jobs:create', 'admin:capabilities:grant']))
    expect(Date.parse(body.refreshableUntil) - Date.parse(body.authTime)).toBe(30 * 86_400_000)
    expect(body.capabilityMatrix.routes['POST /jobs/claim']).toEqual(['jobs:claim'])
  })
})

const signedBy = async (message: string, ...signers: Owner[]): Promise<Hex> =>
  concatHex(await Promise.all(signers.map((signer) => signer.signMessage({ message }))))
const verifyBy = async (message: string, ...signers: Owner[]) => verify({ message, signature: await signedBy(message, ...signers) })

/** The factory of contract wallets that accept the signatures of all their owners. */
const deployFactory = async () => {
  const { abi, bytecode } = await loadArtifact('MockWalletFactory')
  const transact = async (call: { to?: Hex; data: Hex }): Promise<Hex> => {
    const pipeline = await createPipeline(anvil.rpcUrl)
    const sent = await pipeline.send({ label: 'wallets', from: OWNER_KEY, ...call })
    await pipeline.settle()
    return sent
  }
  const address = await transact({ data: bytecode })
  const argsOf = (owners: readonly Owner[]) => [owners.map((owner) => owner.address)]
  const deployCall = (owners: readonly Owner[]): Hex => encodeFunctionData({ abi, functionName: 'deploy', args: argsOf(owners) })
  const walletOf = async (...owners: Owner[]): Promise<Hex> => {
    const client = createPublicClient({ transport: http(anvil.rpcUrl) })
    return (await client.readContract({ address, abi, functionName: 'walletOf', args: argsOf(owners) })) as Hex
  }
  const deploy = async (...owners: Owner[]): Promise<Hex> => {
    await transact({ to: address, data: deployCall(owners) })
    return walletOf(...owners)
  }
  const wrap = async (message: string, ...owners: Owner[]): Promise<Hex> =>
    serializeErc6492Signature({ address, data: deployCall(owners), signature: await signedBy(message, ...owners) })
  return { walletOf, deploy, wrap }
}
const factory = useStarted(deployFactory, async () => undefined)

describe('a contract wallet', () => {
  let shared: Hex
  beforeAll(async () => {
    shared = await factory.deploy(worker, admin)
  })

  test('signs in with the signatures of its owners (EIP-1271)', async () => {
    const wallet = await factory.deploy(worker, other)
    const { status, body } = await verifyBy(await messageFor(wallet), worker, other)
    expect([status, body.wallet]).toEqual([200, wallet.toLowerCase()])
    expect((await api.call('/auth/session', { token: body.token })).body.wallet).toBe(wallet.toLowerCase())
  })

  test('of one owner signs in with a signature as long as that of a key', async () => {
    expect((await verifyBy(await messageFor(await factory.deploy(other)), other)).status).toBe(200)
  })

  test('signs in before it is deployed (ERC-6492), and with the same signature form afterwards', async () => {
    const wallet = await factory.walletOf(admin, verifier)
    const verifyWrapped = async () => {
      const message = await messageFor(wallet)
      return verify({ message, signature: await factory.wrap(message, admin, verifier) })
    }
    expect((await verifyWrapped()).body.wallet).toBe(wallet.toLowerCase())
    await factory.deploy(admin, verifier)
    expect((await verifyWrapped()).status).toBe(200)
  })

  test.each<[string, (message: string) => Promise<Hex>, string]>([
    ['of one owner alone', (message) => signedBy(message, worker), 'siwe_signature_mismatch'],
    ['of its owners in another order', (message) => signedBy(message, admin, worker), 'siwe_recover_failed'],
    ['of its owners on another text', () => signedBy('another text', worker, admin), 'siwe_recover_failed'],
    ['for the wallet of other owners', (message) => factory.wrap(message, other, verifier), 'siwe_recover_failed'],
    ['with an unreadable wrapper', async () => concatHex([`0x${'00'.repeat(65)}`, `0x${'6492'.repeat(16)}`]), 'siwe_recover_failed'],
    ['of one owner followed by more', async (message) => concatHex([await signedBy(message, worker), '0x00']), 'siwe_recover_failed'],
  ])('does not sign in with a signature %s, and keeps its nonce', async (_name, make, code) => {
    const message = await messageFor(shared)
    const refused = await verify({ message, signature: await make(message) })
    expect([refused.status, refused.body.code]).toEqual([401, code])
    expect((await verifyBy(message, worker, admin)).status).toBe(200)
  })

  test('that is not deployed does not sign in without the wrapper', async () => {
    const message = await messageFor(await factory.walletOf(other, admin))
    expect((await verifyBy(message, other, admin)).body.code).toBe('siwe_recover_failed')
  })
})

test('while the chain cannot be read, keys sign in; a contract wallet is refused, and signs in later', async () => {
  const blind = await startApi({ databaseUrl: api.databaseUrl, settings })
  try {
    const ofKey = await blind.call('/auth/verify', { body: await signed(await challenge()) })
    expect(ofKey.status).toBe(200)
    const message = await messageFor(await factory.deploy(verifier, worker))
    const signature = await signedBy(message, verifier, worker)
    const { status, body } = await blind.call('/auth/verify', { body: { message, signature } })
    expect([status, body.code, body.retryable]).toEqual([502, 'blockchain_unavailable', true])
    expect(body.detail).toMatch(/only externally owned accounts can sign in now/)
    expect((await verify({ message, signature })).status).toBe(200)
  } finally {
    await blind.close()
  }
})
