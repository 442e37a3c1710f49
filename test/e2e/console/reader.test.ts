// Who reads the console and what other sites can do with it. Pages and actions by role: roles.test.ts.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { ASSETS } from '../../../console/http/assets.ts'
import { nextPath } from '../../../console/session/handlers.ts'
import { useWorld } from '../support/world.ts'
import { type StartedConsole, startConsole, tokenIn } from './support/console.ts'

const world = useWorld({ shared: true })
let site: StartedConsole
beforeAll(async () => {
  site = await startConsole(world().base)
})
afterAll(() => site.close())

const plainText = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
const messageIn = (page: string): string => plainText(/<textarea[^>]*name="message"[^>]*>\n([\s\S]*?)<\/textarea>/.exec(page)?.[1] ?? '')

describe('a sign-in', () => {
  test('by a wallet takes two forms and no script, and keeps the token in a cookie that no script reads', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const first = await site.visit('/sign-in?next=%2Fsession%3FsessionId%3Da')
    expect(first.text).toContain('name="next" value="/session?sessionId=a"')
    const asked = await site.visit('/sign-in/message', { form: { wallet: account.address, next: '/search?q=x' } })
    const message = messageIn(asked.text)
    expect(message).toContain(account.address)
    // A browser sends line ends as CR LF.
    const form = { message: message.replaceAll('\n', '\r\n'), signature: await account.signMessage({ message }), next: '/search?q=x' }
    const done = await site.visit('/sign-in/verify', { form })
    expect([done.status, done.location]).toEqual([303, '/search?q=x'])
    expect(done.headers.get('set-cookie')).toMatch(/^__Host-console=[\w.-]+; Max-Age=\d+; Path=\/; Secure; HttpOnly; SameSite=Strict$/)
    expect((await site.visit('/', { token: tokenIn(done.headers) })).status).toBe(200)
  })

  test('by a token takes that of a service, and refuses what is none in words', async () => {
    const token = world().admin.token()
    expect((await site.visit('/sign-in/token', { form: { token: ` Bearer ${token}\n` } })).location).toBe('/')
    for (const text of ['', 'two words', 'x'.repeat(5000), 'not-a-token']) {
      const refused = await site.visit('/sign-in/token', { form: { token: text } })
      expect([text.length, refused.status === 400 || refused.status === 401, refused.headers.get('set-cookie')]).toEqual([
        text.length,
        true,
        null,
      ])
    }
  })

  test('with a wrong signature or an address that is none is refused, and sets nothing', async () => {
    const refused = await site.visit('/sign-in/message', { form: { wallet: 'nowhere' } })
    expect([refused.status, refused.headers.get('set-cookie')]).toEqual([400, null])
    const forged = await site.visit('/sign-in/verify', { form: { message: 'no message', signature: '0x00' } })
    expect([forged.status, forged.headers.get('set-cookie')]).toEqual([400, null])
  })

  test.each([
    ['/jobs?x=1', '/jobs?x=1'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['https://evil.example/', '/'],
    ['javascript:alert(1)', '/'],
    ['/\t/evil.example', '/'],
    ['/.//evil.example', '/'],
    ['/x/..//evil.example', '/'],
    ['/%2e//evil.example', '/'],
    ['/sign-out', '/'],
    [undefined, '/'],
  ])('leads to a page of the console alone: %j', (wanted, expected) => {
    expect(nextPath(wanted)).toBe(expected)
  })

  test('that has ended leads to the sign-in again, and a partial update does too', async () => {
    const agent = await world().agent()
    const token = agent.token()
    expect((await site.visit('/', { token })).status).toBe(200)
    await agent.post('/auth/logout', {})
    for (const bad of [token, 'garbage', undefined]) {
      const page = await site.visit('/?a=b', { token: bad })
      expect([page.status, page.location]).toEqual([303, '/sign-in?next=%2F%3Fa%3Db'])
      const partial = await site.visit('/', { token: bad, headers: { 'hx-request': 'true' } })
      expect([partial.status, partial.headers.get('hx-redirect')]).toEqual([204, '/sign-in'])
    }
  })

  test('ends at the API too, so that a copy of its token is worth nothing', async () => {
    const agent = await world().agent()
    const out = await site.visit('/sign-out', { token: agent.token(), form: {} })
    expect([out.status, out.location, tokenIn(out.headers)]).toEqual([303, '/sign-in', ''])
    expect((await agent.call('/auth/session')).status).toBe(401)
  })

  test('that another tab has renewed goes on with the new token', async () => {
    const agent = await world().agent()
    const { token } = await agent.post('/auth/refresh', {})
    const page = await site.visit('/', { token: agent.token() })
    // The same claims; each signature over them is another.
    const claims = (text: string | undefined): string | undefined => text?.split('.')[1]
    expect([page.status, claims(tokenIn(page.headers))]).toEqual([200, claims(token)])
  })
})

describe('another site', () => {
  const OWN = { 'sec-fetch-site': 'same-origin' }
  test.each<[string, Record<string, string>, boolean]>([
    ['the browser says same-origin', OWN, true],
    ['the browser says cross-site', { 'sec-fetch-site': 'cross-site' }, false],
    ['the browser says same-site', { 'sec-fetch-site': 'same-site' }, false],
    ['the browser says none', { 'sec-fetch-site': 'none' }, false],
    ['an old browser names the origin of the console', { 'sec-fetch-site': '', origin: 'own' }, true],
    ['an old browser names another origin', { 'sec-fetch-site': '', origin: 'https://evil.example' }, false],
    ['an old browser names no origin', { 'sec-fetch-site': '' }, false],
    ['an opaque origin', { 'sec-fetch-site': '', origin: 'null' }, false],
  ])('posts a form: %s', async (_name, headers, isTaken) => {
    const sent = { ...headers, ...(headers.origin === 'own' && { origin: site.url }) }
    const answer = await site.visit('/sign-in/token', { form: { token: world().admin.token() }, headers: sent })
    expect([answer.status, answer.headers.get('set-cookie') !== null]).toEqual(isTaken ? [303, true] : [403, false])
  })

  test('cannot frame, sniff or keep a page, whatever its kind', async () => {
    const token = world().admin.token()
    for (const path of ['/', '/sign-in', '/nowhere', '/do/none', '/raw/getHealth', '/assets/0/none']) {
      const { headers } = await site.visit(path, { token })
      expect([path, headers.get('x-content-type-options'), headers.get('x-frame-options'), headers.get('cache-control')]).toEqual([
        path,
        'nosniff',
        'DENY',
        'no-store',
      ])
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('unsafe')
    }
  })
})

describe('an answer as JSON', () => {
  test.each([
    ['a read that the reader may call', '/raw/listLanes', 200],
    ['a read for everyone', '/raw/getHealth', 200],
    ['an action', '/raw/createJob', 404],
    ['a stream', '/raw/streamEvents', 404],
    ['an operation that there is not', '/raw/__proto__', 404],
    ['a page of the API', '/raw/getHome', 404],
  ])('%s', async (_name, path, status) => {
    const answer = await site.visit(path, { token: world().admin.token() })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      status,
      status === 200 ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8',
    ])
  })

  test('is no way around a role', async () => {
    const agent = await world().agent()
    expect((await site.visit('/raw/listLanes', { token: agent.token() })).status).toBe(404)
  })
})

describe('an API', () => {
  const started: Server[] = []
  afterAll(() => {
    for (const server of started) server.close()
  })
  /** Answers every request with one status, type and text. */
  const serve = async (status: number, type: string, text: string): Promise<string> => {
    const server = createServer((_request, response) => response.writeHead(status, { 'content-type': type }).end(text)).listen(
      0,
      '127.0.0.1',
    )
    started.push(server)
    await new Promise((done) => server.once('listening', done))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  test.each<[string, () => Promise<string>, number, string]>([
    ['that is away', async () => 'http://127.0.0.1:1', 502, 'The API does not answer'],
    ['of another version', () => serve(200, 'application/json', '{"wallet":1}'), 502, 'in a form that this console does not know'],
    ['behind a broken proxy', () => serve(502, 'text/html', '<script>alert(1)</script>'), 502, 'in a form that this console does not know'],
  ])('%s is described in words, and its text is not shown', async (_name, api, status, words) => {
    const other = await startConsole(await api())
    const page = await other.visit('/', { token: 'a-token' })
    expect([page.status, page.text.includes(words), page.text.includes('alert(1)')]).toEqual([status, true, false])
    const partial = await other.visit('/', { token: 'a-token', headers: { 'hx-request': 'true' } })
    // A failed update stands beside the content, which stays.
    expect([partial.status, partial.headers.get('hx-retarget'), partial.headers.get('hx-reselect')]).toEqual([
      status,
      '#notice',
      '#failure',
    ])
    await other.close()
  })

  test('whose failure is unknown leaves the failure in the log alone', () => {
    expect(site.lines.join('')).not.toContain(world().admin.token())
  })
})

test('the files of the pages are at most 60 kB of scripts, and kept by their address', async () => {
  const scripts = [...ASSETS].filter(([path]) => path.endsWith('.js'))
  expect(scripts.reduce((sum, [, { text }]) => sum + Buffer.byteLength(text), 0)).toBeLessThanOrEqual(60_000)
  for (const [path] of ASSETS) {
    const { status, headers } = await site.visit(path)
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
  }
})
