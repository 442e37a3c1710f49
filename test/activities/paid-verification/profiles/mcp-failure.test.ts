import { once } from 'node:events'
import { afterEach, describe, expect, test } from '@jest/globals'
import { createGuardedFetch } from '../../../../activities/outbound/guarded-fetch.ts'
import { createMcpFailureProfile, type McpFailureDeps } from '../../../../activities/paid-verification/profiles/mcp-failure.ts'
import type { JsonValue } from '../../../../schemas/catalogue/job-definition.ts'
import type { ProfileResult } from '../../../../schemas/paid-verification/profiles/execution.ts'
import { type Intercept, sendJson, startTarget, type Target, type TargetOptions } from '../support/mcp-server.ts'

const TOKEN = 'tk-0123456789abcdef'
const AUTH = { scheme: 'bearer', credentialRef: 'the target of the buyer' }

const targets: Target[] = []
afterEach(async () => {
  for (const target of targets.splice(0)) await target.stop()
})

interface Given extends TargetOptions {
  /** Members of the target that the request names. */
  named?: Record<string, JsonValue>
  credential?: string | null
  deps?: Partial<McpFailureDeps>
  signal?: AbortSignal
}

const run = async ({ named = {}, credential = null, deps, signal = new AbortController().signal, ...options }: Given = {}) => {
  const target = await startTarget(options)
  targets.push(target)
  const execute = createMcpFailureProfile({ fetch: createGuardedFetch({ allowedHosts: [target.host] }), answerMs: 1_500, ...deps })
  const request = {
    target: { endpoint: target.endpoint, transport: 'streamable_http', ...named },
    inputs: {},
    key: 'a-run',
    targetAuthorization: credential,
  }
  return { result: await execute(request, signal, () => undefined), seen: target.seen }
}
const withToken: Given = { token: TOKEN, named: { auth: AUTH }, credential: `Bearer ${TOKEN}` }

const signs = ({ checks }: ProfileResult): string => checks.map(({ passed }) => (passed === null ? '?' : passed ? '+' : '-')).join('')
const failedDetail = ({ checks }: ProfileResult): string | undefined => checks.find(({ passed }) => passed === false)?.detail

describe('a target that keeps to the protocol', () => {
  test.each<[string, Given]>([
    ['with sessions', {}],
    ['with JSON answers', { json: true }],
    ['without sessions', { stateless: true }],
    ['that demands a credential', withToken],
    ['that gets the credential without its scheme', { ...withToken, credential: TOKEN }],
  ])('is approved: %s', async (_name, given) => {
    const { result, seen } = await run(given)
    expect(result.checks.filter(({ passed }) => passed !== true)).toEqual([])
    expect(result).toMatchObject({ verdict: 'approved', reason: null, evidence: { revision: '2025-11-25', tools: 3 } })
    expect(result.checks.map(({ id }) => id)).toEqual([
      'auth-boundary',
      'timeout-recovery',
      'tool-schema-stability',
      'destructive-action-safety',
      'error-shape-conformance',
    ])
    expect(seen.calls).toEqual([])
    expect([...seen.sessions]).toEqual([])
    expect(JSON.stringify(result)).not.toContain(TOKEN)
  })

  test('is approved although its stream stays open after an answer', async () => {
    const intercept: Intercept = ({ method, id }, response) => {
      if (method !== 'ping') return false
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(': hello\r\n\r\ndata: {"jsonrpc":"2.0","method":"notifications/message"}\n\n')
      return response.write(`event: message\ndata: {"jsonrpc":"2.0",\ndata: "id":${id},"result":{}}\n\n`)
    }
    expect((await run({ intercept })).result).toMatchObject({ verdict: 'approved' })
  })

  test('sees a request given up and cancelled', async () => {
    let closed = ''
    const intercept: Intercept = async ({ method, session }, response) => {
      if (method !== 'tools/list' || !seenBefore.has(session)) {
        if (method === 'tools/list') seenBefore.add(session)
        return false
      }
      if (!response.destroyed) await once(response, 'close')
      closed = String(session)
      return true
    }
    const seenBefore = new Set<string | undefined>()
    const { result, seen } = await run({ intercept })
    expect(result).toMatchObject({ verdict: 'approved' })
    const cancelled = seen.messages.find(({ method }) => method === 'notifications/cancelled')
    const [, givenUp] = seen.messages.filter(({ method, session }) => method === 'tools/list' && session === closed)
    expect(JSON.parse(cancelled?.body ?? '{}')).toMatchObject({ params: { requestId: givenUp?.id } })
  })
})

const TOOL = { name: 'read', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }
/** A target that lists these tools, by the number of the list. */
const listing =
  (tools: (count: number) => object[]): Intercept =>
  ({ method, id }, response) =>
    method === 'tools/list' && sendJson(response, { id, result: { tools: tools(Number(id)) } })
const answering =
  (asked: string, answer: (id: unknown) => object, status?: number): Intercept =>
  ({ method, id, body }, response) =>
    (method === asked || body.includes(asked)) && sendJson(response, answer(id), status)
const error = (code: number) => (id: unknown) => ({ id, error: { code, message: 'no' } })

/** Hangs the session, or every session, once a client gave up its second list. */
const hanging = (everything: boolean): Intercept => {
  const lists = new Map<string | undefined, number>()
  const stuck = new Set<string | undefined>()
  return async ({ method, session }, response) => {
    if (stuck.has(session) || (everything && stuck.size > 0)) return true
    if (method !== 'tools/list') return false
    const count = (lists.get(session) ?? 0) + 1
    lists.set(session, count)
    if (count === 1) return false
    stuck.add(session)
    if (!response.destroyed) await once(response, 'close')
    return true
  }
}

describe('a target is rejected', () => {
  test.each<[string, Given, string, RegExp]>([
    ['serves without the credential', { ...withToken, token: undefined as never }, '-++++', /initialize without a credential/],
    [
      'takes any credential',
      {
        ...withToken,
        token: undefined as never,
        intercept: ({ authorization }, response) => !authorization && !!response.writeHead(401).end(),
      },
      '-++++',
      /initialize with a wrong credential/,
    ],
    [
      'takes the session for the credential',
      {
        named: { auth: AUTH },
        credential: TOKEN,
        intercept: ({ authorization, session }, response) =>
          session === undefined && authorization !== `Bearer ${TOKEN}` && !!response.writeHead(401).end(),
      },
      '-++++',
      /in a session without the credential/,
    ],
    [
      'refuses with status 200',
      {
        ...withToken,
        intercept: ({ authorization, id }, response) =>
          authorization !== `Bearer ${TOKEN}` && sendJson(response, { id, error: { code: -32_001, message: 'no' } }),
      },
      '-++++',
      /initialize without a credential with error -32001 \(status 200\)/,
    ],
    ['hangs a session whose request was given up', { intercept: hanging(false) }, '+-+++', /answers no more/],
    ['answers pings with errors', { intercept: answering('ping', error(-32_601)) }, '+-+++', /a ping gets error -32601/],
    ['fails at a cancellation', { intercept: answering('notifications/cancelled', error(-32_603), 500) }, '+-+++', /gets status 500/],
    [
      'lists other tools each time',
      { intercept: listing((count) => [{ ...TOOL, description: `version ${count}` }]) },
      '++-++',
      /tool read differs/,
    ],
    ['lists a tool twice', { intercept: listing(() => [TOOL, TOOL]) }, '++-++', /listed twice/],
    ['lists a tool without a schema', { intercept: listing(() => [{ ...TOOL, inputSchema: undefined }]) }, '++-++', /no input schema/],
    ['states no hints', { intercept: listing(() => [{ ...TOOL, annotations: {} }]) }, '+++-+', /does not state whether it only reads/],
    [
      'states half of the hints',
      { intercept: listing(() => [{ ...TOOL, annotations: { readOnlyHint: false } }]) },
      '+++-+',
      /does not state whether it destroys/,
    ],
    [
      'states hints that exclude each other',
      { intercept: listing(() => [{ ...TOOL, annotations: { readOnlyHint: true, destructiveHint: true } }]) },
      '+++-+',
      /only reads and that it destroys/,
    ],
    [
      'runs a tool that it does not list',
      { intercept: answering('"arguments":{}', (id) => ({ id, result: { content: [] } })) },
      '+++-+',
      /not listed/,
    ],
    [
      'runs a tool without its arguments',
      { intercept: answering('"name":"read","arguments":{}', (id) => ({ id, result: { content: [] } })) },
      '+++-+',
      /without the arguments/,
    ],
    ['answers unknown methods', { intercept: answering('/unknown', (id) => ({ id, result: {} })) }, '++++-', /unknown method: a result/],
    ['gives one code for all', { intercept: answering('/unknown', error(-32_603)) }, '++++-', /error -32603 .* instead of error -32601/],
    [
      'gives an error for another request',
      { intercept: answering('/unknown', () => error(-32_601)(99_999)) },
      '++++-',
      /status 200 without/,
    ],
    ['gives an error without id', { intercept: answering('/unknown', () => error(-32_601)(null)) }, '++++-', /names another request/],
    [
      'gives an error without message',
      { intercept: answering('/unknown', (id) => ({ id, error: { code: -32_601 } })) },
      '++++-',
      /no message/,
    ],
    [
      'answers malformed JSON with a page',
      {
        intercept: ({ body }, response) => body.endsWith('"id":') && !!response.writeHead(500, { 'content-type': 'text/html' }).end('<p>'),
      },
      '++++-',
      /Malformed JSON: status 500/,
    ],
    [
      'calls an invalid call its own fault',
      { intercept: answering('"tools/call","params":{}}', error(-32_603)) },
      '++++-',
      /without a name/,
    ],
  ])('that %s', async (_name, given, expected, detail) => {
    const { result, seen } = await run(given)
    expect(failedDetail(result)).toMatch(detail)
    expect([signs(result), result.verdict, result.reason]).toEqual([expected, 'rejected', null])
    expect(seen.calls).toEqual([])
  })

  test('without its credential in the result, where it names a tool by it', async () => {
    const tool = { ...TOOL, name: TOKEN, annotations: {} }
    const { result } = await run({
      ...withToken,
      intercept: (one, ...rest) => one.authorization === `Bearer ${TOKEN}` && listing(() => [tool])(one, ...rest),
    })
    expect(failedDetail(result)).toBe('Tool [credential] does not state whether it only reads.')
    expect(JSON.stringify(result)).not.toContain(TOKEN)
  })
})

/** Does this at a method, else nothing. */
const at =
  (asked: string, act: (...given: Parameters<Intercept>) => unknown): Intercept =>
  (received, ...rest) => {
    if (received.method !== asked) return false
    act(received, ...rest)
    return true
  }
const flood = (contentType: string, piece: string): Intercept =>
  at('tools/list', (_received, response) => {
    response.writeHead(200, { 'content-type': contentType })
    const more = (): void => {
      while (!response.destroyed && response.write(piece));
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  })

describe('a target has no verdict', () => {
  test.each<[string, Given, string, RegExp]>([
    [
      'it stalls',
      { intercept: at('initialize', () => undefined), deps: { answerMs: 300 } },
      'target_unreachable',
      /no answer within 300 ms/,
    ],
    [
      'it stalls within an answer',
      {
        intercept: at('tools/list', (_received, response) =>
          response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {'),
        ),
        deps: { answerMs: 300 },
      },
      'target_unreachable',
      /no answer within/,
    ],
    [
      'it hangs for everyone after a request was given up',
      { intercept: hanging(true), deps: { answerMs: 300 } },
      'target_unreachable',
      /no answer/,
    ],
    ['the run takes too long', { deps: { totalMs: 0 } }, 'target_unreachable', /does not end within 0 ms/],
    [
      'it floods with JSON',
      { intercept: flood('application/json', ' '.repeat(60_000)) },
      'ambiguous_evidence',
      /more than the profile reads/,
    ],
    [
      'it floods with events',
      { intercept: flood('text/event-stream', 'data: {}\n\n'.repeat(5_000)) },
      'ambiguous_evidence',
      /more than the profile/,
    ],
    [
      'it redirects inside',
      { intercept: at('initialize', (_received, response) => response.writeHead(307, { location: 'https://10.0.0.1/mcp' }).end()) },
      'target_unreachable',
      /redirects/,
    ],
    [
      'it promises more bytes',
      {
        intercept: at('tools/list', (_received, response) => {
          response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' })
          response.write('{"jsonrpc":"2.0"', () => response.destroy())
        }),
      },
      'target_unreachable',
      /does not answer/,
    ],
    [
      'it promises fewer bytes',
      {
        intercept: at('tools/list', ({ id }, response) => {
          const body = JSON.stringify({ jsonrpc: '2.0', id, result: { tools: [] } })
          response.socket?.end(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n${body}`)
        }),
      },
      'ambiguous_evidence',
      /breaks off/,
    ],
    [
      'it closes early',
      { intercept: at('tools/list', (_received, response) => response.destroy()) },
      'target_unreachable',
      /does not answer/,
    ],
    [
      'its stream ends before its answer',
      {
        intercept: at('tools/list', (_received, response) =>
          response.writeHead(200, { 'content-type': 'text/event-stream' }).end('id: 1\n\n'),
        ),
      },
      'ambiguous_evidence',
      /breaks off/,
    ],
    [
      'its gateway is down',
      { intercept: at('tools/list', (_received, response) => response.writeHead(502).end()) },
      'target_unreachable',
      /status 502/,
    ],
    [
      'it is no server of the protocol',
      { intercept: at('initialize', (_received, response) => response.end('<html>')) },
      'ambiguous_evidence',
      /initialize/,
    ],
    [
      'it speaks other revisions',
      { intercept: answering('initialize', (id) => ({ id, result: { protocolVersion: '1999-01-01' } })) },
      'ambiguous_evidence',
      /none of the revisions/,
    ],
    ['it demands a credential that it does not name', { token: TOKEN }, 'ambiguous_evidence', /without a credential/],
    ['it refuses the credential', { ...withToken, credential: 'Bearer other' }, 'ambiguous_evidence', /refuses the credential/],
    ['the request carries no credential', { ...withToken, credential: null }, 'ambiguous_evidence', /carries none/],
    ['the credential fits in no header', { ...withToken, credential: 'Bearer a\r\nx: y' }, 'ambiguous_evidence', /carries none/],
    ['it lists no tools', { intercept: listing(() => []) }, 'ambiguous_evidence', /lists no tools/],
    [
      'its pages never end',
      { intercept: answering('tools/list', (id) => ({ id, result: { tools: [], nextCursor: 'more' } })) },
      'ambiguous_evidence',
      /20 pages/,
    ],
    ['its address is not public', { deps: { fetch: createGuardedFetch({ allowedHosts: [] }) } }, 'target_unreachable', /does not connect/],
    [
      'its answers are more than 512 KiB together',
      {
        intercept: answering('tools/list', (id) => ({
          id,
          result: { tools: [{ ...TOOL, description: ' '.repeat(200_000) }], nextCursor: 'more' },
        })),
      },
      'ambiguous_evidence',
      /more than the profile reads/,
    ],
    ['it speaks over a WebSocket', { named: { transport: 'websocket' } }, 'runner_fault', /form/],
    ['it has no endpoint', { named: { endpoint: 'here' } }, 'runner_fault', /form/],
    [
      'it hides whether it refuses',
      { ...withToken, intercept: ({ authorization }, response) => authorization !== `Bearer ${TOKEN}` && !!response.writeHead(404).end() },
      'ambiguous_evidence',
      /neither served nor refused/,
    ],
  ])('when %s', async (_name, given, reason, detail) => {
    const { result, seen } = await run(given)
    expect(result).toMatchObject({ verdict: 'inconclusive', reason })
    expect(result.checks.filter(({ passed }) => passed === false)).toEqual([])
    expect(result.checks.find(({ passed }) => passed === null)?.detail).toMatch(detail)
    expect(seen.calls).toEqual([])
  })

  test('when a target is gone', async () => {
    const target = await startTarget()
    await target.stop()
    const execute = createMcpFailureProfile({ fetch: createGuardedFetch({ allowedHosts: [target.host] }) })
    const request = {
      target: { endpoint: target.endpoint, transport: 'streamable_http' },
      inputs: {},
      key: 'a-run',
      targetAuthorization: null,
    }
    expect(await execute(request, new AbortController().signal, () => undefined)).toMatchObject({ reason: 'target_unreachable' })
  })

  test('and no result when its run is ended', async () => {
    const ended = new AbortController()
    const intercept = at('tools/list', () => ended.abort(new Error('the run was ended')))
    await expect(run({ intercept, signal: ended.signal })).rejects.toThrow('the run was ended')
  })
})
