import { describe, expect, test } from '@jest/globals'
import { decodeJwt } from 'jose'
import { accounts } from '../../support/api.ts'
import { useApi } from '../support/started.ts'
import { BASE, connect, createBrowser, grantAt, OAUTH, REDIRECT, RESOURCE, register, requestOf } from './support.ts'

const api = useApi(OAUTH)
const { worker, other } = accounts

describe('the flow of OAuth', () => {
  test('a client finds the server by its documents', async () => {
    for (const path of ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource'])
      expect((await api.call(path)).body).toMatchObject({
        resource: RESOURCE,
        authorization_servers: [BASE],
        scopes_supported: ['read', 'claim', 'submit'],
      })
    for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'])
      expect((await api.call(path)).body).toMatchObject({
        issuer: BASE,
        authorization_endpoint: `${BASE}/oauth/authorize`,
        token_endpoint: `${BASE}/oauth/token`,
        registration_endpoint: `${BASE}/oauth/register`,
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: true,
      })
  })

  test('a signature gives the client a token of a delegate for five minutes', async () => {
    const { back, exchange } = await connect(api)
    expect(`${back.origin}${back.pathname}`).toBe(REDIRECT)
    expect([back.searchParams.get('state'), back.searchParams.get('iss')]).toEqual(['the-state', BASE])
    const { status, body } = await exchange()
    expect([status, body.token_type, body.expires_in, body.scope]).toEqual([200, 'Bearer', 300, 'read claim'])
    const claims = decodeJwt(body.access_token)
    expect(claims).toMatchObject({ aud: RESOURCE, sub: worker.address.toLowerCase(), roles: [], tokenKind: 'delegate' })
    expect(Number(claims.exp) - Number(claims.iat)).toBe(300)
    const grant = await api.deps.database.rows
      .selectFrom('capability_grant')
      .selectAll()
      .where('id', '=', String(claims.capabilityGrantId))
      .executeTakeFirstOrThrow()
    expect(grant).toMatchObject({
      kind: 'delegate',
      client: { name: 'Test agent', host: 'localhost:8787' },
      terms: { bondPerDayRaw: '7000000' },
    })
    expect(grant.message).toContain(
      "Let 'Test agent' at localhost:8787 act for me: read, claim; bonds up to 7 USDC a day; 10 jobs a day; tiers starter; until ",
    )
    expect(grant.message).toContain(`Resources:\n- ${RESOURCE}`)
  })

  test('consent is never remembered: the next request of the same browser asks again, and prompt=none is refused', async () => {
    const { clientId, browser } = await connect(api)
    const again = await browser.send(requestOf(clientId).target)
    expect(again.location).toMatch(/^\/oauth\/interaction\//)
    const silent = await browser.send(requestOf(clientId, { prompt: 'none' }).target)
    expect([silent.status, silent.location, JSON.parse(silent.text).reason]).toEqual([400, '', 'login_required'])
  })

  test('a second wallet grants in the same browser, which never has a session', async () => {
    const { clientId, browser } = await connect(api)
    const begun = await browser.send(requestOf(clientId).target)
    expect((await grantAt(browser, begun.location, other)).searchParams.get('code')).toMatch(/./)
    expect([...browser.jar.keys()].filter((name) => name.startsWith('_session'))).toEqual([])
  })

  test('a person who refuses sends the client an error with iss', async () => {
    const clientId = (await register(api)).body.client_id
    const browser = createBrowser(api)
    const { location } = await browser.send(requestOf(clientId).target)
    const refused = await browser.send(`${location}/cancel`, { form: [] })
    const { searchParams } = new URL((await browser.send(refused.location)).location)
    expect(Object.fromEntries(searchParams)).toMatchObject({ error: 'access_denied', state: 'the-state', iss: BASE })
  })
})
