import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, test } from '@jest/globals'
import { createClient } from '../../client/src/client.ts'
import { isProblem } from '../../client/src/problems.ts'
import { type Frame, readFrames } from '../../client/src/sse.ts'
import { createTransport } from '../../client/src/transport.ts'
import type { ClientOptions } from '../../client/src/types.ts'
import { WATCH_TIMES, type WatchTimes, watchSession } from '../../client/src/watch.ts'
import { eventually } from '../support/eventually.ts'
import { json, problem, type Script, type ScriptedService, startScriptedService } from './support/scripted-service.ts'

const TEXT = [
  ': connected\n\n',
  'id: 7\nevent: session.claimed\ndata: {"id":"7","text":"é → 😀"}\n\n',
  'data: first\r\ndata:second\r\n\r\n',
  ': ping\r\r',
  'event: empty\n\n',
  'id\nretry: 5\ndata\n\n',
  'event: unfinished\ndata: lost',
].join('')
const FRAMES: Frame[] = [
  {},
  { id: '7', event: 'session.claimed', data: '{"id":"7","text":"é → 😀"}' },
  { id: undefined, event: undefined, data: 'first\nsecond' },
  {},
  { id: '', event: undefined, data: '' },
]

const BYTES = new TextEncoder().encode(TEXT)

const framesOf = async (...chunks: Uint8Array[]): Promise<Frame[]> => {
  const frames: Frame[] = []
  for await (const frame of readFrames(ReadableStream.from(chunks) as ReadableStream<Uint8Array>)) frames.push(frame)
  return frames
}

describe('the reader of server-sent events', () => {
  test('gives the same frames for bytes cut at every place', async () => {
    for (let cut = 0; cut <= BYTES.length; cut += 1) expect(await framesOf(BYTES.subarray(0, cut), BYTES.subarray(cut))).toEqual(FRAMES)
  })

  test('gives the same frames for bytes one by one, within characters too', async () => {
    expect(await framesOf(...[...BYTES].map((byte) => Uint8Array.of(byte)))).toEqual(FRAMES)
  })

  test.each<[string, string]>([
    ['a line', 'a'.repeat(100_000)],
    ['a frame of many lines', `data: ${'a'.repeat(99_990)}\n`],
  ])('refuses %s above a megabyte', async (_what, piece) => {
    const pieces = (count: number) => framesOf(...Array.from({ length: count }, () => new TextEncoder().encode(piece)))
    await expect(pieces(9)).resolves.toEqual([])
    await expect(pieces(11)).rejects.toThrow('a line or an event of the stream is longer than 1000000 characters')
  })
})

let service: ScriptedService | undefined
afterEach(async () => {
  await service?.close()
  service = undefined
})

const open = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  response.write(': connected\n\n')
}
const event = (id: number): string =>
  `id: ${id}\nevent: session.claimed\ndata: ${JSON.stringify({ type: 'event_bus', id: String(id), topic: 'session.claimed' })}\n\n`

const start = async (scripts: Record<string, Script>) => {
  service = await startScriptedService(scripts)
  return { service, client: createClient({ baseUrl: service.baseUrl, token: 'token' }) }
}

describe('streamEvents', () => {
  test('opens a new stream when one ends, continues after the last event, and reports a gap', async () => {
    const { client, service } = await start({
      'GET /events': (_request, response, number) => {
        if (number === 2) return problem(response, 503, 'service_starting', { retryable: true })
        open(response)
        if (number === 1) response.end(event(1) + event(2) + event(3).slice(0, 20))
        else response.write(`event: gap\ndata: {"topic":"gap","lastDelivered":"2"}\n\n${event(9)}`)
        return undefined
      },
    })
    const got: string[] = []
    for await (const item of client.streamEvents({ topics: 'session.claimed', limit: 5 })) {
      got.push(item.kind === 'gap' ? `gap after ${item.lastDelivered}` : item.event.id)
      if (got.length === 4) break
    }
    expect(got).toEqual(['1', '2', 'gap after 2', '9'])
    expect(service.received.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '2', '2'])
    expect(service.received.map(({ url }) => url)).toEqual(Array(3).fill('/events?topics=session.claimed&limit=5'))
  })

  test('begins after the event that the caller names, and ends with a refusal', async () => {
    const { client, service } = await start({ 'GET /events': (_request, response) => problem(response, 403, 'missing_capability') })
    const read = client.streamEvents({ lastEventId: 5n }).next()
    expect(isProblem(await read.catch((error: unknown) => error), 'missing_capability')).toBe(true)
    expect(service.received[0]?.headers['last-event-id']).toBe('5')
  })

  test('ends with an error, and does not open the stream again, when a line is above a megabyte', async () => {
    const { client, service } = await start({
      'GET /events': (_request, response) => {
        open(response)
        response.write(`${event(1)}data: ${'a'.repeat(1_100_000)}`)
      },
    })
    const items = client.streamEvents()
    expect((await items.next()).value).toMatchObject({ kind: 'event' })
    const error = await items.next().catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'UnexpectedAnswer', status: 200, path: '/events' })
    expect(String(error)).toContain('longer than 1000000 characters')
    expect(String(error).length).toBeLessThan(500)
    expect(service.received).toHaveLength(1)
  })

  test('ends at once when its signal aborts', async () => {
    const { client, service } = await start({ 'GET /events': (_request, response) => open(response) })
    const controller = new AbortController()
    const read = client.streamEvents({}, { signal: controller.signal }).next()
    await eventually('the stream is open', () => service.received.length > 0)
    controller.abort(new Error('enough'))
    expect(await read.catch((error: unknown) => error)).toMatchObject({ message: 'enough' })
  })
})

const SESSION_ID = 'a:0x1'
const resolved = { sessionId: SESSION_ID, status: 'resolved', lifecycle: { terminal: true } }
const states = {
  pending: { sessionId: SESSION_ID, status: 'pending', stage: 'recording', txHash: null },
  claimed: { sessionId: SESSION_ID, status: 'claimed', lifecycle: { terminal: false } },
  submitted: { sessionId: SESSION_ID, status: 'submitted', lifecycle: { terminal: false } },
  resolved,
}

/** A session whose state the test sets; polls wait for a change. */
const watched = async (stream: Script, times: Partial<WatchTimes> = {}, options: Partial<ClientOptions> = {}) => {
  const session = { state: states.pending as object, reads: 0, waits: 0, failures: 0 }
  const { service } = await start({
    'GET /events': stream,
    'GET /session': async (request, response) => {
      session.reads += 1
      if (session.failures > 0) {
        session.failures -= 1
        response.destroy()
        return
      }
      const before = session.state
      if (request.url.includes('waitSeconds=25')) {
        session.waits += 1
        if (!isOver(before))
          await eventually('the state changes or the caller leaves', () => session.state !== before || response.destroyed)
      }
      json(response, 200, session.state)
    },
  })
  const { baseUrl } = service
  const transport = createTransport({ fetch, timeoutMs: 5_000 })
  const client = createClient({ baseUrl, token: 'token', ...options })
  const watch = (signal?: AbortSignal) =>
    watchSession(
      {
        baseUrl,
        transport,
        maxRetries: 4,
        tokens: { current: async () => 'token', drop: () => undefined, canSignIn: false },
        getSession: (input, inner) => client.getSession(input, { signal: inner }),
        times: { ...WATCH_TIMES, idleMs: 5_000, firstBytesMs: 300, pauseMs: 10, ...times },
      },
      SESSION_ID,
      signal,
    )
  return { session, watch, service }
}
const isOver = (state: object): boolean => state === states.resolved

const collect = async (states: AsyncGenerator<{ status: string }>, onState: (status: string) => void): Promise<string[]> => {
  const seen: string[] = []
  for await (const { status } of states) {
    seen.push(status)
    onState(status)
  }
  return seen
}

describe('watch', () => {
  test('begins with the current state, reads at each event and ends after the terminal state', async () => {
    let stream: ServerResponse | undefined
    const { session, watch, service } = await watched((_request, response) => {
      open(response)
      stream = response
    })
    let id = 0
    const move = (state: object) => {
      session.state = state
      id += 1
      // An event without a change of state shows nothing.
      stream?.write(event(id) + event(id + 100))
    }
    const next: Record<string, object> = { pending: states.claimed, claimed: states.submitted, submitted: states.resolved }
    const seen = await collect(watch(), (status) => {
      // Each move comes when the stream is open; the client has then read the state before.
      if (next[status] !== undefined) void eventually('the stream is open', () => stream !== undefined).then(() => move(next[status] ?? {}))
    })
    expect(seen).toEqual(['pending', 'claimed', 'submitted', 'resolved'])
    expect(session.waits).toBe(0)
    expect(service.of('GET /events')[0]?.url).toBe('/events?sessionId=a%3A0x1&limit=1')
  })

  test('shows a change between its first read and the beginning of the stream', async () => {
    const { session, watch } = await watched((_request, response) => {
      session.state = states.resolved
      open(response)
    })
    expect(await collect(watch(), () => undefined)).toEqual(['pending', 'resolved'])
    // It read once more because the stream began, and not since it was idle.
    expect([session.reads, session.waits]).toEqual([2, 0])
  })

  test('of an ended session shows it once and opens no stream', async () => {
    const { session, watch, service } = await watched((_request, response) => open(response))
    session.state = states.resolved
    expect(await collect(watch(), () => undefined)).toEqual(['resolved'])
    expect(service.received).toHaveLength(1)
  })

  test('survives a service that restarts: the stream breaks, reads fail, another process answers', async () => {
    const { session, watch, service } = await watched((_request, response, number) => {
      open(response)
      if (number === 1) {
        response.write(event(41))
        // The first read, one when the stream begins, and one at the event.
        void eventually('the event was read', () => session.reads >= 3).then(() => {
          session.failures = 2
          response.destroy()
        })
      } else {
        session.state = states.resolved
        response.write(event(42))
      }
    })
    expect(await collect(watch(), () => undefined)).toEqual(['pending', 'resolved'])
    expect(service.of('GET /events').map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '41'])
  })

  test.each<[string, Script]>([
    ['is refused', (_request, response) => problem(response, 403, 'missing_capability')],
    ['has too many readers', (_request, response) => problem(response, 503, 'too_many_waits', { retryable: true })],
    ['does not exist', (_request, response) => problem(response, 404, 'not_found')],
    ['is a page of a proxy', (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hello')],
    ['breaks each time', (_request, response) => void response.destroy()],
    [
      'has a line above a megabyte',
      (_request, response) => {
        open(response)
        response.write(`data: ${'a'.repeat(1_100_000)}`)
      },
    ],
    ['brings no bytes', (_request, response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()],
  ])('polls where the stream %s', async (_what, stream) => {
    const { session, watch } = await watched(stream, { firstBytesMs: 50 })
    const next: Record<string, object> = { pending: states.claimed, claimed: states.resolved }
    const seen = await collect(watch(), (status) => {
      const { waits } = session
      if (next[status] === undefined) return
      void eventually('a poll waits', () => session.waits > waits).then(() => {
        session.state = next[status] ?? {}
      })
    })
    expect(seen).toEqual(['pending', 'claimed', 'resolved'])
    expect(session.waits).toBeGreaterThan(0)
    expect(session.reads).toBeLessThan(15)
  })

  test('opens a stream again that a starting service refuses', async () => {
    const { session, watch, service } = await watched((_request, response, number) => {
      if (number < 3) return problem(response, 503, 'service_starting', { retryable: true })
      open(response)
      session.state = states.resolved
      return undefined
    })
    expect(await collect(watch(), () => undefined)).toEqual(['pending', 'resolved'])
    expect([service.of('GET /events').length, session.waits]).toEqual([3, 0])
  })

  test('closes a stream that brings no bytes before it polls', async () => {
    let isClosed = false
    const silent: Script = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      response.on('close', () => {
        isClosed = true
      })
    }
    const { session, watch } = await watched(silent, { firstBytesMs: 50 })
    const states = watch()
    await states.next()
    const next = states.next()
    await eventually('a poll waits', () => session.waits > 0)
    expect(isClosed).toBe(true)
    session.state = resolved
    expect((await next).value).toMatchObject({ status: 'resolved' })
  })

  test('reads again without an event when the stream has been idle', async () => {
    const { session, watch } = await watched((_request, response) => open(response), { idleMs: 100 })
    const seen = collect(watch(), () => undefined)
    // The first read, and one when the stream begins.
    await eventually('the stream has been idle', () => session.reads > 2)
    session.state = states.resolved
    expect(await seen).toEqual(['pending', 'resolved'])
  })

  test('gives up on a service that has not answered for a long time, and on a session that does not exist', async () => {
    const { session, watch, service } = await watched((_request, response) => open(response), { patienceMs: 0 }, { maxRetries: 1 })
    session.failures = 1_000
    expect(
      await watch()
        .next()
        .catch((error: unknown) => error),
    ).toMatchObject({ name: 'ConnectionError' })
    await service.close()
    const { client } = await start({ 'GET /session': (_request, response) => problem(response, 404, 'session_not_found') })
    const gone = client.watch('b').next()
    expect(isProblem(await gone.catch((error: unknown) => error), 'session_not_found')).toBe(true)
  })

  test('ends at once when its signal aborts, and closes its connection when its reader leaves', async () => {
    let isClosed = false
    const { watch, service } = await watched((_request, response) => {
      open(response)
      response.on('close', () => {
        isClosed = true
      })
    })
    const controller = new AbortController()
    const states = watch(controller.signal)
    expect((await states.next()).value).toMatchObject({ status: 'pending' })
    const second = states.next().catch((error: unknown) => error)
    await eventually('the stream is open', () => service.of('GET /events').length > 0)
    controller.abort(new Error('enough'))
    expect(await second).toMatchObject({ message: 'enough' })
    await eventually('the connection is closed', () => isClosed)
  })
})
