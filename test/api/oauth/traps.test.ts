import { describe, expect, test } from '@jest/globals'
import { SCOPE_NAMES } from '../../../schemas/identity/delegate-terms.ts'
import { accounts, tokenOf } from '../../support/api.ts'
import { useApi } from '../support/started.ts'
import {
  BASE,
  callTool,
  connect,
  createBrowser,
  exchangeForm,
  messageIn,
  OAUTH,
  REDIRECT,
  RESOURCE,
  register,
  requestOf,
  TERMS,
} from './support.ts'

const LIMIT = 60
const api = useApi({ ...OAUTH, settings: { ...OAUTH.settings, OAUTH_CLIENT_LIMIT: String(LIMIT) } })
const { worker, other } = accounts

const clientOf = async (redirects: string[] = [REDIRECT]): Promise<string> =>
  (await register(api, { redirect_uris: redirects })).body.client_id
/** A browser on the page of a new request. */
const open = async (name = 'Test agent', changes: Record<string, string | null> = {}) => {
  const { body } = await register(api, { redirect_uris: [REDIRECT], client_name: name })
  const browser = createBrowser(api)
  const { location } = await browser.send(requestOf(body.client_id, changes).target)
  return { browser, interaction: location }
}
const CHALLENGE = `Bearer resource_metadata="${BASE}/.well-known/oauth-protected-resource/mcp", scope="${SCOPE_NAMES.join(' ')}"`

describe('tokens of OAuth', () => {
  test('a token counts at /mcp alone, and its end is 401 with a challenge there', async () => {
    const { exchange, refresh, clientId } = await connect(api)
    const { access_token: token, refresh_token: refreshToken } = (await exchange()).body
    expect((await api.call('/auth/session', { token })).body).toMatchObject({ code: 'claims_mismatch', reason: 'aud' })
    const accepted = await callTool(api, 'listSessions', token)
    expect([accepted.status, accepted.body.result.structuredContent.code]).toEqual([200, 'internal_error'])
    const beyond = await callTool(api, 'submitWork', token, { sessionId: 'x:0x1', submission: 'x' })
    expect([beyond.status, beyond.body.result.isError, beyond.body.result.structuredContent.code]).toEqual([
      200,
      true,
      'missing_capability',
    ])
    expect((await exchangeForm(api, '/oauth/revoke', { token: refreshToken, client_id: clientId })).status).toBe(200)
    const ended = await callTool(api, 'listSessions', token)
    expect([ended.status, ended.body.result.structuredContent.code]).toEqual([401, 'delegate_ended'])
    expect(ended.headers.get('www-authenticate')).toBe(CHALLENGE)
    expect((await refresh(refreshToken)).body.error).toBe('invalid_grant')
  })

  test('a call without a token is 401 with the scopes, and says in its body how to sign in', async () => {
    const { status, headers, body } = await callTool(api, 'listSessions', undefined)
    expect([status, headers.get('www-authenticate'), body.result.structuredContent.code]).toEqual([401, CHALLENGE, 'missing_token'])
  })

  test('a token for the service counts at /mcp, too', async () => {
    const { status } = await callTool(api, 'listSessions', await tokenOf(api, other))
    expect(status).toBe(200)
  })

  test('an access token that is revoked ends its grant, so a refresh fails', async () => {
    const { exchange, refresh } = await connect(api)
    const { access_token: token, refresh_token: refreshToken } = (await exchange()).body
    expect((await exchangeForm(api, '/oauth/revoke', { token })).status).toBe(200)
    expect((await callTool(api, 'listSessions', token)).status).toBe(401)
    expect((await refresh(refreshToken)).body.error).toBe('invalid_grant')
  })

  test('of eight exchanges of one code at once at most one gets tokens, and a later use ends the grant', async () => {
    const { exchange, refresh } = await connect(api)
    const all = await Promise.all(Array.from({ length: 8 }, () => exchange()))
    const given = all.filter(({ status }) => status === 200)
    expect(given.length).toBeLessThanOrEqual(1)
    expect((await exchange()).body.error).toBe('invalid_grant')
    for (const { body } of given) expect((await refresh(body.refresh_token)).body.error).toBe('invalid_grant')
  })

  test('a refresh that asks for less gets every scope of the grant, and its answer says so', async () => {
    const { clientId, exchange } = await connect(api)
    const { refresh_token: token } = (await exchange()).body
    const form = { grant_type: 'refresh_token', client_id: clientId, refresh_token: token, resource: RESOURCE, scope: 'read' }
    const { status, body } = await exchangeForm(api, '/oauth/token', form)
    expect([status, body.scope]).toEqual([200, 'read claim'])
  })

  test('of four signatures for one request at once one grants', async () => {
    const { browser, interaction } = await open()
    const messages = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const { text } = await browser.send(`${interaction}/terms`, { form: [['wallet', other.address], ...TERMS] })
        return messageIn(text)
      }),
    )
    const count = async (): Promise<number> =>
      (
        await api.deps.database.rows
          .selectFrom('capability_grant')
          .select('id')
          .where('subject', '=', other.address.toLowerCase())
          .execute()
      ).length
    const before = await count()
    const signed = await Promise.all(
      messages.map(async (message) => {
        const signature = await other.signMessage({ message })
        return (
          await browser.send(`${interaction}/sign`, {
            form: [
              ['message', message],
              ['signature', signature],
            ],
          })
        ).status
      }),
    )
    expect(signed.sort()).toEqual([303, 404, 404, 404])
    expect((await count()) - before).toBe(1)
  })

  test('a tool that refuses what it was given is no challenge to the token of its caller', async () => {
    const { exchange } = await connect(api)
    const { access_token: token } = (await exchange()).body
    const { status, headers, body } = await callTool(api, 'refreshAuthToken', token)
    expect([status, headers.get('www-authenticate')]).toEqual([200, null])
    expect(body.result.structuredContent).toMatchObject({ status: 401, code: 'service_token_refresh_unsupported' })
  })

  test.each([
    ['another proof', { code_verifier: 'x'.repeat(43) }],
    ['another address', { redirect_uri: 'http://localhost:8787/other' }],
    ['another resource', { resource: 'https://other.example/mcp' }],
  ])('a code is not exchanged with %s', async (_name, changes) => {
    const { exchange } = await connect(api)
    const { status, body } = await exchange(changes)
    expect([status, ['invalid_grant', 'invalid_target'].includes(body.error)]).toEqual([400, true])
  })
})

describe('requests of OAuth', () => {
  test.each([
    ['an unknown client', { client_id: 'no-such-client' }],
    ['another address', { redirect_uri: 'http://localhost:8787/other' }],
    ['an address of another site', { redirect_uri: 'https://evil.example/callback' }],
  ])('%s is refused here, without a redirect', async (_name, changes) => {
    const { status, location, text } = await createBrowser(api).send(requestOf(await clientOf(), changes).target)
    expect([status, location, JSON.parse(text).code]).toEqual([400, '', 'oauth_request_refused'])
  })

  test.each([
    ['no proof', { code_challenge: null, code_challenge_method: null }, 'invalid_request'],
    ['a plain proof', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['prompt=none', { prompt: 'none' }, 'login_required'],
  ])('a request with %s is refused here, and leads no browser to a client that no person has seen', async (_name, changes, reason) => {
    const { target } = requestOf(await clientOf(), changes)
    const { status, location, text } = await createBrowser(api).send(target)
    expect([status, location, JSON.parse(text)]).toEqual([400, '', expect.objectContaining({ code: 'oauth_request_refused', reason })])
    const shown = await createBrowser(api).send(target, { headers: { accept: 'text/html,*/*;q=0.8' } })
    expect([shown.status, shown.location, shown.headers.get('content-type')]).toEqual([400, '', 'text/html; charset=utf-8'])
    expect(shown.text).not.toContain(REDIRECT)
  })

  test('the page of a request opens in its own browser alone', async () => {
    const { browser, interaction } = await open()
    expect((await browser.send(interaction)).status).toBe(200)
    const stranger = await createBrowser(api).send(interaction)
    expect([stranger.status, JSON.parse(stranger.text).code]).toEqual([404, 'oauth_request_ended'])
  })

  test('the page lets a form end at the client, sends its origin, and can stand in no frame', async () => {
    const { browser, interaction } = await open()
    const { headers, text } = await browser.send(interaction)
    expect(headers.get('content-security-policy')).toContain("form-action 'self' http://localhost:8787;")
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect([headers.get('referrer-policy'), headers.get('cache-control')]).toEqual(['same-origin', 'no-store'])
    expect(text).toContain('with an unchecked name')
    expect(text).toContain('a program on this computer, at localhost:8787')
  })

  test('a form of another site is refused', async () => {
    const { browser, interaction } = await open()
    const sent = await browser.send(`${interaction}/terms`, {
      form: [['wallet', worker.address], ...TERMS],
      headers: { origin: 'https://evil.example' },
    })
    expect([sent.status, JSON.parse(sent.text).code]).toEqual([403, 'oauth_origin_refused'])
  })

  test('a refused form is a page for a browser, and a problem document for a program', async () => {
    const { browser, interaction } = await open()
    const form: [string, string][] = [['wallet', 'no address'], ...TERMS]
    const shown = await browser.send(`${interaction}/terms`, { form, headers: { accept: 'text/html,*/*;q=0.8' } })
    expect([shown.status, shown.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8'])
    expect(shown.text).toContain('Go back one page to change the form.')
    const read = await browser.send(`${interaction}/terms`, { form })
    expect([read.status, read.headers.get('content-type')]).toEqual([400, 'application/problem+json'])
  })

  test.each([['<b>"Name"</b>\r\nURI: https://evil.example'], ['\u202Eevil'], ['x'.repeat(5_000)]])(
    'the name %j breaks neither page nor message',
    async (name) => {
      const { browser, interaction } = await open(name)
      const signing = await browser.send(`${interaction}/terms`, { form: [['wallet', worker.address], ...TERMS] })
      expect(signing.status).toBe(200)
      expect(messageIn(signing.text).match(/^URI: /gm)).toHaveLength(1)
      expect(signing.text).not.toContain('<b>')
    },
  )

  test.each<[string, [string, string][]]>([
    ['a scope that the client does not ask for', [['scope', 'submit'], ...TERMS.filter(([member]) => member !== 'scope')]],
    ['no scope', TERMS.filter(([member]) => member !== 'scope')],
    ['no tier', TERMS.filter(([member]) => member !== 'tier')],
    ['31 days', [...TERMS.filter(([member]) => member !== 'days'), ['days', '31']]],
    ['a negative bond', [...TERMS.filter(([member]) => member !== 'bondPerDay'), ['bondPerDay', '-1']]],
    ['seven places', [...TERMS.filter(([member]) => member !== 'bondPerDay'), ['bondPerDay', '1.0000001']]],
    ['no number of jobs', TERMS.filter(([member]) => member !== 'jobsPerDay')],
  ])('terms with %s are refused', async (_name, terms) => {
    const { browser, interaction } = await open('Test agent', { scope: 'read' })
    const form: [string, string][] = [['wallet', worker.address], ...terms.filter(([name, value]) => name !== 'scope' || value !== 'claim')]
    const { status, text } = await browser.send(`${interaction}/terms`, { form })
    expect([status, JSON.parse(text).code]).toEqual([400, 'invalid_request'])
  })

  test('a signature counts for its own request alone, and for neither sign-in nor another wallet', async () => {
    const [first, second] = [await open(), await open()]
    const page = await first.browser.send(`${first.interaction}/terms`, { form: [['wallet', worker.address], ...TERMS] })
    const message = messageIn(page.text)
    const signature = await worker.signMessage({ message })
    const form: [string, string][] = [
      ['message', message],
      ['signature', signature],
    ]
    const elsewhere = await second.browser.send(`${second.interaction}/sign`, { form })
    expect([elsewhere.status, JSON.parse(elsewhere.text).code]).toEqual([401, 'invalid_nonce'])
    expect((await api.call('/auth/verify', { body: { message, signature } })).body.code).toBe('invalid_nonce')
    const stolen: [string, string][] = [
      ['message', message],
      ['signature', await other.signMessage({ message })],
    ]
    expect(JSON.parse((await first.browser.send(`${first.interaction}/sign`, { form: stolen })).text).code).toBe(
      // Only a contract wallet could accept it, and no chain answers here.
      'blockchain_unavailable',
    )
    expect((await first.browser.send(`${first.interaction}/sign`, { form })).status).toBe(303)
    expect(JSON.parse((await first.browser.send(`${first.interaction}/sign`, { form })).text).code).toBe('oauth_request_ended')
  })
})

describe('registration of clients', () => {
  test.each([
    ['loopback with any port', ['http://localhost/callback'], 'http://localhost:53999/callback', true],
    [
      'an own scheme, loopback and https at once',
      ['cursor://anysphere/callback', REDIRECT, 'https://www.cursor.com/callback'],
      'cursor://anysphere/callback',
      true,
    ],
    ['an own scheme at another address', ['cursor://anysphere/callback'], 'cursor://other/callback', false],
  ])('redirects: %s', async (_name, redirects, wanted, isAccepted) => {
    const { location } = await createBrowser(api).send(requestOf(await clientOf(redirects), { redirect_uri: wanted }).target)
    expect(location.startsWith('/oauth/interaction/')).toBe(isAccepted)
  })

  test.each([
    ['javascript:alert(1)', { redirect_uris: ['javascript:alert(1)'] }],
    ['http elsewhere', { redirect_uris: ['http://agent.example/callback'] }],
    ['11 redirects', { redirect_uris: Array.from({ length: 11 }, (_, index) => `https://agent.example/${index}`) }],
    ['no redirect', { redirect_uris: [] }],
    ['a number as redirect', { redirect_uris: [1] }],
    ['a list', []],
  ])('a registration with %s is refused', async (_name, body) => {
    const { status, body: answer } = await register(api, body)
    expect([status, typeof answer.error]).toEqual([400, 'string'])
  })

  test('a registration of more than 8 kB is refused before it is read', async () => {
    expect((await register(api, { redirect_uris: [REDIRECT], client_name: 'x'.repeat(9_000) })).status).toBe(413)
  })

  test('every client is a native one without a secret, whatever it asks for', async () => {
    const asked = { redirect_uris: [REDIRECT], application_type: 'web', token_endpoint_auth_method: 'client_secret_basic', scope: 'read x' }
    const { status, body } = await register(api, asked)
    expect([status, body.client_secret, body.scope]).toEqual([201, undefined, undefined])
    expect(body).toMatchObject({
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
    })
  })

  test('beyond the limit no client is registered', async () => {
    const all = await Promise.all(Array.from({ length: LIMIT + 5 }, () => register(api)))
    expect(all.filter(({ status }) => status === 503).length).toBeGreaterThanOrEqual(5)
    const { length } = await api.deps.database.rows.selectFrom('oauth_record').select('id').where('model', '=', 'Client').execute()
    expect(length).toBe(LIMIT)
  })
})
