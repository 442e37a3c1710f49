// The end of a token or grant reaches requests that last, in a process that did not end it: streams, held polls, and tool calls that wait.
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { createToolHandlers } from '../../../api/tools/handlers.ts'
import { operationList } from '../../../schemas/operations/registry.ts'
import { type Api, accounts, makePem, type Reply, startApi, tokenOf } from '../../support/api.ts'
import { createTestDatabase } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'
import { openProxy } from '../../support/fleet/proxy.ts'
import { useStarted } from '../../support/started.ts'
import { openStream } from '../support/event-stream.ts'

const WAITING = operationList.filter(({ query }) => query !== undefined && 'waitSeconds' in query.shape)
const SESSION = 'job-1:0x1111111111111111111111111111111111111111'

let waits = 0
/** Waits until its signal alone ends it. */
const waitForEver = async ({ request: { signal } }: { request: { signal: AbortSignal } }) => {
  waits += 1
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  return { status: 200, body: { secret: 'shown after the end' } }
}
const STUBBED = WAITING.filter(({ id }) => id !== 'pollEvents')

const startProcesses = async () => {
  const { url: databaseUrl, drop } = await createTestDatabase()
  const unlimited = ['admin_jobs', 'auth_nonce', 'auth_verify', 'auth_refresh', 'events', 'events_poll'].map((name) => [
    name,
    { limit: 9_999 },
  ])
  const options = {
    databaseUrl,
    isLocal: true,
    // The answer of the stand-in is none that the operations declare.
    settings: {
      NODE_ENV: 'production',
      JWT_KEY: makePem(),
      RATE_LIMITS: JSON.stringify(Object.fromEntries(unlimited)),
    },
    handlers: (deps: Api['deps']) => ({
      ...createToolHandlers(deps),
      ...Object.fromEntries(STUBBED.map(({ id }) => [id, waitForEver])),
    }),
  }
  const [one, two] = await Promise.all([startApi(options), startApi(options)])
  // Without pings nothing but a notification ends a stream.
  two.deps.settings.EVENT_PING_SECONDS = 86_400
  return { one, two, drop }
}
/** Two processes with one database. Tokens end at the first, and requests last at the second. */
const processes = useStarted(startProcesses, async ({ one, two, drop }) => {
  await Promise.all([one.close(), two.close()])
  await drop()
})

let admin: string
beforeAll(async () => {
  admin = await tokenOf(processes.one, accounts.admin)
})
beforeEach(() => {
  waits = 0
})

const post = async (path: string, body: object = {}, token = admin): Promise<Reply['body']> => {
  const reply = await processes.one.call(path, { token, body })
  if (reply.status >= 300) throw new Error(`${path}: ${reply.text}`)
  return reply.body
}
const CAPABILITIES = ['events:read', 'session:read', 'verifier:result:read']

interface Holder {
  token: string
  end: () => Promise<unknown>
  code: string
}
const service = async (): Promise<{ token: string; path: string }> => {
  const { token, grant } = await post('/admin/service-tokens', { subject: accounts.worker.address, capabilities: CAPABILITIES })
  return { token, path: `/admin/service-tokens/${grant.id}` }
}

/** Every way in which a right ends. */
const ends: [string, () => Promise<Holder>][] = [
  [
    'whose service token is revoked',
    async () => {
      const { token, path } = await service()
      return { token, end: () => post(`${path}/revoke`), code: 'missing_capability' }
    },
  ],
  [
    'whose service token is rotated',
    async () => {
      const { token, path } = await service()
      return { token, end: () => post(`${path}/rotate`), code: 'missing_capability' }
    },
  ],
  [
    'whose service token logs out',
    async () => {
      const { token } = await service()
      return { token, end: () => post('/auth/logout', {}, token), code: 'token_revoked' }
    },
  ],
  [
    'whose wallet logs out',
    async () => {
      const token = await tokenOf(processes.one, accounts.worker)
      return { token, end: () => post('/auth/logout', {}, token), code: 'token_revoked' }
    },
  ],
  [
    'whose sign-in its wallet ends from another one',
    async () => {
      const [token, own] = [await tokenOf(processes.one, accounts.worker), await tokenOf(processes.one, accounts.worker)]
      const sessionId = String(decodeJwt(token).sid)
      return { token, end: () => post('/auth/sessions/revoke', { sessionId }, own), code: 'token_revoked' }
    },
  ],
  [
    'whose sign-in ends since an old token is refreshed',
    async () => {
      const old = await tokenOf(processes.one, accounts.worker)
      const { token } = await post('/auth/refresh', {}, old)
      const end = async () => {
        processes.one.clock.at = Date.now() + 31_000
        const { body } = await processes.one.call('/auth/refresh', { token: old, body: {} })
        processes.one.clock.at = null
        expect(body.code).toBe('refresh_reused')
      }
      return { token, end, code: 'token_revoked' }
    },
  ],
  [
    'whose token is exchanged for a new one',
    async () => {
      const token = await tokenOf(processes.one, accounts.worker)
      return { token, end: () => post('/auth/refresh', {}, token), code: 'token_revoked' }
    },
  ],
]

const tool = (token: string): Promise<Reply> => {
  const params = { name: 'resumeSession', arguments: { sessionId: SESSION, waitSeconds: 25 } }
  const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
  return processes.two.call('/mcp', { body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, token, headers })
}

describe.each(ends)('a caller %s', (_how, start) => {
  test('gets nothing from any process with the next request', async () => {
    const { token, end, code } = await start()
    for (const api of [processes.one, processes.two]) expect((await api.call('/events/poll', { token })).status).toBe(200)
    await end()
    for (const api of [processes.two, processes.one]) expect((await api.call('/events/poll', { token })).body.code).toBe(code)
  })

  test('loses an open stream, and others of the wallet keep theirs', async () => {
    const { token, end, code } = await start()
    const kept = await tokenOf(processes.one, accounts.worker)
    const [ended, open] = await Promise.all([token, kept].map((held) => openStream(`${processes.two.url}/events`, { token: held })))
    if (ended === undefined || open === undefined) throw new Error('no stream')
    await Promise.all([ended, open].map((stream) => stream.until(() => stream.frames.length > 0)))
    await end()
    await ended.ended
    expect(ended.frames.at(-1)).toMatchObject({ topic: 'auth_expired', data: { code } })
    expect(open.frames.map(({ comment, topic }) => comment ?? topic)).toEqual(['connected'])
    await open.cut()
  })

  test.each(STUBBED.map(({ path }) => [path]))('loses a wait at %s', async (path) => {
    const { token, end, code } = await start()
    const waiting = processes.two.call(`${path}?sessionId=${SESSION}&waitSeconds=25`, { token })
    await eventually('it waits', () => waits === 1)
    await end()
    const { status, body, text } = await waiting
    expect([status, body.code]).toEqual([code === 'token_revoked' ? 401 : 403, code])
    expect(text).not.toContain('shown after the end')
  })

  test('loses a tool call that waits', async () => {
    const { token, end, code } = await start()
    const waiting = tool(token)
    await eventually('it waits', () => waits === 1)
    await end()
    const { body, text } = await waiting
    expect([body.result.isError, body.result.structuredContent.code]).toEqual([true, code])
    expect(text).not.toContain('shown after the end')
  })
})

/** Polls of the second process that wait for an event. */
const countHeldPolls = () => {
  const { events } = processes.two.deps
  const { subscribe } = events
  const count = { held: 0 }
  events.subscribe = async (filter) => {
    const subscription = await subscribe(filter)
    count.held += 1
    return subscription
  }
  return count
}

test('a held poll of a revoked token ends while one that began before it is still held', async () => {
  const [kept, ended] = [await service(), await service()]
  const { lastEventId } = (await processes.two.call('/events/poll', { token: kept.token })).body
  const path = `/events/poll?after=${lastEventId}&waitSeconds=25`
  const count = countHeldPolls()
  const left = new AbortController()
  let isHeld = true
  const headers = { authorization: `Bearer ${kept.token}` }
  const held = fetch(`${processes.two.url}${path}`, { headers, signal: left.signal })
    .catch(() => null)
    .finally(() => {
      isHeld = false
    })
  await eventually('the first is held', () => count.held === 1)
  const refused = processes.two.call(path, { token: ended.token })
  await eventually('the second is held', () => count.held === 2)
  await post(`${ended.path}/revoke`)
  const { status, body } = await refused
  expect([status, body.code, isHeld]).toEqual([403, 'missing_capability', true])
  left.abort()
  await held
})

test('an end without a notification is seen once the connection for notifications is back', async () => {
  const { token, path } = await service()
  const kept = await openStream(`${processes.two.url}/events`, { token: (await service()).token })
  const stream = await openStream(`${processes.two.url}/events`, { token })
  await Promise.all([kept, stream].map((one) => one.until(() => one.frames.length > 0)))
  const id = path.split('/').at(-1) ?? ''
  await processes.one.deps.database.transaction(async (rows) => {
    await rows.updateTable('capability_grant').set({ revokedAt: Date.now(), revokedBy: 'test' }).where('id', '=', id).execute()
  })
  expect(stream.frames.map(({ topic }) => topic)).not.toContain('auth_expired')
  const cut = sql`select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%' and datname = current_database()`
  await cut.execute(processes.one.deps.database.rows)
  await stream.ended
  expect(stream.frames.at(-1)).toMatchObject({ topic: 'auth_expired', data: { code: 'missing_capability' } })
  expect(kept.frames.map(({ comment, topic }) => comment ?? topic)).toEqual(['connected'])
  await kept.cut()
})

test('of many rotations at two processes one succeeds, and one token works', async () => {
  const { token, path } = await service()
  const id = path.split('/').at(-1) ?? ''
  const { database } = processes.one.deps
  const rotate = (place: number) => [processes.one, processes.two][place % 2]?.call(`${path}/rotate`, { token: admin, body: {} })
  const waiting = sql<{ count: number }>`select count(*)::integer as count from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`
  const started: ReturnType<typeof rotate>[] = []
  // All of them are at the old grant before the first goes on.
  await database.transaction(async (rows) => {
    await rows.selectFrom('capability_grant').select('id').where('id', '=', id).forUpdate().execute()
    for (let place = 0; place < 12; place += 1) started.push(rotate(place))
    await eventually('they wait for the grant', async () => (await waiting.execute(database.rows)).rows[0]?.count === 12)
  })
  const replies = (await Promise.all(started)).filter((reply) => reply !== undefined)
  const codes = replies.map(({ status, body }) => body.code ?? status).sort()
  expect(codes).toEqual([201, ...Array(11).fill('service_token_grant_revoked')])
  const given = replies.find(({ status }) => status === 201)?.body
  expect((await processes.two.call('/events/poll', { token: given.token })).status).toBe(200)
  expect((await processes.two.call('/events/poll', { token })).status).toBe(403)
  const grants = await database.rows.selectFrom('capability_grant').select('id').where('rotatedFrom', '=', id).execute()
  expect(grants).toEqual([{ id: given.grant.id }])
})

test('without the database no token counts', async () => {
  const { token } = await service()
  const wallet = await tokenOf(processes.one, accounts.worker)
  const proxy = await openProxy(processes.one.deps.settings.DATABASE_URL, (near, far) => near.pipe(far).pipe(near))
  const { JWT_KEY } = processes.one.deps.settings
  const apart = await startApi({ databaseUrl: proxy.url, settings: { JWT_KEY: String(JWT_KEY) } })
  try {
    expect((await apart.call('/auth/session', { token })).status).toBe(200)
    proxy.close()
    for (const held of [token, wallet])
      for (const path of ['/auth/session', '/events/poll', '/jobs/tiers']) {
        const { status, body } = await apart.call(path, { token: held })
        expect([path, status, body.code]).toEqual([path, 503, 'state_store_unavailable'])
      }
  } finally {
    proxy.close()
    await apart.close()
  }
})
