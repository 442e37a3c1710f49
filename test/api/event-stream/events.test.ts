import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { sql } from 'kysely'
import { emit, type NewEvent } from '../../../activities/events/outbox.ts'
import { relayEvents } from '../../../activities/events/relay.ts'
import type { ApiDeps } from '../../../api/deps.ts'
import { createEventHandlers } from '../../../api/event-stream/handlers.ts'
import { createEventHub } from '../../../api/event-stream/hub.ts'
import { streamEvents } from '../../../schemas/event-stream/operations.ts'
import { readSettings } from '../../../schemas/settings.ts'
import { type Api, accounts, type Reply, startApi, tokenOf } from '../../support/api.ts'
import { createTestDatabase } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'
import { useStarted } from '../../support/started.ts'
import { inputOf } from '../support/account-world.ts'
import { openStream, type StreamInit } from '../support/event-stream.ts'

const DAY_MS = 86_400_000
const WORKER = accounts.worker.address.toLowerCase()
const OTHER = accounts.other.address.toLowerCase()

let tokens: Record<'worker' | 'other' | 'admin', string>

const startProcesses = async () => {
  const { url: databaseUrl, drop } = await createTestDatabase()
  const settings = {
    EVENT_PING_SECONDS: '0.3',
    EVENT_STREAMS_PER_WALLET: '3',
    RATE_LIMITS: '{"events":{"limit":9999},"events_poll":{"limit":9999}}',
  }
  const [one, two] = await Promise.all([startApi({ databaseUrl, settings }), startApi({ databaseUrl, settings })])
  return { one, two, database: one.deps.database, databaseUrl, drop }
}
/** Two processes with one database. */
const processes = useStarted(startProcesses, async ({ one, two, drop }) => {
  await Promise.all([one.close(), two.close()])
  await drop()
})
const database = () => processes.database
const api = (place = 0): Api => (place === 0 ? processes.one : processes.two)
beforeAll(async () => {
  const [worker, other, admin] = await Promise.all([
    tokenOf(api(), accounts.worker),
    tokenOf(api(), accounts.other),
    tokenOf(api(), accounts.admin),
  ])
  tokens = { worker, other, admin }
  await relayAll()
})
const relayAll = async (): Promise<void> => {
  while ((await relayEvents(database())) > 0);
}

const event = (more: Partial<NewEvent> = {}): NewEvent => ({
  topic: 'session.claimed',
  wallets: [WORKER],
  at: Date.now(),
  data: {},
  ...more,
})
const write = async (...events: NewEvent[]): Promise<void> => {
  await database().transaction((rows) => emit(rows, ...events))
  await relayAll()
}

let opened: Awaited<ReturnType<typeof openStream>>[] = []
afterEach(async () => {
  await Promise.all(opened.map((stream) => stream.cut()))
  opened = []
})
const stream = async (query = '', init: StreamInit = {}, place = 0) => {
  const one = await openStream(`${api(place).url}/events${query}`, { token: tokens.worker, ...init })
  opened.push(one)
  return one
}
const poll = (query: string, token = tokens.worker) => api().call(`/events/poll${query}`, { token })
const namesOf = (events: readonly { data: { data: { name?: string } } }[]) => events.map(({ data }) => data.data.name)
/** Two events that are too old to be kept, and one that is not. */
const writeOldAndKept = () => write(...['old', 'older'].map((name) => named(name, { at: Date.now() - 31 * DAY_MS })), named('kept'))
const named = (name: string, more: Partial<NewEvent> = {}) => event({ ...more, data: { name } })

beforeEach(async () => void (await sql`truncate event`.execute(database().rows)))

describe('a stream of events', () => {
  test('begins with the last events and continues with new ones, in order and as described', async () => {
    await write(named('one'), named('two'), named('three'))
    const reader = await stream('?limit=2')
    expect(reader.response.status).toBe(200)
    expect(Object.fromEntries(reader.response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
    await reader.until(() => reader.events().length === 2)
    expect(reader.frames[0]?.comment).toBe('connected')
    const facts = { jobId: 'job-1', sessionId: 'session-1', txHash: '0xaa' }
    await write(named('four', { ...facts, blockNumber: 7n }))
    await reader.until(() => reader.events().length === 3)
    expect(namesOf(reader.events())).toEqual(['two', 'three', 'four'])
    expect(reader.events()[2]).toMatchObject({
      topic: 'session.claimed',
      data: { type: 'event_bus', wallet: WORKER, correlationId: 'session-1', ...facts, blockNumber: '7' },
    })
    expect(reader.events()[2]?.id).toBe(reader.events()[2]?.data.id)
  })

  test('continues after the last event that the reader has, by header or query, on another process', async () => {
    await write(named('one'), named('two'), named('three'))
    const first = await stream('?limit=1')
    await first.until(() => first.events().length === 1)
    const id = String(Number(first.events()[0]?.id) - 1)
    for (const [query, init] of [
      ['', { lastEventId: id }],
      [`?lastEventId=${id}`, {}],
    ] as const) {
      const next = await stream(query, init, 1)
      await next.until(() => next.events().length === 1)
      expect(namesOf(next.events())).toEqual(['three'])
    }
  })

  test('gives a reader without an event all of them, also where numbers are not in the order of time', async () => {
    const now = Date.now()
    await write(named('one', { at: now }), named('two', { at: now - 5_000 }), named('three', { at: now - 1 }))
    const reader = await stream('', { lastEventId: '0' })
    await reader.until(() => reader.events().length > 0)
    expect(namesOf(reader.events())).toEqual(['one', 'two', 'three'])
    expect(reader.frames.map(({ topic }) => topic)).not.toContain('gap')
  })

  test.each([
    ['that are no longer kept', async () => firstNumber()],
    ['of other records', async () => '999999'],
  ])('reports a gap for events %s, and continues with those it has', async (_why, lastEventId) => {
    await writeOldAndKept()
    const reader = await stream('', { lastEventId: await lastEventId() })
    await reader.until(() => reader.events().length === 1)
    expect(reader.frames[1]).toMatchObject({ topic: 'gap', data: { topic: 'gap' } })
    expect(namesOf(reader.events())).toEqual(['kept'])
  })

  test.each([
    ['jobId=job-1', ['a']],
    ['sessionId=session-2', ['b']],
    ['topics=session.submitted,session.expired', ['b', 'c']],
    ['sources=chain', ['d']],
    ['severities=warn', ['c']],
    ['correlationId=corr-1', ['d']],
    ['jobId=job-9', []],
  ])('shows only what the filter %s lets through, from the records and live', async (query, expected) => {
    const events = [
      named('a', { jobId: 'job-1' }),
      named('b', { sessionId: 'session-2', topic: 'session.submitted' }),
      named('c', { topic: 'session.expired', severity: 'warn' }),
      named('d', { topic: 'escrow.job_funded', correlationId: 'corr-1' }),
    ]
    await write(...events)
    const reader = await stream(`?${query}`)
    await write(...events, named('last', { topic: 'session.closed', jobId: 'job-1', sessionId: 'session-2' }))
    const twice = [...expected, ...expected]
    await reader.until(() => reader.events().filter(({ data }) => data.data.name !== 'last').length === twice.length)
    expect(namesOf(reader.events()).filter((name) => name !== 'last')).toEqual(twice)
  })

  test('of another wallet, or of all without the right, shows nothing', async () => {
    await write(named('mine'), named('theirs', { wallets: [OTHER] }))
    const reader = await stream('', { token: tokens.other })
    await write(named('mine'), named('theirs', { wallets: [OTHER] }))
    await reader.until(() => reader.events().length === 2)
    expect(namesOf(reader.events())).toEqual(['theirs', 'theirs'])
    const all = await stream('?scope=all')
    expect([all.response.status, all.response.headers.get('content-type')]).toEqual([403, 'application/problem+json'])
    const operator = await stream('?scope=all', { token: tokens.admin })
    await operator.until(() => operator.events().length === 4)
  })

  test('takes its token from the query, which no other route does, and logs it nowhere', async () => {
    const reader = await openStream(`${api().url}/events?token=${tokens.worker}`)
    opened.push(reader)
    await reader.until(() => reader.frames.length > 0)
    expect([reader.response.status, reader.response.headers.get('ignored-query')]).toEqual([200, null])
    expect((await api().call(`/events/poll?token=${tokens.worker}`)).status).toBe(401)
    expect((await api().call('/events?token=nonsense')).status).toBe(401)
    expect(api().log.join('')).not.toContain(tokens.worker)
  })

  test('ends at the next comment when its token is revoked', async () => {
    const token = await tokenOf(api(), accounts.worker)
    const reader = await stream('', { token })
    await reader.until(() => reader.frames.some(({ comment }) => comment === 'ping'))
    expect((await api(1).call('/auth/logout', { token, body: {} })).status).toBe(200)
    await reader.ended
    expect(reader.frames.at(-1)).toMatchObject({ topic: 'auth_expired', data: { code: 'token_revoked' } })
  })

  test('is refused when the wallet has too many, and admitted when one has ended', async () => {
    const three = await Promise.all([stream(), stream(), stream()])
    const fourth = await api().call('/events', { token: tokens.worker })
    expect([fourth.status, fourth.body.code, fourth.body.reason]).toEqual([503, 'too_many_waits', 'wallet'])
    await three[0]?.cut()
    await eventually('a place is free', async () => (await stream()).response.status === 200)
  })

  test.each<[string, string[], string]>([
    ['IPv4', ['198.51.100.7', '::ffff:198.51.100.7', '198.51.100.7:4711'], '198.51.100.8'],
    ['IPv6, by its /64', ['2001:db8:0:1::7', '2001:db8:0:1:ffff::8', '[2001:db8:0:1::9]:4711'], '2001:db8:0:2::7'],
  ])('is refused when an address has too many, of whatever wallets, and counts waiting polls too: %s', async (_kind, same, another) => {
    const settings = { EVENT_STREAMS_PER_ADDRESS: '2', TRUSTED_PROXIES: '1' }
    const behind = await startApi({ databaseUrl: processes.databaseUrl, settings })
    const [first, second] = [await tokenOf(behind, accounts.worker), await tokenOf(behind, accounts.other)]
    const open = async (token: string, from = '') => {
      const one = await openStream(`${behind.url}/events`, { token, from })
      opened.push(one)
      return one.response.status
    }
    try {
      expect([await open(first, same[0]), await open(second, same[1])]).toEqual([200, 200])
      const headers = { 'x-forwarded-for': same[2] ?? '' }
      for (const token of [first, second])
        for (const path of ['/events', '/events/poll?after=0&waitSeconds=1']) {
          const refused = await behind.call(path, { token, headers })
          expect([refused.status, refused.body.code, refused.body.reason]).toEqual([503, 'too_many_waits', 'address'])
        }
      expect(await open(first, another)).toBe(200)
    } finally {
      await Promise.all(opened.splice(0).map((one) => one.cut()))
      await behind.close()
    }
  })

  test('loses nothing when its reader is slow, and nothing when the notifications are cut', async () => {
    const socket = connect(api().port, '127.0.0.1')
    socket.write(`GET /events HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${tokens.worker}\r\n\r\n`)
    await once(socket, 'data')
    socket.pause()
    const fast = await stream('', {}, 1)
    const filler = 'x'.repeat(2_000)
    for (let batch = 0; batch < 12; batch += 1) {
      await write(...Array.from({ length: 250 }, (_, place) => event({ data: { place: batch * 250 + place, filler } })))
      if (batch % 4 === 0)
        await sql`select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%' and datname = current_database()`.execute(
          database().rows,
        )
    }
    await fast.until(() => fast.events().length === 3_000)
    expect(fast.events().map(({ data }) => data.data.place)).toEqual(Array.from({ length: 3_000 }, (_, place) => place))
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.resume()
    await eventually('the last event', () => text.includes('"place":2999,'))
    const places = [...text.matchAll(/"place":(\d+),/g)].map(([, place]) => Number(place))
    expect(places).toEqual(Array.from({ length: 3_000 }, (_, place) => place))
    socket.destroy()
  })

  test('refuses bad input as a problem', async () => {
    const refused = async (query: string, headers = {}) => (await api().call(`/events${query}`, { token: tokens.worker, headers })).status
    for (const query of ['?limit=0', '?lastEventId=x', '?scope=everything']) expect([query, await refused(query)]).toEqual([query, 400])
    expect(await refused('', { 'last-event-id': 'x' })).toBe(400)
    expect((await api().call('/events', { method: 'HEAD', token: tokens.worker })).status).toBe(200)
  })
})

const firstNumber = async (): Promise<string> => {
  const { rows } = await sql<{ seq: string }>`select min(seq) as seq from event`.execute(database().rows)
  return String(rows[0]?.seq)
}

test('a client that leaves before its stream begins keeps no place', async () => {
  const settings = readSettings({ DATABASE_URL: 'unused', CHAIN_FILE: 'unused', EVENT_STREAMS_PER_WALLET: '1' })
  const events = createEventHub({ database: database(), logger: { warn: () => undefined } })
  const { streamEvents: open } = createEventHandlers({ database: database(), settings, events, clock: { now: Date.now } } as ApiDeps)
  const ask = (signal: AbortSignal) => {
    const input = inputOf(streamEvents, { wallet: WORKER as `0x${string}` })
    return open({ ...input, request: { ...input.request, signal, lastEventId: null } })
  }
  for (let left = 0; left < 3; left += 1) expect((await ask(AbortSignal.abort())).status).toBe(200)
  expect((await ask(new AbortController().signal)).status).toBe(200)
  await expect(ask(new AbortController().signal)).rejects.toMatchObject({ code: 'too_many_waits' })
})

describe('a poll of events', () => {
  const polled = ({ body }: Reply): string[] => body.events.map(({ data }: { data: { name: string } }) => data.name)

  test('gives pages after an id, and waits for the next event', async () => {
    await write(named('one'), named('theirs', { wallets: [OTHER] }), named('two'), named('three'))
    const first = await poll('?limit=2')
    expect(polled(first)).toEqual(['two', 'three'])
    const page = await poll(`?after=${Number(await firstNumber()) - 1}&limit=2`)
    expect(polled(page)).toEqual(['one', 'two'])
    const { events } = api().deps
    const subscribe = events.subscribe
    const waits: Promise<string>[] = []
    const spy = jest.spyOn(events, 'subscribe').mockImplementation(async (filter) => {
      const subscription = await subscribe(filter)
      const next = (ms: number) => {
        const ended = subscription.next(ms)
        waits.push(ended)
        return ended
      }
      return { ...subscription, next }
    })
    const waiting = poll(`?after=${first.body.lastEventId}&waitSeconds=10`)
    await eventually('the poll waits', () => waits.length === 1)
    await write(named('theirs', { wallets: [OTHER] }))
    await write(named('four'))
    const answer = await waiting
    spy.mockRestore()
    expect(await waits[0]).toBe('event')
    expect(polled(answer)).toEqual(['four'])
    const { lastEventId } = answer.body
    expect((await poll(`?after=${lastEventId}&waitSeconds=1`)).body).toEqual({ events: [], lastEventId, gap: false })
  })

  test('shows nothing that was recorded after its token was revoked', async () => {
    const token = await tokenOf(api(), accounts.worker)
    const { body } = await poll('', token)
    const subscribe = jest.spyOn(api().deps.events, 'subscribe')
    const waiting = poll(`?after=${body.lastEventId}&waitSeconds=10`, token)
    await eventually('the poll waits', () => subscribe.mock.calls.length === 1)
    subscribe.mockRestore()
    expect((await api(1).call('/auth/logout', { token, body: {} })).status).toBe(200)
    await write(named('after the logout'))
    const { status, text } = await waiting
    expect([status, text]).toEqual([401, expect.stringContaining('token_revoked')])
    expect(text).not.toContain('after the logout')
  })

  test('reports lost events', async () => {
    await writeOldAndKept()
    const { body } = await poll(`?after=${await firstNumber()}`)
    expect([body.gap, body.events.length]).toEqual([true, 1])
    expect((await poll(`?after=${body.lastEventId}`)).body).toMatchObject({ gap: false, events: [] })
  })
})
