// `agent-work mcp` before a service whose sign-in is written here. Its clients and the server of the protocol are the official ones.
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from '@jest/globals'
import { createForwarder } from '../../../client/cli/bridge/forward.ts'
import { createKeyFile } from '../../../client/cli/key/key-file.ts'
import { CLIENT_KINDS, type Connection, connectProgram } from '../../e2e/tools/support/clients.ts'
import { eventually } from '../../support/eventually.ts'
import { type Answered, type BridgeUser, createBridgeUser, type StartedBridge, startBridge } from '../support/bridge-program.ts'
import { json, problem, raw, type Script } from '../support/scripted-service.ts'
import { startToolService, type ToolService } from '../support/tool-service.ts'

const PASSPHRASE = 'a passphrase of this test'
const LIGHT = { n: 2, r: 8, p: 1 }

let service: ToolService
let user: BridgeUser
const bridges: StartedBridge[] = []
const clients: Connection[] = []

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
  for (const bridge of bridges.splice(0)) await bridge.kill('SIGKILL')
  user.remove()
  await service.close()
})

const start = async (scripts: Record<string, Script> = {}): Promise<void> => {
  service = await startToolService(scripts)
  user = createBridgeUser(service.baseUrl)
}
const open = (...args: string[]): StartedBridge => {
  const bridge = startBridge(user.withKey(...args))
  bridges.push(bridge)
  return bridge
}
const CALL = 'tools/call'
const echo = (text: string) => ({ name: 'echo', arguments: { text } })

describe.each(CLIENT_KINDS)('%s over the bridge', (kind) => {
  const connect = async (): Promise<Connection> => {
    const client = await connectProgram(kind, user.withKey())
    clients.push(client)
    return client
  }

  test('lists and calls tools, and gets the error of an unknown one', async () => {
    await start()
    const client = await connect()
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['echo', 'count', 'wait'])
    expect(await client.callTool('echo', { text: 'hällo' })).toMatchObject({ texts: ['hällo'] })
    await expect(client.callTool('nothing')).rejects.toMatchObject({ code: -32_602 })
  })

  test('gets each progress note while the tool still runs', async () => {
    await start()
    const client = await connect()
    const seen: number[] = []
    // The tool goes on only after the client has seen its note.
    service.state.onNote = async (progress) => void (await eventually('the note', () => seen.includes(progress)))
    await client.callTool('count', { to: 3 }, { onprogress: ({ progress }) => seen.push(progress) })
    expect(seen).toEqual([1, 2, 3])
  })

  test('cancels a call, which the tool sees, and goes on', async () => {
    await start()
    const client = await connect()
    const cancellation = new AbortController()
    const call = client.callTool('wait', {}, { signal: cancellation.signal })
    await eventually('the tool', () => service.state.waiting === 1)
    cancellation.abort('enough')
    await expect(call).rejects.toThrow('enough')
    await eventually('the cancelled tool', () => service.state.cancelled === 1)
    expect(await client.callTool('echo', { text: 'next' })).toMatchObject({ texts: ['next'] })
  })

  test('gets 50 calls at once, each with its own answer of 20 kB', async () => {
    await start()
    const client = await connect()
    const texts = Array.from({ length: 50 }, (_, index) => `${100 + index};`)
    const answers = await Promise.all(texts.map((text) => client.callTool('echo', { text, times: 5_000 })))
    expect(answers.map(({ texts: [text] }) => text)).toEqual(texts.map((text) => text.repeat(5_000)))
  })

  test('gets plain words in place of an answer once the owner has revoked the delegate', async () => {
    await start()
    const client = await connect()
    await client.callTool('echo', { text: 'first' })
    service.state.valid = 'none'
    service.state.refusal = { reason: 'capability_grant_revoked' }
    await expect(client.callTool('echo', { text: 'second' })).rejects.toThrow('has revoked the delegate of this program')
    expect(service.state.issued).toBe(service.of('POST /auth/nonce').length)
  })
})

describe('the sign-in', () => {
  test('asks for exactly the options, and the token of the delegate goes with every message', async () => {
    await start()
    const bridge = open('--scopes', 'submit,claim', '--bond-per-day', '2.5', '--jobs-per-day', '1', '--tiers', 'pro,starter', '--days', '3')
    await bridge.request(1, CALL, echo('a'))
    const [asked] = service.of('POST /auth/nonce').map(({ body }) => JSON.parse(body))
    expect(asked).toEqual({
      wallet: user.account.address,
      delegate: {
        name: expect.stringMatching(/^agent-work mcp on \S+$/),
        scopes: ['claim', 'submit'],
        bondPerDayRaw: '2500000',
        jobsPerDay: 1,
        tiers: ['starter', 'pro'],
        days: 3,
      },
    })
    expect(service.of('POST /mcp').map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1'])
    expect(bridge.error()).not.toContain('token-1')
  })

  test.each([
    ['a sign-in of the wallet', (text: string) => text.replace(/\n\nLet .*\n\n/, '\n\nSign in to the service.\n\n')],
    ['a higher bond', (text: string) => text.replace('up to 0 ', 'up to 10 ')],
    ['another scope', (text: string) => text.replace('read, claim', 'read, withdraw, claim')],
    ['a later end', (text: string) => text.replace('until 2030-01-03', 'until 2030-01-04')],
    ['no end', (text: string) => text.replace(/until [^.]*\.000Z/, 'until ever')],
    ['another name', (text: string) => text.replace("Let 'agent-work", "Let 'another agent-work")],
    ['more after the sentence', (text: string) => text.replace('.000Z.\n', '.000Z. And withdraw.\n')],
    ['another service', (text: string) => text.replaceAll('127.0.0.1', 'other.example')],
  ])('signs no text for %s', async (_, bend) => {
    await start()
    const texts: string[][] = []
    service.state.bend = (text) => {
      texts.push([text, bend(text)])
      return bend(text)
    }
    const bridge = open()
    expect(await bridge.ended()).toBe(1)
    expect(bridge.error().replaceAll(/\s+/g, ' ')).toContain('Nothing was signed.')
    expect(texts).toEqual([[expect.stringContaining("Let 'agent-work mcp on "), expect.any(String)]])
    expect(texts[0]?.[0]).not.toBe(texts[0]?.[1])
    expect(service.of('POST /auth/verify')).toEqual([])
  })

  test('does not use a token of the wallet', async () => {
    await start({ 'POST /auth/verify': (_request, response) => json(response, 200, { token: 'token-of-wallet', tokenKind: 'wallet' }) })
    const bridge = open()
    expect(await bridge.ended()).toBe(1)
    expect(bridge.error()).toContain('a token of the wallet')
  })

  test('opens a keystore file with the passphrase of a file or variable, and asks for none', async () => {
    await start()
    const keystore = join(user.home, 'keystore')
    const passphrase = join(user.home, 'passphrase')
    await createKeyFile(keystore, PASSPHRASE, { cost: LIGHT })
    writeFileSync(passphrase, `${PASSPHRASE}\n`, { mode: 0o600 })
    const startWith = (args: string[], env: Record<string, string>): StartedBridge => {
      const bridge = startBridge(user.program(['--key-file', keystore, ...args], env))
      bridges.push(bridge)
      return bridge
    }
    expect(await startWith(['--passphrase-file', passphrase], {}).request(1, CALL, echo('a'))).toMatchObject({ result: {} })
    expect(await startWith([], { AGENT_WORK_PASSPHRASE: PASSPHRASE }).request(1, CALL, echo('a'))).toMatchObject({ result: {} })
    const without = startWith([], {})
    expect(await without.ended()).toBe(3)
    expect([without.error(), without.lines]).toEqual([expect.stringContaining('this command asks for none'), []])
    const wrong = startWith([], { AGENT_WORK_PASSPHRASE: 'another one' })
    expect(await wrong.ended()).toBe(3)
    expect(wrong.error()).not.toContain('another one')
  })

  test.each([
    ['a key file that does not exist', ['--key-file', '/nowhere/key'], 3],
    ['an unknown scope', ['--scopes', 'read,withdraw'], 2],
    ['too many days', ['--days', '31'], 2],
    ['a bond with a sign', ['--bond-per-day', '-1'], 2],
    ['a bond with more decimal places than the asset', ['--bond-per-day', '0.0000001'], 2],
    ['a token file that does not exist', ['--token-file', '/nowhere/token'], 3],
  ])('with %s ends the command', async (_, args, code) => {
    await start()
    const bridge = startBridge(user.program(args.includes('--key-file') ? args : ['--key-file', user.keyFile, ...args]))
    bridges.push(bridge)
    expect([await bridge.ended(), bridge.lines]).toEqual([code, []])
    expect(service.of('POST /auth/nonce')).toEqual([])
  })
})

describe('a token that has ended', () => {
  test('is replaced once for all messages that wait, and the second time within a minute no more', async () => {
    await start()
    const bridge = open()
    await bridge.request('first', CALL, echo('a'))
    service.state.valid = 'none'
    const many = Array.from({ length: 10 }, (_, index) => bridge.request(index, CALL, echo(`${index}`)))
    expect((await Promise.all(many)).map(({ result }) => result?.content[0].text)).toEqual(many.map((_, index) => `${index}`))
    expect(service.state.issued).toBe(2)
    service.state.valid = 'none'
    const refused = await bridge.request('third', CALL, echo('a'))
    expect(refused.error).toMatchObject({ message: expect.stringContaining('within the last minute'), data: { code: 'not_signed_in' } })
    expect(service.state.issued).toBe(2)
  })

  test.each([
    ['of a refused tool', (id: number, document: object) => ({ id, result: { isError: true, content: [], structuredContent: document } })],
    ['of a resource', (id: number, document: object) => ({ id, error: { code: -32_600, message: 'no', data: document } })],
  ])('is seen in the answer %s, too', async (_, wrap) => {
    const document = { status: 401, code: 'delegate_ended', reason: 'capability_grant_expired' }
    await start({
      tools: ({ body }, response, number) => {
        const { id } = JSON.parse(body) as { id: number }
        json(response, 200, { jsonrpc: '2.0', ...(number === 1 ? wrap(id, document) : { id, result: { number } }) })
      },
    })
    expect(await open().request(7, CALL, echo('a'))).toEqual({ jsonrpc: '2.0', id: 7, result: { number: 2 } })
    expect(service.state.issued).toBe(2)
  })

  test('and a 401 about what a tool was given are two things', async () => {
    const document = { status: 401, code: 'siwe_signature_mismatch' }
    await start({
      tools: ({ body }, response) =>
        json(response, 200, {
          jsonrpc: '2.0',
          id: JSON.parse(body).id,
          result: { isError: true, content: [], structuredContent: document },
        }),
    })
    expect((await open().request(7, CALL, echo('a'))).result.structuredContent).toEqual(document)
    expect(service.state.issued).toBe(1)
  })
})

describe('a token file', () => {
  const withToken = (token: string): { bridge: StartedBridge; file: string } => {
    const file = join(user.home, 'token')
    writeFileSync(file, `${token}\n`, { mode: 0o600 })
    const bridge = startBridge(user.program([], { AGENT_WORK_TOKEN_FILE: file }))
    bridges.push(bridge)
    return { bridge, file }
  }

  test('needs no key, and its token is not ended with the command', async () => {
    await start()
    service.state.valid = 'token-of-file'
    const { bridge } = withToken('token-of-file')
    expect((await bridge.request(1, CALL, echo('a'))).result.content).toEqual([{ type: 'text', text: 'a' }])
    expect(await bridge.end()).toBe(0)
    expect([service.of('POST /auth/nonce'), service.of('POST /auth/logout')]).toEqual([[], []])
  })

  test('with a token that has ended says what to do, and is read again', async () => {
    await start()
    service.state.valid = 'newer-token'
    const { bridge, file } = withToken('token-of-file')
    const { error } = await bridge.request(1, CALL, echo('a'))
    expect(error.message).toMatch(/no longer accepts the token of .*agent-work delegate create/)
    expect(error.message).not.toContain('token-of-file')
    writeFileSync(file, 'newer-token')
    expect((await bridge.request(2, CALL, echo('b'))).result.content).toEqual([{ type: 'text', text: 'b' }])
  })

  test('that others can read is named', async () => {
    await start()
    const file = join(user.home, 'token')
    writeFileSync(file, 'token-of-file')
    chmodSync(file, 0o644)
    const bridge = startBridge(user.program(['--token-file', file]))
    bridges.push(bridge)
    expect(await bridge.end()).toBe(0)
    expect(bridge.error()).toContain('Other users can read')
  })
})

describe('the end of the command', () => {
  test.each([
    ['of its input', (bridge: StartedBridge) => bridge.end(), 0],
    ['by SIGTERM', (bridge: StartedBridge) => bridge.kill('SIGTERM'), 143],
  ])('%s ends its delegate', async (_, end, code) => {
    await start()
    const bridge = open()
    await bridge.request(1, CALL, echo('a'))
    expect(await end(bridge)).toBe(code)
    expect(service.of('POST /auth/logout').map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1'])
  })

  test('of its input waits for the answers', async () => {
    await start()
    const bridge = open()
    bridge.send({ jsonrpc: '2.0', id: 1, method: CALL, params: echo('late') })
    expect(await bridge.end()).toBe(0)
    expect(bridge.lines).toMatchObject([{ id: 1, result: { content: [{ text: 'late' }] } }])
  })

  test('by SIGTERM aborts a call that runs', async () => {
    await start()
    const bridge = open()
    bridge.send({ jsonrpc: '2.0', id: 1, method: CALL, params: { name: 'wait', arguments: {} } })
    await eventually('the tool', () => service.state.waiting === 1)
    expect(await bridge.kill('SIGTERM')).toBe(143)
    await eventually('the cancelled tool', () => service.state.cancelled === 1)
    expect(bridge.lines).toEqual([])
  })
})

describe('a line', () => {
  test.each<[string, string | Buffer, number]>([
    ['that is not JSON', '{"jsonrpc"\n', -32_700],
    ['that is not UTF-8', Buffer.from([0x22, 0xff, 0x22, 0x0a]), -32_700],
    ['with a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n', -32_600],
    ['with a text', '"ping"\n', -32_600],
    ['of 17 MB', `"${'x'.repeat(17 * 1024 * 1024)}"\n`, -32_700],
  ])('%s is refused by itself, and the next one is answered', async (_, line, code) => {
    await start()
    const bridge = open()
    bridge.send(line)
    expect(await bridge.read(1)).toMatchObject([{ jsonrpc: '2.0', id: null, error: { code } }])
    expect((await bridge.request(2, CALL, echo('next'))).result.content).toEqual([{ type: 'text', text: 'next' }])
    expect(service.of('POST /mcp')).toHaveLength(1)
  })

  test('goes on byte for byte, with its headers, and empty ones are left out', async () => {
    await start()
    const bridge = open()
    const meta = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'
    const line = (id: number, name: string) =>
      `{"jsonrpc":"2.0", "id":${id}, "method":"${CALL}","params":{"name":"${name}",${meta},"n":1e400}}`
    bridge.send(`\n  \n${line(1, 'echo')}\r\n${line(2, 'ö')}\n${line(3, ' a')}\n`)
    await bridge.read(3)
    const sent = service.of('POST /mcp').sort((one, other) => one.body.localeCompare(other.body))
    expect(sent.map(({ body }) => body.trimEnd())).toEqual([line(1, 'echo'), line(2, 'ö'), line(3, ' a')])
    expect(sent.map(({ headers }) => [headers['mcp-protocol-version'], headers['mcp-method'], headers['mcp-name']])).toEqual([
      ['2026-07-28', CALL, 'echo'],
      ['2026-07-28', CALL, '=?base64?w7Y=?='],
      ['2026-07-28', CALL, '=?base64?IGE=?='],
    ])
  })
})

describe('an answer', () => {
  const BIG = 'x'.repeat(1024 * 1024)

  test.each<[string, Script]>([
    [
      'as JSON of 1 MB on several lines',
      (_request, response) => raw(response, 200, `{\n"jsonrpc":"2.0",\r\n"id":1,\n"result":{"big":"${BIG}"}}`),
    ],
    [
      'as a stream with 1 MB',
      (_request, response) => raw(response, 200, `data: {"jsonrpc":"2.0","id":1,"result":{"big":"${BIG}"}}\n\n`, 'text/event-stream'),
    ],
  ])('%s is one line', async (_, tools) => {
    await start({ tools })
    const bridge = open()
    expect((await bridge.request(1, 'any')).result.big).toHaveLength(BIG.length)
    expect(bridge.lines).toHaveLength(1)
  })

  test.each<[string, Script, object]>([
    [
      'a problem document',
      (_request, response) => problem(response, 413, 'body_too_large'),
      { code: -32_000, data: { code: 'body_too_large' } },
    ],
    [
      'an error without an id',
      (_request, response) => json(response, 400, { jsonrpc: '2.0', id: null, error: { code: -32_020, message: 'mismatch' } }),
      { code: -32_020, message: 'mismatch' },
    ],
    ['a page', (_request, response) => raw(response, 200, '<html>', 'text/html'), { message: expect.stringContaining('not the service') }],
    [
      'a stream without a result',
      (_request, response) => raw(response, 200, ': on\n\n', 'text/event-stream'),
      { message: expect.stringContaining('without a result') },
    ],
    [
      'a stream that breaks off',
      (_request, response) =>
        void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': on\n\n', () => response.destroy()),
      { message: expect.stringContaining('broke off') },
    ],
    [
      'an answer that breaks off',
      (_request, response) => void response.writeHead(200, { 'content-length': '9' }).write('{', () => response.destroy()),
      { message: expect.stringContaining('broke off') },
    ],
    ['no answer', (_request, response) => void response.destroy(), { message: expect.stringContaining('cannot be reached') }],
    [
      'a redirect',
      (_request, response) => void response.writeHead(307, { location: '/elsewhere' }).end(),
      { message: expect.stringContaining('cannot be reached') },
    ],
  ])('that is %s gives an error with the id of its message', async (_, tools, error) => {
    await start({ tools })
    expect(await open().request(1, 'any')).toMatchObject({ jsonrpc: '2.0', id: 1, error })
    expect(service.received.filter(({ url }) => url === '/elsewhere')).toEqual([])
  })
})

describe('a result of a stream', () => {
  const forwarded = async (name: string, sent: object) => {
    await start()
    service.state.valid = 'token-of-test'
    const lines: Answered[] = []
    const { promise: read, resolve: markRead } = Promise.withResolvers<void>()
    let pauses = 0
    const forward = createForwarder({
      url: `${service.baseUrl}/mcp`,
      tokens: { current: async () => 'token-of-test', replace: () => Promise.reject(new Error('no other')), end: async () => undefined },
      write: (line) => lines.push(JSON.parse(line) as Answered),
      note: () => undefined,
      pause: () => {
        pauses += 1
        return read
      },
    })
    const params = { name, arguments: sent, _meta: { progressToken: 1 } }
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: CALL, params })
    const done = forward({ text, id: 1, method: CALL, params }, new AbortController().signal)
    return { lines, done, markRead, pauses: () => pauses }
  }

  test('waits until the client has read the notes before it', async () => {
    const { lines, done, markRead, pauses } = await forwarded('count', { to: 2 })
    await eventually('the pause', () => pauses() === 1)
    expect(lines.map(({ params }) => params?.progress)).toEqual([1, 2])
    markRead()
    await done
    expect(lines.map(({ id }) => id)).toEqual([undefined, undefined, 1])
  })

  test('without a note before it goes out at once', async () => {
    const { lines, done, pauses } = await forwarded('echo', { text: 'a' })
    await done
    expect([lines.length, pauses()]).toEqual([1, 0])
  })
})

test('a service that is away gives errors, and the message after its return an answer', async () => {
  await start()
  const { port } = new URL(service.baseUrl)
  await service.close()
  const bridge = open()
  const away = await bridge.request(1, CALL, echo('a'))
  expect(away.error.message).toContain('The service cannot be reached')
  expect(bridge.error()).toContain('Not signed in yet')
  service = await startToolService({}, Number(port))
  expect((await bridge.request(2, CALL, echo('b'))).result.content).toEqual([{ type: 'text', text: 'b' }])
})

test('a client of 2025 gets the revision that it agreed on in the header of each later message', async () => {
  await start({
    tools: ({ body }, response) => {
      const { id, method } = JSON.parse(body)
      if (id === undefined) void response.writeHead(202).end()
      else json(response, 200, { jsonrpc: '2.0', id, result: method === 'initialize' ? { protocolVersion: '2025-06-18' } : {} })
    },
  })
  const bridge = open()
  await bridge.request(1, 'initialize', { protocolVersion: '2025-11-25' })
  bridge.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  await bridge.request(2, 'tools/list')
  const revisions = service.of('POST /mcp').map(({ headers }) => headers['mcp-protocol-version'])
  expect(revisions).toEqual([undefined, '2025-06-18', '2025-06-18'])
})
