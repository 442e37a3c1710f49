import { once } from 'node:events'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import pino from 'pino'
import { z } from 'zod'
import { createStartupApp } from '../../../api/app.ts'
import { NO_STORE } from '../../../api/http/answers.ts'
import { listen } from '../../../api/http/server.ts'
import { ServiceError } from '../../../schemas/errors.ts'
import { errorsOf, operation, PUBLIC } from '../../../schemas/operations/operation.ts'
import { operationList } from '../../../schemas/operations/registry.ts'
import { listQuery, OpenObject } from '../../../schemas/operations/values.ts'
import { accounts, tokenOf } from '../../support/api.ts'
import { useApi } from '../support/started.ts'

/** An operation of this test alone: gives back what it was given. */
const echo = operation('echo', 'POST /echo/:name', {
  summary: 'Echo.',
  tags: ['Platform'],
  auth: PUBLIC,
  params: z.object({ name: z.string() }),
  body: z.strictObject({
    text: z.string().max(10).optional(),
    count: z.int().min(1).max(5).optional(),
    nested: z.strictObject({ word: z.string() }).optional(),
    open: z.unknown().optional(),
  }),
  responses: { 200: OpenObject },
  errors: [],
})
const list = operation('list', 'GET /list', {
  summary: 'List.',
  tags: ['Platform'],
  auth: PUBLIC,
  query: z.object({ ...listQuery(25, 100), word: z.enum(['a', 'b']).optional() }),
  responses: { 200: z.object({ limit: z.int(), word: z.string().nullable() }) },
  errors: [],
  cache: 'public, max-age=30',
})

const handlers = {
  echo: async ({ params, body }: { params: object; body: object }) => ({ status: 200, body: { ...params, ...body } }),
  list: async ({ query }: { query: { limit: number; word?: string } }) => ({
    status: 200,
    body: { limit: query.limit, word: query.word ?? null },
    ...(query.word === 'b' && { headers: NO_STORE }),
  }),
  getSessionStateMachine: async () => ({ status: 200, body: { timelineVersion: 'wrong', statuses: [] } }),
  getSession: async () => {
    throw new ServiceError('session_not_found', { retryAfterSeconds: 7, reason: 'because', details: { some: 'thing' } })
  },
}

const api = useApi({
  handlers,
  operations: [...operationList, echo, list],
  settings: { CORS_ORIGINS: 'https://app.example', RATE_LIMITS: '{"auth_nonce":{"limit":10000}}' },
})

interface Sent {
  method?: string
  headers?: Record<string, string | undefined>
  /** Parts of a body, streamed without an announced length. */
  parts?: string[]
}

/** A request whose path, method and headers are sent exactly as written. */
const send = (path: string, { parts = [], ...sent }: Sent = {}) =>
  new Promise<{ status: number; headers: IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port: api.port, path, ...sent }, async (response) => {
      resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(await response.toArray()) })
    })
    request.once('error', reject)
    for (const part of parts) request.write(part)
    request.end()
  })

describe('paths and methods', () => {
  const UNKNOWN = ['/nowhere', '//jobs', '/jobs//tiers', '/admin/nowhere', '/verifier/nowhere', '/jobs/a/b/estimate']
  test.each([...UNKNOWN, '/schemas/jobs/coding-input', '/schemas/jobs/.json'])(
    'the unknown path %s is a 404 problem before any authentication',
    async (path) => {
      const { status, headers, body } = await api.call(path)
      expect([status, body.code, headers.get('content-type')]).toEqual([404, 'not_found', 'application/problem+json'])
      expect(body.requestId).toBe(headers.get('x-request-id'))
      expect(body.type).toBe('https://work.example/docs/errors/not_found')
    },
  )

  test('one trailing slash is removed', async () => {
    expect((await api.call('/health/live/')).status).toBe(200)
    expect((await api.call('/health/live//')).status).toBe(404)
  })

  test('every path refuses every other method with Allow, before authentication and body', async () => {
    const byPath = Map.groupBy(operationList, ({ path }) => path)
    for (const [path, specs] of byPath) {
      const known = specs.map(({ method }) => method as string)
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((verb) => !known.includes(verb))) {
        const reply = await api.call(path.replaceAll(/:[A-Za-z]+/g, 'x'), { method, ...(method !== 'GET' && { raw: '{broken' }) })
        expect([path, method, reply.status, reply.body.code]).toEqual([path, method, 405, 'method_not_allowed'])
        expect(reply.headers.get('allow')?.split(', ')).toEqual(expect.arrayContaining(known))
      }
    }
  })

  test('HEAD answers wherever GET does, without a body', async () => {
    for (const path of ['/health/live', '/onboarding', '/auth/session', '/nowhere']) {
      const [head, get] = await Promise.all([api.call(path, { method: 'HEAD' }), api.call(path)])
      expect([head.status, head.text, head.headers.get('content-type')]).toEqual([get.status, '', get.headers.get('content-type')])
    }
    expect((await api.call('/auth/nonce', { method: 'HEAD' })).status).toBe(405)
  })

  test('OPTIONS is 204 with Allow on a known path and carries no request id', async () => {
    const { status, headers } = await api.call('/jobs', { method: 'OPTIONS' })
    expect([status, headers.get('allow'), headers.get('x-request-id')]).toEqual([204, 'GET, HEAD, OPTIONS', null])
    expect((await api.call('/nowhere', { method: 'OPTIONS' })).status).toBe(404)
  })

  test.each([
    ['a%3Ab', 'a:b'],
    ['a:b', 'a:b'],
    ['a%2Fb', 'a/b'],
    ['%2541', '%41'],
  ])('the parameter %s is decoded once, to %s', async (sent, name) => {
    expect((await api.call(`/echo/${sent}`, { body: {} })).body.name).toBe(name)
  })

  const ESCAPES = ['/jobs/%/estimate', '/jobs/%zz/estimate', '/badges/%ff', '/%', '/jobs?source=%', '/jobs?source=%zz', '/list?word=%c3%28']
  test.each([
    ...ESCAPES.map((path) => [path, 'percentEncoding'] as const),
    ...['/echo/%00', '/list?word=%00', '/jobs?source=%00'].map((path) => [path, 'characters'] as const),
  ])('the malformed escape in %s is a 400 of the rule %s', async (path, rule) => {
    const { status, bytes } = await send(path, { method: path.startsWith('/echo') ? 'POST' : 'GET' })
    expect([status, JSON.parse(bytes.toString())]).toMatchObject([400, { code: 'invalid_request', errors: [{ rule }] }])
  })
})

describe('bodies', () => {
  const post = (rawBody: string | Uint8Array<ArrayBuffer>, headers = {}) => api.call('/echo/x', { raw: rawBody, method: 'POST', headers })

  test('an empty body counts as an empty object', async () => {
    for (const empty of ['', '  \n']) expect((await post(empty)).body).toEqual({ name: 'x' })
  })

  test('a type that common clients send by default is read as JSON, a byte order mark is ignored', async () => {
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded'])
      expect((await post('{"text":"hi"}', { 'content-type': type })).body.text).toBe('hi')
    expect((await post('\ufeff{"text":"hi"}')).body.text).toBe('hi')
  })

  test.each([
    [{ 'content-encoding': 'gzip' }, 'identity'],
    [{ 'content-type': 'application/xml' }, 'application/json'],
    [{ 'content-type': 'application/json; charset=utf-16' }, 'utf-8'],
  ])('a body with %j is a 415 that names what is read', async (headers: Record<string, string>, named) => {
    const reply = await post('{"text":"hi"}', headers)
    expect([reply.status, reply.body.code]).toEqual([415, 'unsupported_media_type'])
    expect(reply.body.detail).toContain(named)
  })

  test('a refusal is never much larger than its request', async () => {
    const members = Object.fromEntries(Array.from({ length: 6_000 }, (_, index) => [`a${index}`, 1]))
    const many = await api.call('/echo/x', { body: members })
    expect([many.status, many.body.errors.length, many.body.errorCount]).toEqual([400, 50, 6_000])
    for (const raw of [
      JSON.stringify(members),
      `{"${'/'.repeat(60_000)}":1}`,
      `{"text":"${'x'.repeat(60_000)}"}`,
      `{"a":1,"${'a'.repeat(9_000)}":1,"a":2}`,
    ])
      expect((await post(raw)).text.length).toBeLessThan(raw.length)
  })

  test.each<[string, string | Uint8Array<ArrayBuffer>, string]>([
    ['broken JSON', '{broken', 'json'],
    ['an array', '[]', 'object'],
    ['a string', '"text"', 'object'],
    ['a number', '5', 'object'],
    ['null', 'null', 'object'],
    ['a member named twice', '{"text":"a","text":"b"}', 'unique'],
    ['a nested member named twice', '{"open":[{"a":1,"\\u0061":2}]}', 'unique'],
    ['__proto__ named twice', '{"open":{"__proto__":1,"__proto__":2}}', 'unique'],
    ['a number beyond all bounds', '{"open":[-1e400]}', 'finite'],
    ['a number with digits that are lost', '{"open":{"a":0.99999999999999999}}', 'digits'],
    ['a whole number beyond 2^53', '{"open":[-9007199254740993]}', 'range'],
    ['a comment', '{"open":1/* */}', 'json'],
    ['a comma at the end', '{"open":1,}', 'json'],
    ['NaN', '{"open":NaN}', 'json'],
    ['two documents', '{"open":1}{"open":2}', 'json'],
    ['a byte that is not UTF-8', Uint8Array.from([0x7b, 0xff, 0x7d]), 'json'],
    ['two byte order marks', '\ufeff\ufeff{}', 'json'],
    ['a NUL in a string', '{"open":"\\u0000"}', 'characters'],
    ['a NUL in a member name', '{"open":{"\\u0000":1}}', 'characters'],
    ['half a surrogate pair', '{"open":"\\ud800"}', 'characters'],
    ['deep nesting', `{"open":${'['.repeat(200)}${']'.repeat(200)}}`, 'depth'],
    ['the deepest nesting that fits', `{"open":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, 'depth'],
  ])('%s is a 400', async (_name, body, rule) => {
    const reply = await post(body)
    expect([reply.status, reply.body.code, reply.body.errors[0].rule]).toEqual([400, 'invalid_request', rule])
  })

  test.each([
    [{ surprise: 1 }, { pointer: '/surprise', rule: 'unknown' }],
    [{ 'a/b~c': 1 }, { pointer: '/a~1b~0c', rule: 'unknown' }],
    [{ nested: { word: 'a', more: 1 } }, { pointer: '/nested/more', rule: 'unknown' }],
    [{ nested: {} }, { pointer: '/nested/word', rule: 'required' }],
    [{ text: 5 }, { pointer: '/text', rule: 'type' }],
    [{ text: 'x'.repeat(11) }, { pointer: '/text', rule: 'maxLength', limit: 10 }],
    [{ count: 9 }, { pointer: '/count', rule: 'range', limit: 5 }],
    [{ count: 1.5 }, { pointer: '/count' }],
  ])('%j names the failed rule', async (body, expected) => {
    const reply = await api.call('/echo/x', { body })
    expect([reply.status, reply.body.code]).toEqual([400, 'invalid_request'])
    expect(reply.body.errors).toEqual([expect.objectContaining(expected)])
    expect(reply.body.errors[0].message).toEqual(expect.any(String))
  })

  const padded = (bytes: number): string => `{"text":"hi"${' '.repeat(bytes - 13)}}`

  test('65,536 bytes are accepted; 65,537 are a 413, announced or streamed, and the connection is closed', async () => {
    expect((await post(padded(65_536))).body.text).toBe('hi')
    const announced = await post(padded(65_537))
    expect([announced.status, announced.body.code, announced.headers.get('connection')]).toEqual([413, 'payload_too_large', 'close'])
    const { status } = await send('/echo/x', { method: 'POST', parts: [padded(65_537).slice(0, 40_000), padded(65_537).slice(40_000)] })
    expect(status).toBe(413)
  })

  test('an endless body is refused while it streams', async () => {
    const socket = connect(api.port, '127.0.0.1')
    socket.write('POST /echo/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
    const timer = setInterval(() => socket.writable && socket.write(`4000\r\n${'x'.repeat(0x4000)}\r\n`), 2)
    const [answer] = await once(socket, 'data').finally(() => clearInterval(timer))
    socket.destroy()
    expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /)
  })
})

describe('queries', () => {
  test('unknown members of a read are ignored and named', async () => {
    const reply = await api.call('/list?limitt=5&word=a&b%20c=1')
    expect([reply.status, reply.body.word, reply.headers.get('ignored-query')]).toEqual([200, 'a', 'limitt, b%20c'])
  })

  test.each(['0', '-1', '1.5', '101', 'abc', '', '1e1', ' 5'])('limit=%s is a 400', async (limit) => {
    const reply = await api.call(`/list?limit=${encodeURIComponent(limit)}`)
    expect(reply.status).toBe(400)
    expect(reply.body.errors).toEqual([{ pointer: 'query/limit', rule: 'range', limit: 100, message: 'must be an integer from 1 to 100' }])
  })

  test('the limit defaults to 25 and takes 100', async () => {
    expect((await api.call('/list')).body.limit).toBe(25)
    expect((await api.call('/list?limit=100')).body.limit).toBe(100)
  })

  test.each([
    ['offset=5', { pointer: 'query/offset', message: expect.stringContaining('cursor') }],
    ['word=a&word=b', { pointer: 'query/word', rule: 'single' }],
    ['word=c', { pointer: 'query/word', rule: 'enum' }],
  ])('%s is refused with its pointer', async (query, error) => {
    expect((await api.call(`/list?${query}`)).body.errors[0]).toMatchObject(error)
  })
})

describe('headers', () => {
  test('a printable request id is echoed, any other is replaced', async () => {
    expect((await api.call('/health/live', { headers: { 'x-request-id': 'abc 123' } })).headers.get('x-request-id')).toBe('abc 123')
    for (const bad of ['x'.repeat(129), 'caf\u00e9'])
      expect((await api.call('/health/live', { headers: { 'x-request-id': bad } })).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('every answer carries the security headers and the service time', async () => {
    api.clock.at = Date.parse('2031-05-06T07:08:09.000Z')
    for (const path of ['/health/live', '/nowhere', '/docs']) {
      const { headers } = await api.call(path)
      expect(headers.get('strict-transport-security')).toContain('max-age')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('date')).toBe('Tue, 06 May 2031 07:08:09 GMT')
    }
    api.clock.at = null
  })

  test('search engines list public answers alone, and no page learns the address of another', async () => {
    const read = async (path: string, token?: string) => {
      const { headers } = await api.call(path, { token })
      return [headers.get('x-robots-tag'), headers.get('referrer-policy')]
    }
    const [open, closed] = [
      [null, 'same-origin'],
      ['noindex, nofollow', 'no-referrer'],
    ]
    for (const path of ['/health/live', '/docs', '/llms.txt']) expect([path, await read(path)]).toEqual([path, open])
    for (const path of ['/nowhere', '/auth/session']) expect([path, await read(path)]).toEqual([path, closed])
    expect(await read('/docs', await tokenOf(api, accounts.worker))).toEqual(closed)
  })

  test('an allowed origin gets CORS headers for answers and refusals, another gets none, credentials never', async () => {
    const allowed = await api.call('/health/live', { headers: { origin: 'https://app.example' } })
    const refused = await api.call('/nowhere', { headers: { origin: 'https://app.example' } })
    for (const { headers } of [allowed, refused]) expect(headers.get('access-control-allow-origin')).toBe('https://app.example')
    expect(allowed.headers.get('access-control-expose-headers')).toContain('x-request-id')
    expect(allowed.headers.get('access-control-allow-credentials')).toBeNull()
    expect(allowed.headers.get('vary')).toContain('Origin')
    const other = await api.call('/health/live', { headers: { origin: 'https://evil.example' } })
    expect(other.headers.get('access-control-allow-origin')).toBeNull()
    const preflight = await api.call('/jobs/claim', { method: 'OPTIONS', headers: { origin: 'https://app.example' } })
    expect([preflight.status, preflight.headers.get('access-control-max-age')]).toEqual([204, '600'])
    const allowedHeaders = preflight.headers.get('access-control-allow-headers')?.split(', ')
    const sent = ['idempotency-key', 'if-none-match', 'traceparent', 'tracestate', 'baggage']
    expect(sent.filter((name) => !allowedHeaders?.includes(name))).toEqual([])
    expect(allowed.headers.get('access-control-expose-headers')).toContain('etag')
    expect(preflight.headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, OPTIONS')
  })

  test('a public answer has a validator and is private as soon as a token is sent', async () => {
    const plain = await api.call('/list')
    expect(plain.headers.get('cache-control')).toBe('public, max-age=30')
    const etag = plain.headers.get('etag') ?? ''
    const same = await api.call('/list', { headers: { 'if-none-match': `"other", W/${etag}` } })
    expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', `W/${etag}`])
    expect((await api.call('/list?limit=5', { headers: { 'if-none-match': etag } })).status).toBe(200)
    const known = await api.call('/list', { token: 'whatever' })
    expect([known.headers.get('cache-control'), known.headers.get('vary')]).toEqual([
      'private, max-age=30',
      expect.stringContaining('Authorization'),
    ])
    const checked = await api.call('/health', { token: 'whatever' })
    expect(checked.headers.get('cache-control')).toBe('private, no-cache')
  })

  test.each(['GET', 'HEAD'])(
    'an answer with private work of a public operation has no validator and is never stored: %s',
    async (method) => {
      for (const token of [undefined, 'whatever']) {
        const { status, headers } = await api.call('/list?word=b', { method, token, headers: { 'if-none-match': '*' } })
        expect([status, headers.get('cache-control'), headers.get('etag')]).toEqual([200, 'private, no-store', null])
      }
    },
  )

  test('an authenticated answer is never stored', async () => {
    const reply = await api.call('/auth/session', { token: await tokenOf(api, accounts.worker) })
    expect([reply.headers.get('cache-control'), reply.headers.get('etag')]).toEqual(['private, no-store', null])
  })
})

describe('compression', () => {
  const read = (encodings: string, { path = '/openapi.json', headers = {}, ...sent }: Sent & { path?: string } = {}) =>
    send(path, { ...sent, headers: { 'accept-encoding': encodings, ...headers } })

  test('is used for a JSON answer over 1 kB when the client accepts it', async () => {
    const [plain, packed, head] = [await read('identity'), await read('gzip, deflate, br'), await read('gzip', { method: 'HEAD' })]
    expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true)
    expect([plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([undefined, 'gzip'])
    expect(packed.bytes.length * 4).toBeLessThan(plain.bytes.length)
    for (const { headers } of [plain, packed]) expect(headers.vary).toContain('Accept-Encoding')
    const { date: _now, 'x-request-id': _id, ...asGet } = packed.headers
    expect([head.bytes.length, head.headers]).toEqual([0, expect.objectContaining(asGet)])
  })

  test('gives the answer a weak tag, which both forms are found by', async () => {
    const [plain, packed] = [await read('identity'), await read('gzip')]
    expect(packed.headers.etag).toBe(`W/${plain.headers.etag}`)
    const again = await read('gzip', { headers: { 'if-none-match': packed.headers.etag } })
    expect(again).toMatchObject({ status: 304, bytes: { length: 0 }, headers: { etag: packed.headers.etag } })
    expect([again.headers['content-encoding'], again.headers.vary]).toEqual([undefined, expect.stringContaining('Accept-Encoding')])
  })

  test.each([
    ['a short answer', 'gzip', '/health/live'],
    ['a refusal', 'gzip', '/nowhere'],
    ['a client that does not accept it', 'gzip;q=0', '/openapi.json'],
    ['a client that accepts another one', 'br', '/openapi.json'],
    ['a client without a preference', '', '/openapi.json'],
  ])('is not used for %s', async (_name, encodings, path) => {
    expect((await read(encodings, { path })).headers['content-encoding']).toBeUndefined()
  })
})

describe('failures', () => {
  /** First bytes of the answer to bytes that are sent as they are. */
  const wire = async (bytes: string, port = api.port): Promise<string> => {
    const socket = connect(port, '127.0.0.1')
    socket.write(bytes)
    const [chunk] = await once(socket, 'data')
    socket.destroy()
    return String(chunk)
  }

  test.each([
    ['a request without a host', 'GET /health/live HTTP/1.1\r\n\r\n'],
    ['a text that is not HTTP', 'NOISE\r\n\r\n'],
  ])('%s gets a problem document', async (_name, bytes) => {
    const [head = '', body = ''] = (await wire(bytes)).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(head).toMatch(/\r\nContent-Type: application\/problem\+json/i)
    expect(head).toMatch(/\r\nX-Request-Id: /i)
    expect(JSON.parse(body)).toMatchObject({ code: 'invalid_request', status: 400, requestId: expect.any(String) })
  })

  test('a service that is starting reads requests by the same rules', async () => {
    const deps = { logger: pino({ level: 'silent' }), clock: { now: Date.now }, baseUrl: 'https://work.example' }
    const { server } = await listen(createStartupApp(deps), { port: 0, host: '127.0.0.1', baseUrl: deps.baseUrl })
    const { port } = server.address() as AddressInfo
    try {
      const answers = [
        await wire('GET /health/live HTTP/1.1\r\n\r\n', port),
        await wire('GET http://[x/health/live HTTP/1.1\r\nHost: a\r\n\r\n', port),
        await wire('GET /jobs HTTP/1.1\r\nHost: a\r\n\r\n', port),
      ]
      expect(answers.map((text) => text.slice(9, 12))).toEqual(['400', '200', '503'])
    } finally {
      server.close()
    }
  })

  test.each([
    ['of HTTP 1.0 without a host', 'GET /health/live HTTP/1.0\r\n\r\n', '200 OK'],
    ['with an unknown Expect header', 'GET /health/live HTTP/1.1\r\nHost: a\r\nExpect: much\r\n\r\n', '200 OK'],
    ['for an absolute URL', 'GET http://a/health/live?x=http://b/ HTTP/1.1\r\nHost: a\r\n\r\n', '200 OK'],
    ['for an absolute URL in capitals', 'GET HTTPS://a:1/health/live HTTP/1.1\r\nHost: a\r\n\r\n', '200 OK'],
    ['for an absolute URL without a path', 'GET http://a HTTP/1.1\r\nHost: a\r\n\r\n', '200 OK'],
    ['for an absolute URL without a path and with a query', 'GET http://a?x HTTP/1.1\r\nHost: a\r\n\r\n', '200 OK'],
  ])('a request %s is served', async (_name, bytes, status) => {
    expect((await wire(bytes)).split('\r\n')[0]).toBe(`HTTP/1.1 ${status}`)
  })

  test('every operation publishes invalid_request for malformed requests', () => {
    for (const spec of operationList) expect([spec.id, errorsOf(spec)]).toEqual([spec.id, expect.arrayContaining(['invalid_request'])])
  })

  test('a problem document carries every detail of its error', async () => {
    const reply = await api.call('/session?sessionId=x', { token: await tokenOf(api, accounts.worker) })
    expect(reply.status).toBe(404)
    expect(reply.headers.get('retry-after')).toBe('7')
    expect(reply.body).toMatchObject({
      code: 'session_not_found',
      reason: 'because',
      retryAfterSeconds: 7,
      details: { some: 'thing' },
      // An occurrence with a retry time is retryable.
      retryable: true,
      nextActions: [{ kind: 'http', method: 'GET', path: '/sessions' }],
    })
  })

  test('an unexpected error is a 500 without details; the log has them', async () => {
    const reply = await api.call('/jobs/tiers')
    expect([reply.status, reply.body.code]).toEqual([500, 'internal_error'])
    expect(reply.text).not.toContain('marker')
    expect(api.log.join('')).toContain('marker-of-an-unexpected-failure')
  })

  test('an answer that its operation does not declare is a 500 outside production', async () => {
    const reply = await api.call('/session/state-machine')
    expect([reply.status, reply.body.code]).toEqual([500, 'internal_error'])
    expect(api.log.join('')).toContain('getSessionStateMachine answered a body that its operation does not declare')
  })

  test('the log has one line a request, with the template and no query', async () => {
    api.log.length = 0
    await api.call('/list?token=secret-token-marker')
    const lines = api.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
    expect(lines).toEqual([
      expect.objectContaining({ method: 'GET', path: '/list', status: 200, requestId: expect.any(String), ms: expect.any(Number) }),
    ])
    expect(api.log.join('')).not.toContain('secret-token-marker')
  })

  test('no token and no signature ever reaches the log', async () => {
    api.log.length = 0
    const token = await tokenOf(api, accounts.worker)
    await api.call('/auth/session', { token })
    await api.call('/auth/session', { token: `${token}x` })
    expect(api.log.length).toBeGreaterThan(0)
    expect(api.log.join('')).not.toContain(token.split('.')[2])
  })
})
