import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, test } from '@jest/globals'
import { createClient } from '../../client/src/client.ts'
import { isProblem } from '../../client/src/problems.ts'
import type { ClientOptions, ClientSession } from '../../client/src/types.ts'
import { eventually } from '../support/eventually.ts'
import { json, problem, type Script, type ScriptedService, startScriptedService } from './support/scripted-service.ts'

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const NOW = Date.parse('2030-01-02T03:04:05.000Z')
const HOUR_MS = 3_600_000

let service: ScriptedService | undefined
afterEach(async () => {
  await service?.close()
  service = undefined
})

/** Tokens of the scripted service: `token-1`, `token-2`, … Its clock is a day ahead of the client's. */
const start = async (scripts: Record<string, Script> = {}, options: Partial<ClientOptions> = {}) => {
  const state = { nowMs: NOW, valid: '', issued: 0 }
  const serviceNow = (): number => state.nowMs + 24 * HOUR_MS
  const issue = () => {
    state.issued += 1
    state.valid = `token-${state.issued}`
    const expiresAt = new Date(serviceNow() + HOUR_MS).toISOString()
    return { token: state.valid, wallet: WALLET.toLowerCase(), expiresAt, roles: [], capabilities: ['jobs:claim'], tokenType: 'Bearer' }
  }
  const withToken =
    (script: Script): Script =>
    (request, response, number) =>
      request.headers.authorization === `Bearer ${state.valid}`
        ? script(request, response, number)
        : problem(response, 401, request.headers.authorization === undefined ? 'missing_token' : 'token_expired')
  service = await startScriptedService({
    'POST /auth/nonce': (request, response) =>
      json(response, 200, { message: `sign in ${JSON.parse(request.body).wallet}`, issuedAt: new Date(serviceNow()).toISOString() }),
    'POST /auth/verify': (_request, response) => json(response, 200, issue()),
    'POST /auth/refresh': withToken((_request, response) => json(response, 200, issue())),
    'POST /auth/logout': withToken((_request, response) => json(response, 200, { status: 'logged_out' })),
    'GET /account': withToken((_request, response) => json(response, 200, { wallet: WALLET })),
    'GET /jobs': (request, response) => json(response, 200, { jobs: [], token: request.headers.authorization ?? null, nextCursor: null }),
    ...scripts,
  })
  const tokens: (string | null)[] = []
  const signed: string[] = []
  const client = createClient({
    baseUrl: service.baseUrl,
    clock: () => state.nowMs,
    onToken: (session: ClientSession | null) => tokens.push(session?.token ?? null),
    account: {
      address: WALLET,
      signMessage: async ({ message }) => {
        signed.push(message)
        return '0xsignature'
      },
    },
    ...options,
  })
  const count = (name: string): number => service?.of(name).length ?? 0
  return { client, state, tokens, signed, count, service }
}

const failureOf = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error)

describe('the client signs in', () => {
  test('once, when parallel calls need a token', async () => {
    const { client, signed, tokens, count } = await start()
    expect(client.session).toBeNull()
    await Promise.all([client.getAccount(), client.getAccount(), client.signIn(), client.getAccount()])
    expect([count('POST /auth/nonce'), count('POST /auth/verify'), count('GET /account')]).toEqual([1, 1, 3])
    expect(signed).toEqual([`sign in ${WALLET}`])
    expect(tokens).toEqual(['token-1'])
    expect(client.session).toMatchObject({ token: 'token-1', wallet: WALLET.toLowerCase(), capabilities: ['jobs:claim'] })
  })

  test('not for an operation that works without a token, and sends it there once it has one', async () => {
    const { client } = await start()
    expect(await client.listJobs()).toMatchObject({ token: null })
    await client.signIn()
    expect(await client.listJobs()).toMatchObject({ token: 'Bearer token-1' })
  })

  test('again, once, after a token ended, and repeats the call with it', async () => {
    const { client, state, count, tokens } = await start()
    await client.getAccount()
    state.valid = 'another'
    await Promise.all([client.getAccount(), client.getAccount()])
    expect([count('POST /auth/verify'), count('POST /auth/refresh'), count('GET /account')]).toEqual([2, 0, 5])
    expect(tokens).toEqual(['token-1', null, 'token-2'])
  })

  test('only once for a call that is refused again', async () => {
    const { client, count } = await start({ 'GET /account': (_request, response) => problem(response, 401, 'token_revoked') })
    expect(isProblem(await failureOf(client.getAccount()), 'token_revoked')).toBe(true)
    expect([count('POST /auth/verify'), count('GET /account')]).toEqual([2, 2])
  })

  test('again for each token that ends while a call follows a 202', async () => {
    const answers = ['pending', 'ended', 'pending', 'ended', 'final']
    const { client, count } = await start({
      'POST /jobs/claim': (_request, response) => {
        const answer = answers.shift()
        if (answer === 'ended') return problem(response, 401, 'token_expired')
        return json(response, answer === 'pending' ? 202 : 200, { status: answer, retryAfterSeconds: 0 })
      },
    })
    expect(await client.claimJob({ jobId: 'a' })).toMatchObject({ status: 'final' })
    expect([count('POST /auth/verify'), count('POST /jobs/claim')]).toEqual([3, 5])
  })

  test('with a new nonce when the answer to its signature is lost', async () => {
    let lost = 0
    const { client, count } = await start({
      'POST /auth/verify': (_request, response) => {
        lost += 1
        if (lost === 1) response.destroy()
        else json(response, 200, { token: 'after', expiresAt: '2031-01-01T00:00:00.000Z' })
      },
    })
    expect(await client.signIn()).toMatchObject({ token: 'after' })
    expect([count('POST /auth/nonce'), count('POST /auth/verify')]).toEqual([2, 2])
  })

  test('and reports a refused signature to every call that waits', async () => {
    const { client, count } = await start({
      'POST /auth/verify': (_request, response) => problem(response, 401, 'siwe_signature_mismatch'),
    })
    const failures = await Promise.all([failureOf(client.getAccount()), failureOf(client.getAccount())])
    expect(failures.map((error) => isProblem(error, 'siwe_signature_mismatch'))).toEqual([true, true])
    expect(count('POST /auth/verify')).toBe(1)
  })

  test('on for the others when one of the calls that wait is aborted', async () => {
    let sign = (_signature: string): void => undefined
    const signature = new Promise<string>((resolve) => {
      sign = resolve
    })
    const { client, count } = await start({}, { account: { address: WALLET, signMessage: () => signature } })
    const controller = new AbortController()
    const aborted = failureOf(client.getAccount({}, { signal: controller.signal }))
    const other = client.getAccount()
    controller.abort(new Error('enough'))
    expect(await aborted).toMatchObject({ message: 'enough' })
    sign('0xsignature')
    expect(await other).toMatchObject({ wallet: WALLET })
    expect(count('POST /auth/verify')).toBe(1)
  })

  test('again for a call that comes after every waiting call was aborted, and drops the late signature', async () => {
    const signers: ((signature: string) => void)[] = []
    const signMessage = () => new Promise<string>((resolve) => void signers.push(resolve))
    const { client, count, tokens } = await start({}, { account: { address: WALLET, signMessage } })
    const untilAsked = (times: number) => eventually('the wallet is asked', () => signers.length >= times)
    const controller = new AbortController()
    const aborted = failureOf(client.getAccount({}, { signal: controller.signal }))
    await untilAsked(1)
    controller.abort(new Error('enough'))
    expect(await aborted).toMatchObject({ message: 'enough' })
    const other = failureOf(client.getAccount())
    await Promise.race([other, untilAsked(2)])
    // The end of the first sign-in leaves the second one as it is.
    signers[0]?.('0xlate')
    const third = failureOf(client.getAccount())
    await nextTurn()
    signers[1]?.('0xsignature')
    expect(await Promise.all([other, third])).toMatchObject([{ wallet: WALLET }, { wallet: WALLET }])
    expect([signers.length, count('POST /auth/nonce'), count('POST /auth/verify')]).toEqual([2, 2, 1])
    expect(tokens).toEqual(['token-1'])
  })
})

describe('a token', () => {
  test('is renewed shortly before its end by the clock of the service, once for parallel calls', async () => {
    const { client, state, count } = await start()
    await client.getAccount()
    state.nowMs += HOUR_MS - 90_000
    await client.getAccount()
    expect(count('POST /auth/refresh')).toBe(0)
    state.nowMs += 45_000
    await Promise.all([client.getAccount(), client.getAccount()])
    expect([count('POST /auth/refresh'), count('POST /auth/verify')]).toEqual([1, 1])
    expect(client.session?.token).toBe('token-2')
  })

  test('is replaced by a new sign-in when it cannot be renewed', async () => {
    const { client, state, count } = await start({
      'POST /auth/refresh': (_request, response) => problem(response, 401, 'auth_session_expired'),
    })
    await client.getAccount()
    state.nowMs += 2 * HOUR_MS
    expect(await client.getAccount()).toMatchObject({ wallet: WALLET })
    expect([count('POST /auth/refresh'), count('POST /auth/verify')]).toEqual([1, 2])
  })

  test('of the caller is used, renewed by its own claims, and kept when it cannot be', async () => {
    const claims = { sub: WALLET.toLowerCase(), exp: NOW / 1_000 + 30 }
    const token = `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`
    const sent: (string | undefined)[] = []
    const keep: Script = (request, response) => {
      sent.push(request.headers.authorization)
      json(response, 200, {})
    }
    const refuse: Script = (_request, response) => problem(response, 401, 'service_token_refresh_unsupported')
    const { client, state, count } = await start({ 'GET /account': keep, 'POST /auth/refresh': refuse }, { account: undefined, token })
    expect(client.session).toEqual({ token, wallet: claims.sub, expiresAt: new Date(claims.exp * 1_000).toISOString() })
    await client.getAccount()
    state.nowMs += 29_000
    await client.getAccount()
    await client.getAccount()
    expect(sent).toEqual([`Bearer ${token}`, `Bearer ${token}`, `Bearer ${token}`])
    expect(count('POST /auth/refresh')).toBe(1)
  })

  test('that is refused without an account is the error of the call', async () => {
    const { client, count } = await start({}, { account: undefined, token: 'old' })
    expect(isProblem(await failureOf(client.getAccount()), 'token_expired')).toBe(true)
    expect(isProblem(await failureOf(createClient({ baseUrl: service?.baseUrl ?? '' }).getAccount()), 'missing_token')).toBe(true)
    expect(count('GET /account')).toBe(2)
    expect(await failureOf(client.signIn())).toBeInstanceOf(TypeError)
  })

  test('is gone after a logout, which never signs in', async () => {
    const { client, tokens, count } = await start()
    expect(isProblem(await failureOf(client.logout()), 'missing_token')).toBe(true)
    await client.signIn()
    await client.logout()
    expect(client.session).toBeNull()
    expect(tokens).toEqual(['token-1', null])
    expect(count('POST /auth/nonce')).toBe(1)
  })

  test('given for one call stands in for that of the client', async () => {
    const { client, count } = await start({
      'GET /metrics': (request, response) =>
        void response.writeHead(200, { 'content-type': 'text/plain' }).end(request.headers.authorization),
    })
    expect(await client.getMetrics({}, { token: 'metrics-secret' })).toBe('Bearer metrics-secret')
    expect(isProblem(await failureOf(client.getAccount({}, { token: 'wrong' })), 'token_expired')).toBe(true)
    expect(count('POST /auth/nonce')).toBe(0)
  })
})
