import { request as sendRequest } from 'node:http'
import { json } from 'node:stream/consumers'
import { describe, expect, test } from '@jest/globals'
import { stateFiles } from '../../local/files.ts'
import { startTimeServer } from '../../local/time/server.ts'
import { useStarted } from '../support/started.ts'
import { useDirectory } from './support/directory.ts'

const { chainFile, clockOffset: clockOffsetFile, serviceEnv } = stateFiles(useDirectory())
// No chain runs there: what is refused here is refused before any part is asked.
const place = { rpcUrl: 'http://127.0.0.1:1', chainFile, clockOffsetFile, serviceEnv }
const server = useStarted(
  () => startTimeServer(place),
  ({ stop }) => stop(),
)

type Call = { method?: string; path?: string; headers?: Record<string, string>; body?: string }

/** Sends a request as it is, also with a host that is not that of its address. */
const send = ({ method = 'GET', path = '/time', headers = {}, body }: Call) =>
  new Promise<{ status: number | undefined; type: string | undefined; body: { code?: string; detail?: string } }>((resolve, reject) => {
    const call = sendRequest(`${server.url}${path}`, { method, headers }, async (response) => {
      const problem = (await json(response)) as { code?: string; detail?: string }
      resolve({ status: response.statusCode, type: response.headers['content-type'], body: problem })
    })
    call.on('error', reject).end(body)
  })
const authorised = (): Record<string, string> => ({ authorization: `Bearer ${server.secret}` })
const portOf = (): string => new URL(server.url).port

describe('the time of the stack over HTTP', () => {
  test.each<[what: string, headers: () => Record<string, string>, refusal: [number, string]]>([
    ['no secret', () => ({}), [401, 'unauthorized']],
    ['another secret', () => ({ authorization: 'Bearer of-another-stack' }), [401, 'unauthorized']],
    ['the secret in another form', () => ({ authorization: server.secret }), [401, 'unauthorized']],
    ['a foreign host', () => ({ ...authorised(), host: `attacker.example:${portOf()}` }), [403, 'forbidden']],
    ['a host that begins like this machine', () => ({ ...authorised(), host: '127.0.0.1.attacker.example' }), [403, 'forbidden']],
    ['a foreign origin', () => ({ ...authorised(), origin: 'https://attacker.example' }), [403, 'forbidden']],
    ['the origin of this machine', () => ({ ...authorised(), origin: server.url }), [403, 'forbidden']],
    ['an opaque origin', () => ({ ...authorised(), origin: 'null' }), [403, 'forbidden']],
  ])('refuses a reader and a mover with %s', async (_what, headers, [status, code]) => {
    for (const call of [{}, { method: 'POST', body: JSON.stringify({ to: '+1s' }) }])
      expect(await send({ ...call, headers: headers() })).toMatchObject({
        status,
        type: 'application/problem+json',
        body: { status, code },
      })
  })

  test.each(['127.0.0.1', 'localhost', '[::1]'])('answers the host %s, and that the chain is away', async (host) => {
    const answer = await send({ headers: { ...authorised(), host: `${host}:${portOf()}` } })
    expect(answer).toMatchObject({ status: 503, body: { code: 'stack_unavailable' } })
  })

  test.each(['', '-1h', '7d', '+7', '+1.5h', 'tomorrow', '2030-01-31', '2030-13-31T12:00:00Z'])(
    'refuses "%s" with what may be written',
    async (to) => {
      const answer = await send({ method: 'POST', headers: authorised(), body: JSON.stringify({ to }) })
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_time', detail: expect.stringContaining('write +7d') } })
    },
  )

  test.each(['', 'no JSON', '[]', '{}', '{"to":7}', '{"to":"+1s","from":"+1s"}', `{"to":"+1s${' '.repeat(2_000)}"}`])(
    'refuses the body %p',
    async (body) => {
      const answer = await send({ method: 'POST', headers: authorised(), body })
      expect(answer).toMatchObject({ status: 400, type: 'application/problem+json', body: { code: 'invalid_request' } })
    },
  )

  test('knows one path and two methods', async () => {
    const headers = authorised()
    expect(await send({ path: '/', headers })).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await send({ method: 'DELETE', headers })).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } })
  })
})
