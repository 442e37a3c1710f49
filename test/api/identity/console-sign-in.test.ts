// Sign-in on the web console, which has another host than the service: the message names the page that asks for it.
import { describe, expect, test } from '@jest/globals'
import { ed25519Signer, sr25519Signer } from '../../domain/identity/native/signers.ts'
import { accounts, type Reply, tokenOf } from '../../support/api.ts'
import { DELEGATE_TERMS } from '../support/delegates.ts'
import { useApi } from '../support/started.ts'

const settings = { RATE_LIMITS: '{"auth_nonce":{"limit":10000},"auth_verify":{"limit":10000}}' }
const api = useApi({ settings: { ...settings, APP_URL: 'https://console.example:8443/app' } })
/** A service without a console. */
const bare = useApi({ settings })

const OWN = { domain: 'work.example', uri: 'https://work.example' }
const CONSOLE = { domain: 'console.example:8443', uri: 'https://console.example:8443' }
const OTHER_PAGE = { [OWN.domain]: CONSOLE, [CONSOLE.domain]: OWN }

/** Wallets of both kinds: their name in a request, and how they sign. */
const WALLETS = [
  ['an Ethereum key', accounts.worker.address, (message: string) => accounts.worker.signMessage({ message })],
  ['a native account with sr25519', sr25519Signer(1).account.ss58, async (message: string) => sr25519Signer(1).sign(message)],
  ['a native account with ed25519', ed25519Signer(1).account.ss58, async (message: string) => ed25519Signer(1).sign(message)],
] as const

const nonceFor = (wallet: string, more: object = {}): Promise<Reply> => api.call('/auth/nonce', { body: { wallet, ...more } })
const verify = (message: string, signature: string): Promise<Reply> => api.call('/auth/verify', { body: { message, signature } })
const codeOf = ({ status, body }: Reply): unknown[] => [status, body.code]

describe.each(WALLETS)('the message for %s', (_name, wallet, sign) => {
  test.each([
    ['the service, without a domain', undefined, OWN],
    ['the service, by its domain', OWN.domain, OWN],
    ['the console, by its host and port', CONSOLE.domain, CONSOLE],
  ])('names %s, and gives a token', async (_page, domain, page) => {
    const { status, body } = await nonceFor(wallet, { domain })
    expect([status, body.domain]).toEqual([200, page.domain])
    expect(body.message.startsWith(`${page.domain} wants you to sign in`)).toBe(true)
    expect(body.message).toContain(`\nURI: ${page.uri}\n`)
    expect(body.message).toContain(body.statement)
    const signed = await verify(body.message, await sign(body.message))
    expect([signed.status, signed.body.tokenKind]).toEqual([200, 'wallet'])
    expect(codeOf(await verify(body.message, await sign(body.message)))).toEqual([401, 'invalid_nonce'])
  })

  test.each([OWN, CONSOLE])('of $domain is refused with the domain or address of another page', async (page) => {
    const { message } = (await nonceFor(wallet, { domain: page.domain })).body
    const other = OTHER_PAGE[page.domain] ?? page
    const swapped = message.replace(page.domain, other.domain)
    const moved = message.replace(`URI: ${page.uri}`, `URI: ${other.uri}`)
    const both = swapped.replace(`URI: ${page.uri}`, `URI: ${other.uri}`)
    for (const [text, code] of [
      [swapped, 'siwe_domain_mismatch'],
      [moved, 'siwe_uri_mismatch'],
      [both, 'siwe_domain_mismatch'],
      [message.replace(page.domain, 'evil.example'), 'siwe_domain_mismatch'],
    ])
      expect([text, ...codeOf(await verify(text, await sign(text)))]).toEqual([text, 401, code])
    // Nothing of this used the nonce.
    expect((await verify(message, await sign(message))).status).toBe(200)
  })

  test('of the console with an unknown nonce is refused for the nonce', async () => {
    const { message } = (await nonceFor(wallet, { domain: CONSOLE.domain })).body
    const text = message.replace(/Nonce: \w+/, 'Nonce: 0123456789abcdef0123456789abcdef')
    expect(codeOf(await verify(text, await sign(text)))).toEqual([401, 'invalid_nonce'])
  })
})

describe('a domain', () => {
  test.each([
    ['of another host', 'evil.example'],
    ['without the port', 'console.example'],
    ['with another port', 'console.example:8444'],
    ['as an address', 'https://console.example:8443'],
    ['in another case', 'Console.example:8443'],
    ['with a path', 'console.example:8443/app'],
    ['below that of the console', 'x.console.example:8443'],
    ['with a line of its own', 'console.example:8443\nURI: https://evil.example'],
    ['that is empty', ''],
    ['that is too long', 'a'.repeat(301)],
  ])('%s is refused', async (_name, domain) => {
    const { status, body } = await nonceFor(accounts.worker.address, { domain })
    expect([status, body.code, body.errors[0].pointer]).toEqual([400, 'invalid_request', '/domain'])
  })

  test('of a console is refused where none is configured', async () => {
    const ask = (domain: string) => bare.call('/auth/nonce', { body: { wallet: accounts.worker.address, domain } })
    expect((await ask(OWN.domain)).status).toBe(200)
    const { status, body } = await ask(CONSOLE.domain)
    expect([status, body.errors[0]]).toMatchObject([400, { pointer: '/domain', rule: 'enum', limit: OWN.domain }])
  })

  test('that is no longer configured makes its open messages worthless', async () => {
    const { worker } = accounts
    const { message } = (await nonceFor(worker.address, { domain: CONSOLE.domain })).body
    const { APP_URL } = api.deps.settings
    api.deps.settings.APP_URL = 'https://moved.example'
    const refused = await verify(message, await worker.signMessage({ message }))
    api.deps.settings.APP_URL = APP_URL
    expect(codeOf(refused)).toEqual([401, 'siwe_domain_mismatch'])
  })

  test('of the console is no page of a delegate, whose message stays that of the service', async () => {
    const { worker } = accounts
    const refused = await nonceFor(worker.address, { domain: CONSOLE.domain, delegate: DELEGATE_TERMS })
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, '/domain'])
    for (const domain of [undefined, OWN.domain]) {
      const { status, body } = await nonceFor(worker.address, { domain, delegate: DELEGATE_TERMS })
      expect([status, body.domain]).toEqual([200, OWN.domain])
      const swapped = body.message.replace(OWN.domain, CONSOLE.domain)
      expect(codeOf(await verify(swapped, await worker.signMessage({ message: swapped })))).toEqual([401, 'siwe_domain_mismatch'])
      const granted = await verify(body.message, await worker.signMessage({ message: body.message }))
      expect([granted.status, granted.body.tokenKind]).toEqual([200, 'delegate'])
    }
  })

  test('of the page is no part of the token: the service takes it wherever it was signed', async () => {
    expect((await api.call('/auth/session', { token: await tokenOf(api, accounts.worker) })).status).toBe(200)
    const { message } = (await nonceFor(accounts.admin.address, { domain: CONSOLE.domain })).body
    const { token } = (await verify(message, await accounts.admin.signMessage({ message }))).body
    expect((await api.call('/auth/session', { token })).body.roles).toEqual(['admin'])
  })
})
