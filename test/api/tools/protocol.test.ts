import { describe, expect, test } from '@jest/globals'
import { createToolHandlers } from '../../../api/tools/handlers.ts'
import { TOOLSETS } from '../../../schemas/operations/operation.ts'
import { accounts, startApi, tokenOf } from '../../support/api.ts'
import { useApi } from '../support/started.ts'

const NEWEST = '2026-07-28'
const BOTH = 'application/json, text/event-stream'
const ENVELOPE = { 'io.modelcontextprotocol/protocolVersion': NEWEST, 'io.modelcontextprotocol/clientCapabilities': {} }

const api = useApi({
  isLocal: true,
  settings: {
    CORS_ORIGINS: 'https://app.example',
    MCP_HOSTS: 'behind.proxy',
    RATE_LIMITS: JSON.stringify({ tools_anonymous: { limit: 1_000 } }),
  },
  handlers: (deps) => createToolHandlers(deps),
})

interface Sent {
  raw?: string | Uint8Array<ArrayBuffer>
  body?: unknown
  headers?: Record<string, string>
  token?: string
  query?: string
}

const send = ({ raw, body, headers = {}, token, query = '' }: Sent) =>
  api.call(`/mcp${query}`, {
    raw: raw ?? JSON.stringify(body),
    token,
    headers: { accept: BOTH, 'content-type': 'application/json', ...headers },
  })

const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 7, method, params })
/** A message of the newest revision with the headers that it needs. */
const newest = (method: string, params: Record<string, unknown> = {}): Sent => ({
  body: message(method, { ...params, _meta: ENVELOPE }),
  headers: {
    'mcp-protocol-version': NEWEST,
    'mcp-method': method,
    ...(typeof params.name === 'string' && { 'mcp-name': params.name }),
  },
})
/** The body alone of a message of the newest revision. */
const newestBody = (method: string): object => newest(method).body as object
const ROUNDED_ARGUMENT =
  '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"preflightJob","arguments":{"jobId":1.00000000000000001}}}'
/** Numbers whose double has other digits, and one that is not whole. */
const UNREPEATABLE_IDS = [
  ...['9007199254740993', '-9007199254740993', '9007199254740992', '1e400', '1e-400'],
  ...['0.99999999999999999', '1.00000000000000001', '1.00000000000000000001', '1.5'],
]
let window = Date.parse('2027-02-01T00:00:00.000Z')
/** A window that nothing was counted in. */
const nextWindow = (): number => {
  window += 600_000
  return window
}
const callOf = (name: string, sent: unknown = {}): Sent => ({ body: message('tools/call', { name, arguments: sent }) })

describe('a message that is none', () => {
  test.each<[string, Sent, number, number]>([
    ['no JSON', { raw: '{' }, 400, -32700],
    ['bytes that are no UTF-8', { raw: Buffer.from([0x7b, 0xff, 0x7d]) }, 400, -32700],
    ['a member that stands twice', { raw: '{"jsonrpc":"2.0","id":1,"method":"ping","method":"ping"}' }, 400, -32700],
    ['a batch', { body: [message('tools/list')] }, 400, -32600],
    ['a text', { body: 'tools/list' }, 400, -32600],
    ['an object without a method', { body: { jsonrpc: '2.0', id: 1 } }, 400, -32600],
    ['an Accept of one type', { body: message('tools/list'), headers: { accept: 'application/json' } }, 406, -32000],
    ['an Accept without JSON', { body: message('tools/list'), headers: { accept: '*/json, application/json;q=0, text/*' } }, 406, -32000],
    ['an Accept that excludes JSON', { body: message('tools/list'), headers: { accept: '*/*, application/json;q=0' } }, 406, -32000],
    ['an Accept that excludes streams', { body: message('tools/list'), headers: { accept: 'text/event-stream;q=0.0, */*' } }, 406, -32000],
    [
      'an unknown revision',
      {
        ...newest('tools/list'),
        body: message('tools/list', { _meta: { ...ENVELOPE, 'io.modelcontextprotocol/protocolVersion': '2031-01-01' } }),
        headers: { 'mcp-protocol-version': '2031-01-01', 'mcp-method': 'tools/list' },
      },
      400,
      -32022,
    ],
    [
      'headers that contradict the body',
      {
        ...newest('tools/call', { name: 'listJobs' }),
        headers: { 'mcp-protocol-version': NEWEST, 'mcp-method': 'tools/call', 'mcp-name': 'claimJob' },
      },
      400,
      -32020,
    ],
    ['a newest message without its headers', { ...newest('tools/list'), headers: { 'mcp-protocol-version': NEWEST } }, 400, -32020],
    ['an unknown method', newest('tools/burn'), 404, -32601],
    ['a stream to listen to', newest('subscriptions/listen', { notifications: { toolsListChanged: true } }), 404, -32601],
    ['an id too long to repeat', { body: { ...message('tools/list'), id: 'x'.repeat(129) } }, 400, -32600],
    ['an id with a character that no text may hold', { body: { ...message('tools/list'), id: 'a\0b' } }, 400, -32600],
    ['an id that would be rounded', { raw: '{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/list"}' }, 400, -32600],
    ['an id whose digits would be rounded', { raw: '{"jsonrpc":"2.0","id":0.99999999999999999,"method":"tools/list"}' }, 400, -32600],
    ['an argument that would be rounded', { raw: ROUNDED_ARGUMENT }, 400, -32600],
    ['an id of another type', { body: { ...newestBody('subscriptions/listen'), id: { x: 'x'.repeat(1_000) } } }, 400, -32600],
    ['a page of another site', { body: message('tools/list'), headers: { origin: 'https://evil.example' } }, 403, -32000],
  ])('%s is refused', async (_name, sent, status, code) => {
    const reply = await send(sent)
    expect([reply.status, reply.body.error.code]).toEqual([status, code])
    expect(reply.text.length).toBeLessThan(500)
  })

  test.each(UNREPEATABLE_IDS)('an id %s is never repeated as another number', async (id) => {
    for (const method of ['tools/list', 'tools/call', 'subscriptions/listen'])
      for (const first of ['', '"params":{"cursor":1.00000000000000001},']) {
        const { status, body } = await send({ raw: `{"jsonrpc":"2.0",${first}"id":${id},"method":"${method}"}` })
        expect([status, body.error.code, body.id]).toEqual([400, -32600, null])
      }
  })

  test('no id is repeated as another number by a call that is one too many', async () => {
    const limited = await startApi({
      databaseUrl: api.databaseUrl,
      now: nextWindow(),
      isLocal: true,
      settings: { RATE_LIMITS: JSON.stringify({ tools_anonymous: { limit: 1 } }) },
      handlers: (deps) => createToolHandlers(deps),
    })
    const ask = async (id: string) => {
      const raw = JSON.stringify(callOf('getPlatformCapabilities').body).replace('"id":7', `"id":${id}`)
      return (await limited.call('/mcp', { raw, headers: { accept: BOTH, 'content-type': 'application/json' } })).body
    }
    expect((await ask('7')).result.structuredContent.code).toBeUndefined()
    const limit = await ask('7.0')
    expect([limit.id, limit.result.structuredContent.code]).toEqual([7, 'rate_limited'])
    for (const id of UNREPEATABLE_IDS) expect(await ask(id)).toMatchObject({ id: null, error: { code: -32600 } })
    await limited.close()
  })

  test('an argument that would be rounded is named, with the id of its message', async () => {
    const { body } = await send({ raw: ROUNDED_ARGUMENT })
    expect([body.id, body.error.message]).toEqual([7, expect.stringContaining('/params/arguments/jobId')])
    const beyond = await send({ raw: ROUNDED_ARGUMENT.replace('1.00000000000000001', '9007199254740993') })
    const { code, errors } = beyond.body.result.structuredContent
    expect([code, errors[0].pointer, errors[0].rule]).toEqual(['invalid_request', '/jobId', 'range'])
    expect(beyond.text).not.toContain('900719925474099')
  })

  test('a body above the limit and one of another type are refused before they are read', async () => {
    const large = await send({ body: message('tools/list', { filler: 'x'.repeat(70_000) }) })
    expect([large.status, large.body.code]).toEqual([413, 'payload_too_large'])
    const text = await send({ raw: '{}', headers: { 'content-type': 'text/plain' } })
    expect([text.status, text.body.error.code]).toEqual([415, -32000])
  })

  test('an unknown list of tools is refused by name', async () => {
    const reply = await send({ body: message('tools/list'), query: '?toolset=worker,burner' })
    expect([reply.status, reply.body.code, reply.body.errors[0].pointer]).toEqual([400, 'invalid_request', 'query/toolset'])
  })

  test('a message to another host is refused, one to a configured host is not', async () => {
    const { status } = await hostCall('evil.example')
    expect([status, (await hostCall('behind.proxy')).status]).toEqual([403, 200])
  })
})

/** `fetch` sends no other Host. */
const hostCall = async (host: string, headers: Record<string, string> = { accept: BOTH }): Promise<{ status: number | undefined }> => {
  const { request } = await import('node:http')
  return new Promise((done, fail) => {
    const sent = request(
      { port: api.port, path: '/mcp', method: 'POST', headers: { host, ...headers, 'content-type': 'application/json' } },
      (reply) => {
        reply.resume()
        done({ status: reply.statusCode })
      },
    )
    sent.on('error', fail).end(JSON.stringify(message('tools/list')))
  })
}

describe('the endpoint', () => {
  test.each([
    ...['*/*', 'Application/JSON;q=0.9, TEXT/event-stream', 'application/*, text/*;q=0.1'],
    ...['application/json; charset=utf-8, text/event-stream', 'application/json, text/event-stream;charset="UTF-8"'],
  ])('answers a message whose Accept takes both types as %s', async (accept) =>
    expect((await send({ body: message('tools/list'), headers: { accept } })).status).toBe(200),
  )

  test('answers a message without Accept', async () => {
    expect(await hostCall('behind.proxy', {})).toEqual({ status: 200 })
  })

  test('says by GET how to connect, opens no stream, and ends no session', async () => {
    const info = await api.call('/mcp')
    expect([info.status, info.headers.get('cache-control'), info.body.type]).toEqual([200, 'public, max-age=300', 'mcp_protocol_endpoint'])
    expect((await api.call('/mcp', { method: 'DELETE' })).status).toBe(405)
  })

  test.each([
    'text/event-stream',
    BOTH,
    'application/json, Text/Event-Stream;q=0.5',
    'TEXT/EVENT-STREAM',
    'text/event-stream;charset=UTF-8',
    'application/json;q=1 , text/event-stream ; q=0.001',
    'application/json;profile="a,b", text/event-stream',
    '*/*, text/event-stream;q=0.1',
    'text/*',
    'application/json;q=0, */*',
  ])('opens no stream for a reader of %s', async (accept) => {
    const { status, headers, body } = await api.call('/mcp', { headers: { accept } })
    expect([status, headers.get('allow'), body.code]).toEqual([405, 'POST', 'method_not_allowed'])
  })

  test.each([
    ...['*/*', 'application/json', 'Application/*', 'text/html, application/xhtml+xml, */*;q=0.8', 'text/event-stream-x, */*'],
    ...['application/json, text/event-stream;q=0', '*/*, text/event-stream;q=0.000', 'application/json;x="text/event-stream"'],
  ])('says how to connect to a reader of %s', async (accept) => {
    expect((await api.call('/mcp', { headers: { accept } })).status).toBe(200)
  })

  // 2025-03-26 asks for batches, 2024-11-05 for another transport.
  test.each([
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ...['2024-10-07', '2024-11-05', '2025-03-26', '2026-07-28', '2031-01-01'].map((asked) => [asked, '2025-11-25']),
  ])('answers an initialize of %s with a revision whose duties it meets', async (asked, agreed) => {
    const params = { protocolVersion: asked, capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const { status, body } = await send({ body: message('initialize', params) })
    expect([status, body.result.protocolVersion]).toEqual([200, agreed])
    expect(body.result.capabilities).toEqual({ tools: {}, resources: {}, prompts: {} })
    const notified = await send({ body: { jsonrpc: '2.0', method: 'notifications/initialized' } })
    expect([notified.status, notified.text, notified.headers.get('content-type')]).toEqual([202, '', null])
  })

  test('refuses messages of a revision that it does not offer, and names those that it does', async () => {
    const { body: info } = await api.call('/mcp')
    expect(info.protocolVersions).toEqual([NEWEST, '2025-11-25', '2025-06-18'])
    for (const revision of ['2024-10-07', '2024-11-05', '2025-03-26']) {
      const { status, body } = await send({ body: message('tools/list'), headers: { 'mcp-protocol-version': revision } })
      expect([status, body.error.message]).toEqual([400, expect.stringContaining(info.protocolVersions.join(', '))])
    }
    for (const revision of ['2025-06-18', '2025-11-25'])
      expect((await send({ body: message('tools/list'), headers: { 'mcp-protocol-version': revision } })).status).toBe(200)
  })

  test('is discovered by the newest revision, and says how long its lists live', async () => {
    const found = await send(newest('server/discover'))
    expect(found.body.result).toMatchObject({ supportedVersions: [NEWEST], resultType: 'complete' })
    const { body } = await send(newest('tools/list'))
    expect(body.result).toMatchObject({ resultType: 'complete', ttlMs: 300_000, cacheScope: 'public' })
  })

  test('answers a page of its own origin and one that is configured', async () => {
    for (const origin of ['https://work.example', 'https://app.example'])
      expect((await send({ body: message('ping'), headers: { origin } })).status).toBe(200)
  })
})

/** Keywords of a member that the strictest known readers of tools take. */
const MEMBER_KEYWORDS = [
  ...['type', 'description', 'enum', 'default', 'anyOf', 'items', 'properties', 'required', 'additionalProperties'],
  ...['pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'],
]
const TYPES = ['object', 'string', 'integer', 'number', 'boolean', 'array']

/** What a strict reader refuses in a member of an input schema. */
const memberFaults = (place: string, member: Record<string, unknown>): string[] => {
  const { type, anyOf, items, properties = {}, additionalProperties, description } = member
  const branches = (anyOf ?? []) as Record<string, unknown>[]
  return [
    ...Object.keys(member).flatMap((keyword) => (MEMBER_KEYWORDS.includes(keyword) ? [] : [`${place}: ${keyword}`])),
    ...((TYPES as unknown[]).includes(type) !== branches.length > 0 ? [] : [`${place}: needs a type, or anyOf`]),
    ...(type === 'array' && items === undefined ? [`${place}: a list without items`] : []),
    ...(typeof additionalProperties === 'object' ? [`${place}: rules for other members`] : []),
    ...(typeof description === 'string' && description.length > 1_024 ? [`${place}: a long description`] : []),
    ...branches.flatMap((branch, index) => memberFaults(`${place} ${index}`, branch)),
    ...(items === undefined ? [] : memberFaults(`${place}[]`, items as Record<string, unknown>)),
    ...Object.entries(properties as Record<string, Record<string, unknown>>).flatMap(([name, inner]) =>
      memberFaults(`${place}/${name}`, inner),
    ),
  ]
}

interface ListedTool {
  name: string
  description: string
  inputSchema: Record<string, unknown>
}

/** What a strict reader refuses in a tool: its input is one plain object. */
const toolFaults = ({ name, description, inputSchema }: ListedTool) => {
  const { type, properties, ...rest } = inputSchema
  const names = Object.keys(properties as object)
  return [
    ...(type === 'object' ? [] : [`${name}: is no object`]),
    ...Object.keys(rest).flatMap((keyword) => (['required', 'additionalProperties'].includes(keyword) ? [] : [`${name}: ${keyword}`])),
    ...((rest.required ?? []) as string[]).flatMap((one) => (names.includes(one) ? [] : [`${name}: needs ${one}, which it has not`])),
    ...[name, ...names].flatMap((one) => (/^[A-Za-z][\w-]{0,63}$/.test(one) ? [] : [`${name}: the name ${one}`])),
    ...(description.length <= 1_024 ? [] : [`${name}: a long description`]),
    ...memberFaults(name, { type, properties }),
  ]
}

describe('the list of tools', () => {
  const listed = async (query = '') => (await send({ body: message('tools/list'), query })).body.result.tools

  test('is that of a worker, and small enough for a reader', async () => {
    const reply = await send({ body: message('tools/list') })
    expect(Buffer.byteLength(reply.text)).toBeLessThan(25_000)
    const names = reply.body.result.tools.map(({ name }: { name: string }) => name)
    for (const name of ['getPlatformCapabilities', 'verifySiwe', 'claimJob', 'submitWork', 'getAgentBadge']) expect(names).toContain(name)
    expect(names).not.toContain('buildCreditTransactions')
  })

  test('joins the lists that are asked for', async () => {
    const [worker, both, all] = await Promise.all([listed(), listed('?toolset=worker,savings'), listed('?toolset=all')])
    expect(both.length).toBeGreaterThan(worker.length)
    expect(all.length).toBeGreaterThan(both.length)
  })

  test('describes every tool: a closed input, its effect and the token that it needs', async () => {
    for (const tool of await listed('?toolset=all')) {
      expect(tool.description.length).toBeGreaterThan(20)
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(tool.outputSchema.type).toBe('object')
      expect(tool.annotations).toMatchObject({ title: tool.title, openWorldHint: false })
      expect(tool._meta['service/auth']).toEqual(expect.objectContaining({ required: expect.any(Boolean), scopes: expect.any(Array) }))
    }
  })

  test.each(TOOLSETS)('for %s has only input schemas that the strictest readers take', async (set) => {
    const tools = await listed(`?toolset=${set}`)
    expect(tools.length).toBeGreaterThan(5)
    expect(tools.flatMap(toolFaults)).toEqual([])
  })

  test('says in words which members exclude each other', async () => {
    const described = new Map((await listed('?toolset=all')).map(({ name, description }: ListedTool) => [name, description]))
    expect(described.get('submitWork')).toContain('Send exactly one of: submission; evidence.')
    expect(described.get('buildDepositPoolTransactions')).toContain(
      'Send exactly one of: direction deposit: amount; direction withdraw: assets; direction withdraw: shares.',
    )
    expect(described.get('buildCreditTransactions')).toContain('direction borrow: pledgeShares and amount;')
    expect(described.get('validateJobSubmission')).not.toContain('exactly one')
  })
})

describe('a call', () => {
  test.each([
    ['wallet_check_mapping_status', /GET \/auth\/session, show the mapping/],
    ['wallet_sign_substrate_payload', /never holds a key/],
  ])('of %s is refused with what to do instead', async (name, reason) => {
    const { body } = await send(callOf(name))
    expect(body.error).toMatchObject({ code: -32602, message: expect.stringMatching(reason) })
  })

  test('of an unknown tool is a fault of the message', async () => {
    const { body } = await send(callOf('burnJob'))
    expect(body.error).toMatchObject({ code: -32602, message: 'There is no tool burnJob.' })
  })

  test.each<[string, string, unknown, string, string]>([
    ['an argument that the tool has not', 'getPlatformCapabilities', { colour: 'red' }, 'invalid_request', '/colour'],
    ['a value that it does not take', 'getPlatformCapabilities', { detail: 'all' }, 'invalid_request', 'query/detail'],
    ['an object for a text', 'getPlatformCapabilities', { detail: {} }, 'invalid_request', 'query/detail'],
    ['a missing argument', 'fetchAuthNonce', {}, 'invalid_request', '/wallet'],
    ['a text that nothing can store', 'fetchAuthNonce', { wallet: '\u0000' }, 'invalid_request', '/wallet'],
  ])('with %s answers the problem document', async (_name, tool, sent, code, pointer) => {
    const { status, body } = await send(callOf(tool, sent))
    const { isError, structuredContent, content } = body.result
    expect([status, isError, structuredContent.code, structuredContent.errors[0].pointer]).toEqual([200, true, code, pointer])
    expect(JSON.parse(content[0].text)).toEqual(structuredContent)
    expect(structuredContent.nextActions[0]).toMatchObject({ kind: 'tool', tool })
  })

  test.each<[string, string, unknown, string]>([
    ['a read', 'getPlatformCapabilities', { colour: 'red' }, 'is not an accepted member; accepted are detail'],
    ['a read without arguments', 'getAccountSummary', { colour: 'red' }, 'is not an accepted member; there is none'],
    [
      'a body',
      'fetchAuthNonce',
      { wallet: accounts.worker.address, colour: 'red' },
      'is not an accepted member; accepted are wallet, domain, delegate',
    ],
  ])('a call of %s with an unknown argument is refused with the accepted ones', async (_name, tool, sent, message) => {
    const { errors } = (await send(callOf(tool, sent))).body.result.structuredContent
    expect(errors).toEqual([{ pointer: '/colour', rule: 'unknown', message }])
  })

  test('answers what HTTP answers, with the next calls', async () => {
    const { body } = await send(callOf('getPlatformCapabilities'))
    const { nextActions, ...answer } = body.result.structuredContent
    expect(answer).toEqual((await api.call('/onboarding?detail=welcome')).body)
    expect(nextActions.map(({ tool }: { tool: string }) => tool)).toEqual(['listJobs', 'fetchAuthNonce'])
    // Four characters a token.
    expect(JSON.stringify(answer).length / 4).toBeLessThan(750)
  })

  test('without a token says how to sign in; with a broken one as well', async () => {
    for (const token of [undefined, 'broken']) {
      const { body } = await send({ ...callOf('getReputation'), ...(token !== undefined && { token }) })
      const { code, status, nextActions } = body.result.structuredContent
      expect([code, status]).toEqual([token === undefined ? 'missing_token' : 'malformed_token', 401])
      expect(nextActions[0]).toMatchObject({ kind: 'sign_in', tool: 'fetchAuthNonce' })
    }
  })

  test('that fails unexpectedly answers nothing but the id of the request', async () => {
    const token = await tokenOf(api, accounts.worker)
    const { body } = await send({ ...callOf('getReputation'), token })
    const { isError, structuredContent } = body.result
    expect([isError, structuredContent.code, structuredContent.status]).toEqual([true, 'internal_error', 500])
    expect(JSON.stringify(body)).not.toContain('marker')
    expect(api.log.join('')).toContain(structuredContent.requestId)
  })

  test.each<[string, Sent]>([
    ['a list of tools', { body: message('tools/list') }],
    ['a list of tools of the newest revision', newest('tools/list')],
    ['a list of prompts', { body: message('prompts/list') }],
    [
      'a first message',
      { body: message('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } }) },
    ],
    ['an unknown method', newest('tools/burn')],
    ['a list of messages', { body: [message('tools/list')] }],
    ['a message that opens a stream', newest('subscriptions/listen')],
    ['a call of no tool', { body: message('tools/call', { arguments: { q: 'x'.repeat(60_000) } }) }],
    ['a call of what is no name', { body: message('tools/call', { name: [1] }) }],
    ['a reading of no resource', { body: message('resources/read') }],
    ['a message whose id is too long', { body: { ...message('ping'), id: 'x'.repeat(60_000) } }],
    ['what is no object', { body: 7 }],
  ])('counts %s by the address of its sender or the wallet of its token, and no call with it', async (_what, { body, headers }) => {
    const limited = await startApi({
      databaseUrl: api.databaseUrl,
      now: nextWindow(),
      isLocal: true,
      settings: { RATE_LIMITS: JSON.stringify({ tools_messages: { limit: 2 } }) },
      handlers: (deps) => createToolHandlers(deps),
    })
    const ask = async (token?: string, sent: unknown = body) => {
      const all = { accept: BOTH, 'content-type': 'application/json', ...(sent === body && headers) }
      return limited.call('/mcp', { body: sent, token, headers: all })
    }
    const token = await tokenOf(limited, accounts.worker)
    const limits = []
    for (const sender of [undefined, 'nonsense', undefined, token, token, token]) limits.push((await ask(sender)).status === 429)
    expect(limits).toEqual([false, false, true, false, false, true])
    const refused = await ask()
    expect(refused.body).toMatchObject({ code: 'rate_limited', details: { bucket: 'tools_messages' } })
    expect(refused.headers.get('retry-after')).toBe('60')
    expect((await ask(undefined, callOf('getPlatformCapabilities').body)).status).toBe(200)
    await limited.close()
  })

  test('counts by the wallet of its token, and by address without one', async () => {
    const limited = await startApi({
      databaseUrl: api.databaseUrl,
      // A window that nothing was counted in.
      now: Date.parse('2027-01-01T00:00:00.000Z'),
      isLocal: true,
      settings: { RATE_LIMITS: JSON.stringify({ tools_anonymous: { limit: 2 }, tools_authenticated: { limit: 3 } }) },
      handlers: (deps) => createToolHandlers(deps),
    })
    const ask = async (token?: string, tool = 'getPlatformCapabilities'): Promise<string | undefined> => {
      const { body } = await limited.call('/mcp', {
        body: callOf(tool).body,
        token,
        headers: { accept: BOTH, 'content-type': 'application/json' },
      })
      return body.result.structuredContent.code
    }
    const token = await tokenOf(limited, accounts.worker)
    const codes = []
    for (const sent of [undefined, undefined, undefined, token, token, token, token]) codes.push(await ask(sent))
    expect(codes).toEqual([undefined, undefined, 'rate_limited', undefined, undefined, undefined, 'rate_limited'])
    // What is refused for want of a token counts as well.
    limited.clock.at = Date.parse('2027-01-01T00:02:00.000Z')
    const refused = []
    for (const tool of ['claimJob', 'claimJob', 'claimJob']) refused.push(await ask(undefined, tool))
    expect(refused).toEqual(['missing_token', 'missing_token', 'rate_limited'])
    await limited.close()
  })
})

describe('a prompt and a resource', () => {
  test('the refusal that a prompt explains is one of the table', async () => {
    const { body } = await send({ body: message('prompts/get', { name: 'explainRefusal', arguments: { code: 'insufficient_liquidity' } }) })
    expect(body.result.messages[0].content.text).toContain('buildAccountDepositTransactions')
    const unknown = await send({ body: message('prompts/get', { name: 'explainRefusal', arguments: { code: 'toString' } }) })
    expect(unknown.body.error.code).toBe(-32602)
  })

  test.each(['service://jobs/', 'service://moons/1', 'service://jobs/%E0%A4', 'service://jobs/a/b', 'file:///etc/passwd'])(
    'there is no resource %s',
    async (uri) => expect((await send({ body: message('resources/read', { uri }) })).body.error).toMatchObject({ code: -32602 }),
  )

  test('a session needs the token of its owner', async () => {
    const { body } = await send({ body: message('resources/read', { uri: 'service://sessions/any' }) })
    expect(body.error.data).toMatchObject({ code: 'missing_token', status: 401 })
  })
})
