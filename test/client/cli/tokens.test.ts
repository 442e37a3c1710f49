import { afterEach, describe, expect, test } from '@jest/globals'
import { checksumAddress } from '../../../client/cli/key/address.ts'
import { createOutput } from '../../../client/cli/output/output.ts'
import { createTokenFetch } from '../../../client/cli/service/newer-token.ts'
import { type ScriptedChain, startScriptedChain } from '../support/scripted-chain.ts'
import { json, problem, type Script } from '../support/scripted-service.ts'

let chain: ScriptedChain
afterEach(() => chain.close())

/** A service that takes one token, and ends the others with a code. */
const start = async (code: string, scripts: Record<string, Script> = {}): Promise<void> => {
  chain = await startScriptedChain({
    'GET /account': ({ headers }, response, number) => {
      // Another command renews the token while this one runs.
      if (number === 1) chain.state.writeSession({ ...saved(), token: 'token-of-another-command' })
      if (headers.authorization === 'Bearer token-of-another-command') json(response, 200, { wallet: chain.wallet, liquid: {}, asOf: '' })
      else problem(response, 401, code)
    },
    ...scripts,
  })
}
const saved = () => {
  const session = chain.state.readSession()
  if (session === undefined) throw new Error('no wallet is signed in')
  return session
}

describe('a token that another command renewed', () => {
  test.each(['token_revoked', 'token_expired'])('and that the service refuses with %s is replaced by the newer one', async (code) => {
    await start(code)
    expect((await chain.run(['account'])).exit).toBe(0)
    expect(chain.service.of('POST /auth/nonce')).toEqual([])
    expect(saved().token).toBe('token-of-another-command')
  })

  test('is not replaced after another refusal', async () => {
    await start('token_malformed')
    await chain.run(['account'])
    expect(chain.service.of('POST /auth/nonce')).toHaveLength(1)
  })

  test('is the token of every request that follows', async () => {
    await start('token_revoked', {
      'GET /auth/session': ({ headers }, response, number) => {
        if (number === 1) chain.state.writeSession({ ...saved(), token: 'token-of-another-command' })
        if (headers.authorization === 'Bearer token-of-another-command')
          json(response, 200, { wallet: chain.wallet, roles: [], expiresAt: saved().expiresAt })
        else problem(response, 401, 'token_revoked')
      },
      'GET /reputation': (_request, response) => json(response, 200, { tier: 'starter', skill: 0, reliability: 0, economic: 0 }),
    })
    expect((await chain.run(['whoami'])).exit).toBe(0)
    expect(chain.service.of('GET /reputation').map(({ headers }) => headers.authorization)).toEqual(['Bearer token-of-another-command'])
    expect(chain.service.of('GET /auth/session')).toHaveLength(2)
  })
})

describe('a renewal', () => {
  /** A service that refuses renewals, and a token in the second half of its life. */
  const startOld = async (status: number, code: string): Promise<void> => {
    await start('token_revoked', {
      'POST /auth/refresh': (_request, response) => problem(response, status, code, { retryable: true }, { 'retry-after': '1' }),
    })
    chain.state.writeSession({ ...saved(), expiresAt: new Date(Date.now() + 3_600_000).toISOString() })
  }

  test('that the service has no time for is not repeated: later than the grace it would end the sign-in', async () => {
    await startOld(429, 'rate_limited')
    expect((await chain.run(['account'])).exit).toBe(0)
    expect(chain.service.of('POST /auth/refresh')).toHaveLength(1)
  })

  test('of a command that runs long is made with the newest token of the token file', async () => {
    await start('token_revoked', { 'POST /auth/refresh': (_request, response) => json(response, 200, {}) })
    const sink = { write: () => undefined }
    const used = createTokenFetch(
      { state: chain.state, output: createOutput({ out: sink, error: sink, isJson: true, noColour: true }) },
      chain.wallet,
    )
    chain.state.writeSession({ ...saved(), token: 'token-of-another-command' })
    const headers = { authorization: 'Bearer token-of-this-test' }
    await used(`${chain.service.baseUrl}/auth/refresh`, { method: 'POST', headers })
    expect(chain.service.of('POST /auth/refresh').map(({ headers }) => headers.authorization)).toEqual(['Bearer token-of-another-command'])
  })
})

test('a renewal that failed is named when the key cannot be opened afterwards', async () => {
  await start('token_revoked', {
    'POST /auth/refresh': (_request, response) => problem(response, 403, 'forbidden', { detail: 'The wallet is blocked.' }),
    'GET /account': (_request, response) => problem(response, 401, 'token_revoked'),
    'POST /auth/nonce': (_request, response) => json(response, 200, { message: signInText(), issuedAt: new Date().toISOString() }),
  })
  const { host } = new URL(chain.service.baseUrl)
  const signInText = (): string =>
    `${host} wants you to sign in with your Ethereum account:\n${checksumAddress(chain.wallet)}\n\nURI: http://${host}\nVersion: 1\nChain ID: 1`
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
  chain.state.writeSession({ ...saved(), expiresAt, keyFile: `${chain.state.directory}/nowhere` })
  const { exit, document } = await chain.run(['account'])
  expect([exit, document.advice]).toEqual([3, expect.arrayContaining([expect.stringContaining('The wallet is blocked.')])])
})

describe('a service at the address of the sign-in', () => {
  test.each([
    ['of another chain', { chainId: 1 }],
    ['of another name', { domain: 'other.example' }],
  ])('that is one %s gets no token, and the refusal names both', async (_, members) => {
    await start('token_revoked', {
      'GET /health': ({ headers }, response) =>
        json(response, 200, { auth: { mode: 'strict', domain: headers.host, chainId: 31_337, ...members } }),
    })
    for (const command of [['account'], ['jobs'], ['logout'], ['claim', 'a-job'], ['faucet']]) {
      const { exit, document } = await chain.run(command)
      expect([command, exit, document.detail]).toEqual([command, 1, expect.stringContaining(String(Object.values(members)[0]))])
      expect(document.detail).toContain('31337')
    }
    expect(chain.service.received.map(({ url, headers }) => [url, headers.authorization])).toEqual(Array(5).fill(['/health', undefined]))
  })
})
