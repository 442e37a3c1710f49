// Delegates at the command line: what is signed, where the token goes, and commands that have a token and no key.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { recoverMessageAddress } from 'viem'
import { checksumAddress } from '../../../client/cli/key/address.ts'
import { type ScriptedChain, startScriptedChain } from '../support/scripted-chain.ts'
import { json, problem, type Script } from '../support/scripted-service.ts'

const GRANT = 'grant-0123456789ab'
const ENDS = new Date(Date.now() + 3 * 86_400_000 - 1_000).toISOString()
const ISSUED = new Date().toISOString()
const SENTENCE =
  "Let 'Night shift' act for me: read, claim, submit in all my sessions; bonds up to 7.5 USDC a day; 10 jobs a day; tiers starter, pro; until "
const CREATE = ['delegate', 'create', '--name', 'Night shift', '--bond-per-day', '7.5', '--tiers', 'pro,starter', '--days', '3']

/** Token whose claims the client reads for its wallet. */
const tokenOf = (wallet: string): string => `head.${Buffer.from(JSON.stringify({ sub: wallet })).toString('base64url')}.signature`

let chain: ScriptedChain
const start = async (sentence = `${SENTENCE}${ENDS}.`, scripts: Record<string, Script> = {}): Promise<void> => {
  chain = await startScriptedChain({
    'POST /auth/nonce': ({ headers: { host } }, response) => {
      const lines = [`URI: http://${host}`, 'Version: 1', 'Chain ID: 31337', 'Nonce: 0', `Issued At: ${ISSUED}`]
      const head = `${host} wants you to sign in with your Ethereum account:\n${checksumAddress(chain.wallet)}`
      json(response, 200, { message: `${head}\n\n${sentence}\n\n${lines.join('\n')}`, issuedAt: ISSUED })
    },
    'POST /auth/verify': (_request, response) => {
      const shown = { tokenKind: 'delegate', capabilityGrantId: GRANT, wallet: chain.wallet, expiresAt: ENDS }
      json(response, 200, { token: tokenOf(chain.wallet), ...shown })
    },
    ...scripts,
  })
}
beforeEach(() => start())
afterEach(() => chain.close())

const restart = async (sentence: string): Promise<void> => {
  await chain.close()
  await start(sentence)
}
const bodyOf = (route: string) => JSON.parse(chain.service.of(route)[0]?.body ?? 'null')

describe('delegate create', () => {
  test('asks for the terms, shows the sentence, signs it with the key, and shows the token once', async () => {
    const { exit, out, error } = await chain.runForPeople([...CREATE, '--yes'])
    expect([exit, bodyOf('POST /auth/nonce')]).toEqual([
      0,
      {
        wallet: checksumAddress(chain.wallet),
        delegate: {
          ...{ name: 'Night shift', scopes: ['read', 'claim', 'submit'], bondPerDayRaw: '7500000' },
          ...{ jobsPerDay: 10, tiers: ['starter', 'pro'], days: 3 },
        },
      },
    ])
    expect(error.replaceAll(/\s+/g, ' ')).toContain(`${SENTENCE}${ENDS}.`)
    const { message, signature } = bodyOf('POST /auth/verify')
    expect((await recoverMessageAddress({ message, signature })).toLowerCase()).toBe(chain.wallet)
    const token = tokenOf(chain.wallet)
    expect([out.split(token).length - 1, error.includes(token)]).toEqual([1, false])
    // The sign-in of the wallet stays as it is.
    expect(chain.state.readSession()?.token).toBe('token-of-this-test')
  })

  test('writes the token to a new file for the user alone, and shows it nowhere', async () => {
    const file = join(chain.state.directory, 'night.token')
    const { exit, document } = await chain.run([...CREATE, '--yes', '--out', file])
    const token = tokenOf(chain.wallet)
    expect([exit, document]).toEqual([0, { grantId: GRANT, wallet: chain.wallet, baseUrl: chain.service.baseUrl, expiresAt: ENDS, file }])
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual([`${token}\n`, 0o600])
  })

  test('replaces no file, and signs nothing for one that exists', async () => {
    const file = join(chain.state.directory, 'work.txt')
    writeFileSync(file, 'work')
    const { exit } = await chain.run([...CREATE, '--yes', '--out', file])
    expect([exit, readFileSync(file, 'utf8'), chain.service.of('POST /auth/nonce')]).toEqual([2, 'work', []])
  })

  test.each<[string, string]>([
    ['more scopes', `${SENTENCE}${ENDS}.`.replace('submit', 'submit, withdraw')],
    ['a larger bond', `${SENTENCE}${ENDS}.`.replace('7.5', '75')],
    ['more jobs', `${SENTENCE}${ENDS}.`.replace('10 jobs', '100 jobs')],
    ['another tier', `${SENTENCE}${ENDS}.`.replace('pro', 'pro, elite')],
    ['a later end', `${SENTENCE}${new Date(Date.now() + 9 * 86_400_000).toISOString()}.`],
    ['a sign-in of the wallet itself', 'Sign in to the agent work service.'],
  ])('signs no text with %s than it asked for', async (_what, sentence) => {
    await restart(sentence)
    const { exit, document } = await chain.run([...CREATE, '--yes'])
    expect([exit, document.detail, chain.service.of('POST /auth/verify')]).toEqual([1, expect.stringContaining('Nothing was signed'), []])
  })

  test.each<[string, string[]]>([
    ['without a name', ['delegate', 'create']],
    ['with an unknown scope', [...CREATE, '--scopes', 'read,withdraw']],
    ['with 31 days', ['delegate', 'create', '--name', 'x', '--days', '31']],
    ['with a bond below zero', ['delegate', 'create', '--name', 'x', '--bond-per-day', '-1']],
    ['with an ID', [...CREATE.slice(0, 2), GRANT, ...CREATE.slice(2)]],
    ['with an option of another action', [...CREATE, '--all']],
  ])('%s is wrong use, and asks for nothing', async (_how, args) => {
    const { exit } = await chain.run([...args, '--yes'])
    expect([exit, chain.service.of('POST /auth/nonce')]).toEqual([2, []])
  })
})

describe('delegate list and revoke', () => {
  const item = {
    ...{ grantId: GRANT, client: { name: 'Night\u001b[31m shift', host: 'claude.ai' }, scopes: ['read', 'claim'], status: 'active' },
    ...{ expiresAt: '2026-12-02T10:00:00.000Z', budget: { bondPerDay: usdc('7000000'), jobsPerDay: 10 } },
    used: { bonds: usdc('1500000'), jobs: 2 },
  }
  function usdc(raw: string) {
    return { asset: 'USDC', raw, decimals: 6, display: '' }
  }

  test('show every page, and no character that moves a cursor', async () => {
    await chain.close()
    await start(undefined, {
      'GET /auth/delegates': ({ url }, response) =>
        json(response, 200, { items: [item], limit: 200, nextCursor: url.includes('cursor') ? null : 'more' }),
    })
    const { exit, out } = await chain.runForPeople(['delegate', 'list'])
    expect([exit, out.split(GRANT).length - 1, out.includes('\u001b[31m')]).toEqual([0, 2, false])
    expect(out).toContain('2 of 10, 1.5 USDC of 7 USDC')
  })

  test.each<[string[], number, object | null]>([
    [[GRANT], 0, { grantId: GRANT }],
    [['--all'], 0, { all: true }],
    [[], 2, null],
    [[GRANT, '--all'], 2, null],
  ])('with %j ends with code %d', async (args, code, body) => {
    await chain.close()
    await start(undefined, { 'POST /auth/delegates/revoke': (_request, response) => json(response, 200, { revoked: [GRANT] }) })
    const { exit } = await chain.run(['delegate', 'revoke', ...args])
    expect([exit, bodyOf('POST /auth/delegates/revoke')]).toEqual([code, body])
  })
})

describe('a command with the token of a file', () => {
  const use = (text: string): string => {
    const file = join(chain.state.directory, 'delegate.token')
    writeFileSync(file, text, { mode: 0o600 })
    chain.env.AGENT_WORK_TOKEN_FILE = file
    return file
  }
  const sentBy = (route: string) => chain.service.of(route).map(({ headers }) => headers.authorization)

  test('sends that token, without a key and without a sign-in', async () => {
    use(`${tokenOf(chain.wallet)}\n`)
    chain.state.deleteSession()
    expect((await chain.run(['account'])).exit).toBe(0)
    expect(sentBy('GET /account')).toEqual([`Bearer ${tokenOf(chain.wallet)}`])
    expect(chain.service.of('POST /auth/nonce')).toEqual([])
  })

  test('signs nothing, and shows the token nowhere', async () => {
    use(tokenOf(chain.wallet))
    const { exit, document } = await chain.run(['deposit', '1', '--yes'])
    expect([exit, JSON.stringify(document)]).toEqual([3, expect.stringContaining('A delegate has no key and signs nothing')])
    expect([chain.node.taken, JSON.stringify(document).includes(tokenOf(chain.wallet))]).toEqual([[], false])
  })

  test('that has ended reports it, and does not sign in with the key', async () => {
    await chain.close()
    await start(undefined, { 'GET /account': (_request, response) => problem(response, 401, 'delegate_ended') })
    use(tokenOf(chain.wallet))
    const { exit, document } = await chain.run(['account'])
    expect([exit, document.code, chain.service.of('POST /auth/nonce')]).toEqual([3, 'delegate_ended', []])
  })

  test('ends it with logout, and leaves the file and the sign-in of the wallet', async () => {
    await chain.close()
    await start(undefined, { 'POST /auth/logout': (_request, response) => json(response, 200, { wallet: chain.wallet }) })
    const file = use(tokenOf(chain.wallet))
    expect((await chain.run(['logout'])).exit).toBe(0)
    expect(sentBy('POST /auth/logout')).toEqual([`Bearer ${tokenOf(chain.wallet)}`])
    expect([existsSync(file), chain.state.readSession()?.token]).toEqual([true, 'token-of-this-test'])
  })

  test.each(['', 'two tokens', 'no-claims'])('that holds %j instead of a token is refused', async (text) => {
    use(text)
    expect((await chain.run(['account'])).exit).toBe(3)
    expect(chain.service.of('GET /account')).toEqual([])
  })
})
