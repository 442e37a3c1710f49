import { createHash, randomBytes } from 'node:crypto'
import { expect } from '@jest/globals'
import type { ServiceDeps } from '../../../api/deps.ts'
import type { HandlerMap } from '../../../api/http/calls.ts'
import { createOauthHandlers } from '../../../api/oauth/handlers.ts'
import { createToolHandlers } from '../../../api/tools/handlers.ts'
import { type Api, accounts, type Reply } from '../../support/api.ts'

export const BASE = 'https://work.example'
export const RESOURCE = `${BASE}/mcp`
export const REDIRECT = 'http://localhost:8787/callback'

/** What the tests of OAuth need beside identity; limits are high, as all requests come from one address. */
export const OAUTH = {
  settings: {
    MCP_HOSTS: '127.0.0.1',
    RATE_LIMITS: JSON.stringify(
      Object.fromEntries(
        ['auth_nonce', 'auth_verify', 'oauth_authorize', 'oauth_pages', 'oauth_token', 'oauth_register'].map((name) => [
          name,
          { limit: 10_000 },
        ]),
      ),
    ),
  },
  handlers: (deps: ServiceDeps): HandlerMap => ({ ...createOauthHandlers(deps), ...createToolHandlers(deps) }),
}

/** A client and its browser: it sends the cookies that it got, and follows no redirect. */
export const createBrowser = (api: Pick<Api, 'url'>) => {
  const jar = new Map<string, { value: string; path: string }>()
  const take = (headers: Headers): void => {
    for (const cookie of headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      const path = /path=([^;]*)/i.exec(cookie)?.[1] ?? '/'
      const [name = '', value = ''] = pair.split('=')
      if (value === '') jar.delete(`${name} ${path}`)
      else jar.set(`${name} ${path}`, { value: pair, path })
    }
  }
  const send = async (target: string, { form, headers = {} }: { form?: [string, string][]; headers?: Record<string, string> } = {}) => {
    const path = target.startsWith('http') ? new URL(target).pathname + new URL(target).search : target
    const cookie = [...jar.values()].filter((kept) => path.startsWith(kept.path)).map(({ value }) => value)
    const response = await fetch(`${api.url}${path}`, {
      redirect: 'manual',
      method: form === undefined ? 'GET' : 'POST',
      headers: { ...(cookie.length > 0 && { cookie: cookie.join('; ') }), ...headers },
      ...(form !== undefined && { body: new URLSearchParams(form) }),
    })
    take(response.headers)
    return {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      location: response.headers.get('location') ?? '',
    }
  }
  return { send, jar }
}
export type Browser = ReturnType<typeof createBrowser>

export const register = (
  api: Pick<Api, 'call'>,
  body: unknown = { redirect_uris: [REDIRECT], client_name: 'Test agent' },
): Promise<Reply> => api.call('/oauth/register', { body, headers: { 'content-type': 'application/json' } })

/** Parameters of a request, with the secret of its proof. */
export const requestOf = (clientId: string, changes: Record<string, string | null> = {}) => {
  const verifier = randomBytes(32).toString('base64url')
  const all: Record<string, string | null> = {
    client_id: clientId,
    response_type: 'code',
    redirect_uri: REDIRECT,
    scope: 'read claim submit',
    state: 'the-state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: RESOURCE,
    ...changes,
  }
  const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null)
  return { verifier, target: `/oauth/authorize?${new URLSearchParams(sent)}` }
}

type Account = Pick<(typeof accounts)[keyof typeof accounts], 'address' | 'signMessage'>

export const TERMS: [string, string][] = [
  ['scope', 'read'],
  ['scope', 'claim'],
  ['bondPerDay', '7'],
  ['jobsPerDay', '10'],
  ['tier', 'starter'],
  ['days', '3'],
]

const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')

/** The message of the page that asks for a signature. */
export const messageIn = (page: string): string => unescaped(/<textarea id="message"[^>]*>\n([\s\S]*?)<\/textarea>/.exec(page)?.[1] ?? '')

/** Leads a browser from the page of a request back to the client. Answers where it is sent. */
export const grantAt = async (browser: Browser, interaction: string, account: Account = accounts.worker, terms = TERMS): Promise<URL> => {
  const signing = await browser.send(`${interaction}/terms`, { form: [['wallet', account.address], ...terms] })
  expect([signing.status, signing.text.includes('<textarea')]).toEqual([200, true])
  const message = messageIn(signing.text)
  const signature = await account.signMessage({ message })
  // As a browser sends the lines of a field.
  const form: [string, string][] = [
    ['message', message.replaceAll('\n', '\r\n')],
    ['signature', signature],
  ]
  const signed = await browser.send(`${interaction}/sign`, { form })
  expect([signed.status, signed.text]).toEqual([303, ''])
  const resumed = await browser.send(signed.location)
  expect([resumed.status, resumed.text]).toEqual([303, ''])
  return new URL(resumed.location)
}

export const exchangeForm = (api: Pick<Api, 'call'>, path: string, form: Record<string, string>): Promise<Reply> =>
  api.call(path, { raw: new URLSearchParams(form).toString(), headers: { 'content-type': 'application/x-www-form-urlencoded' } })

/** A whole flow of a new client. */
export const connect = async (api: Api, account: Account = accounts.worker, terms = TERMS) => {
  const clientId: string = (await register(api)).body.client_id
  const browser = createBrowser(api)
  const { verifier, target } = requestOf(clientId)
  const begun = await browser.send(target)
  expect([begun.status, begun.text]).toEqual([303, ''])
  const back = await grantAt(browser, begun.location, account, terms)
  const code = back.searchParams.get('code') ?? ''
  const exchange = (changes: Record<string, string> = {}) =>
    exchangeForm(api, '/oauth/token', {
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      redirect_uri: REDIRECT,
      code_verifier: verifier,
      resource: RESOURCE,
      ...changes,
    })
  const refresh = (token: string) =>
    exchangeForm(api, '/oauth/token', { grant_type: 'refresh_token', client_id: clientId, refresh_token: token, resource: RESOURCE })
  return { clientId, browser, back, code, verifier, exchange, refresh }
}

/** Calls a tool at `/mcp`. */
export const callTool = (
  api: Pick<Api, 'call'>,
  name: string,
  token: string | undefined,
  args: Record<string, unknown> = {},
): Promise<Reply> =>
  api.call('/mcp', {
    token,
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  })
