// A client of OAuth and the browser of a person, for a running service.
import { createHash, randomBytes } from 'node:crypto'
import type { CallInit, Reply } from '../http.ts'

interface Service {
  base: string
  call(path: string, init?: CallInit): Promise<Reply>
}
interface Signer {
  address: string
  signMessage(input: { message: string }): Promise<string>
}

const REDIRECT = 'http://localhost:8787/callback'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const TERMS: [string, string][] = [
  ...['read', 'claim', 'submit'].map((scope): [string, string] => ['scope', scope]),
  ...['starter', 'pro', 'elite'].map((tier): [string, string] => ['tier', tier]),
  ['bondPerDay', '7'],
  ['jobsPerDay', '10'],
  ['days', '3'],
]

const expectStatus = (reply: Reply, status: number): Reply => {
  if (reply.status !== status) throw new Error(`answered ${reply.status}, not ${status}: ${reply.text.slice(0, 500)}`)
  return reply
}

/** Sends a form of a client. */
export const sendForm = async ({ call }: Service, path: string, form: Record<string, string>, status = 200): Promise<Reply['body']> =>
  expectStatus(await call(path, { raw: new URLSearchParams(form).toString(), headers: FORM }), status).body

const pathOf = (location: string | null): string => {
  const { pathname, search } = new URL(location ?? '', 'http://service.invalid')
  return `${pathname}${search}`
}
const cookiesOf = ({ headers }: Reply): string =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')

/** Opens the address to which a client sends its person, in a browser that follows no redirect. */
const openRequest = async ({ call }: Service, address: string) => {
  const begun = expectStatus(await call(pathOf(address)), 303)
  const page = pathOf(begun.headers.get('location'))
  const cookie = cookiesOf(begun)
  expectStatus(await call(page, { headers: { cookie, accept: 'text/html' } }), 200)
  const post = (step: string, form: [string, string][]): Promise<Reply> =>
    call(`${page}/${step}`, { raw: new URLSearchParams(form).toString(), headers: { ...FORM, cookie } })
  /** Where the browser is sent in the end. */
  const back = async (answered: Reply): Promise<URL> => {
    const resumed = await call(pathOf(expectStatus(answered, 303).headers.get('location')), { headers: { cookie } })
    return new URL(expectStatus(resumed, 303).headers.get('location') ?? '')
  }
  return { post, back }
}

/** Registers a client and begins its request in a browser. */
const begin = async (service: Service) => {
  const registration = { redirect_uris: [REDIRECT], client_name: 'Test agent' }
  const clientId: string = expectStatus(
    await service.call('/oauth/register', { body: registration, headers: { 'content-type': 'application/json' } }),
    201,
  ).body.client_id
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: REDIRECT,
    scope: 'read claim submit',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: `${service.base}/mcp`,
  })
  return { clientId, verifier, ...(await openRequest(service, `/oauth/authorize?${query}`)) }
}

const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')

const grantAll = async ({ post, back }: Awaited<ReturnType<typeof openRequest>>, account: Signer): Promise<URL> => {
  const { text } = expectStatus(await post('terms', [['wallet', account.address], ...TERMS]), 200)
  const message = unescaped(/<textarea id="message"[^>]*>\n([\s\S]*?)<\/textarea>/.exec(text)?.[1] ?? '')
  const signed = await post('sign', [
    ['message', message],
    ['signature', await account.signMessage({ message })],
  ])
  return back(signed)
}

/** A person who grants what a client asks for at this address. Answers where the browser is sent. */
export const grantClient = async (service: Service, address: URL, account: Signer): Promise<URL> =>
  grantAll(await openRequest(service, address.href), account)

/** The tokens that a client gets, once the wallet has signed. */
export const connectClient = async (service: Service, account: Signer): Promise<Reply['body'] & { client_id: string }> => {
  const { clientId, verifier, ...request } = await begin(service)
  const code = (await grantAll(request, account)).searchParams.get('code') ?? ''
  const form = { grant_type: 'authorization_code', client_id: clientId, code, redirect_uri: REDIRECT, code_verifier: verifier }
  return { ...(await sendForm(service, '/oauth/token', form)), client_id: clientId }
}

/** A person who refuses a client. Answers the error that the client reads. */
export const cancelClient = async (service: Service): Promise<string | null> => {
  const { post, back } = await begin(service)
  return (await back(await post('cancel', []))).searchParams.get('error')
}
