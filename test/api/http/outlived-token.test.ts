// A wait that its caller's token does not outlive: each operation with `waitSeconds`, over HTTP and as a tool.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { createToolHandlers } from '../../../api/tools/handlers.ts'
import { operationList } from '../../../schemas/operations/registry.ts'
import { accounts, type Reply, tokenOf } from '../../support/api.ts'
import { eventually } from '../../support/eventually.ts'
import { useApi } from '../support/started.ts'

const WAITING = operationList.filter(({ query }) => query !== undefined && 'waitSeconds' in query.shape)
const SECRET = 'recorded after the end of the token'
const SESSION = 'job-1:0x1111111111111111111111111111111111111111'

let waits = 0
let change = Promise.withResolvers<void>()
/** Answers when the test lets something happen. */
const wait = async () => {
  waits += 1
  await change.promise
  return { status: 200, body: { secret: SECRET } }
}

const api = useApi({
  isLocal: true,
  // The answer of the stand-in is none that the operations declare.
  settings: { NODE_ENV: 'production' },
  handlers: (deps) => ({ ...createToolHandlers(deps), ...Object.fromEntries(WAITING.map(({ id }) => [id, wait])) }),
})
beforeEach(() => {
  waits = 0
  change = Promise.withResolvers()
})
afterEach(() => change.resolve())

const asked: [string, (token: string) => Promise<Reply>][] = [
  ...WAITING.map(({ id, path }): [string, (token: string) => Promise<Reply>] => [
    id,
    (token) => api.call(`${path}?${id === 'pollEvents' ? 'after=1' : `sessionId=${SESSION}`}&waitSeconds=20`, { token }),
  ]),
  [
    'a tool',
    (token) => {
      const params = { name: 'resumeSession', arguments: { sessionId: SESSION, waitSeconds: 20, detail: 'full' } }
      const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
      return api.call('/mcp', { body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, token, headers })
    },
  ],
]

describe.each(asked)('a wait of %s', (_name, ask) => {
  test('shows nothing once its token is revoked, and its answer until then', async () => {
    const [kept, ended] = [await tokenOf(api, accounts.worker), await tokenOf(api, accounts.worker)]
    const [answered, refused] = [ask(kept), ask(ended)]
    await eventually('both wait', () => waits === 2)
    expect((await api.call('/auth/logout', { token: ended, body: {} })).status).toBe(200)
    change.resolve()
    expect((await answered).text).toContain(SECRET)
    const { text } = await refused
    expect(text).not.toContain(SECRET)
    expect(text).toContain('token_revoked')
  })
})

test('the operations that wait are known', () => {
  expect(WAITING.map(({ id }) => id).sort()).toEqual(['getSession', 'getVerificationResult', 'pollEvents'])
})
