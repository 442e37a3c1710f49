import type { RequestListener } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { SourceHttpDeps } from '../../../activities/ingestion/http/http.ts'
import { createSourceMemory } from '../../../activities/ingestion/http/memory.ts'
import { createGuardedFetch } from '../../../activities/outbound/guarded-fetch.ts'
import {
  budgetOf,
  createMemoryState,
  faultOf,
  json,
  NOW,
  PAGE,
  type ScriptedSource,
  sourceHttp,
  startScriptedSource,
} from './support/source-world.ts'

let source: ScriptedSource
beforeAll(async () => {
  source = await startScriptedSource()
})
afterAll(() => source.stop())
beforeEach(() => source.reset())

describe('a request to a source', () => {
  test('names the service, its contact and its library, and carries the token to the origin of the source alone', async () => {
    source.respond = json()
    const http = source.run({ token: { value: 'secret', baseUrl: `${source.url}/api` } })
    await http.getJson(source.ask())
    await http.getJson(source.ask('/page', { url: `${source.url.replace('127.0.0.1', 'localhost')}/page` })).catch(() => undefined)
    expect(source.seen[0]?.headers).toMatchObject({ authorization: 'Bearer secret', 'accept-encoding': 'gzip, deflate, br' })
    expect(source.seen[0]?.headers['user-agent']).toMatch(
      /^agent-work-service\/[\w.-]+ \(https:\/\/work\.example\/contact\) node\/[0-9.]+$/,
    )
    const other = source.host.replace('127.0.0.1', 'localhost')
    const beside = sourceHttp([other], { token: { value: 'secret', baseUrl: source.url } })
    await beside.getJson(source.ask('/page', { url: `http://${other}/page` }))
    expect(source.seen.at(-1)?.headers.authorization).toBeUndefined()
  })

  test('with a value is a POST of JSON', async () => {
    source.respond = (request, response) => {
      response.setHeader('content-type', 'application/json')
      request.pipe(response)
    }
    const { value } = await source.run().getJson(source.ask('/batch', { json: { queries: [{ page_token: 'é' }] } }))
    expect([source.seen[0]?.method, source.seen[0]?.headers['content-type'], value]).toEqual([
      'POST',
      'application/json',
      { queries: [{ page_token: 'é' }] },
    ])
  })

  test('waits until the one before it has ended, also of another run of the source', async () => {
    let open = 0
    let most = 0
    const guarded = createGuardedFetch({ allowedHosts: [source.host] })
    const fetch: typeof guarded = async (request) => {
      open += 1
      most = Math.max(most, open)
      const answer = await guarded(request)
      open -= 1
      return answer
    }
    const memory = createSourceMemory()
    const runs = [source.run({ memory, fetch }), source.run({ memory, fetch })]
    await Promise.all(runs.flatMap((http) => [http.getJson(source.ask()), http.getJson(source.ask())]))
    expect([source.seen.length, most, ...runs.map(({ used }) => used)]).toEqual([4, 1, 2, 2])
  })
})

describe('a wish to wait', () => {
  const at = (seconds: number): string => new Date(NOW + seconds * 1_000).toUTCString()
  const reset = (seconds: number): string => String(NOW / 1_000 + seconds)
  const limited = (seconds: number): unknown[] => ['source_rate_limited', seconds]

  test.each<[string, RequestListener, number]>([
    ['429 in seconds', json({ 'retry-after': '17' }, 429), 17],
    ['429 with a date', json({ 'retry-after': at(90), date: at(0) }, 429), 90],
    ['429 with a date by a clock that is an hour behind', json({ 'retry-after': at(-3_510), date: at(-3_600) }, 429), 90],
    ['429 with a date that has passed', json({ 'retry-after': at(-9), date: at(0) }, 429), 1],
    ['429 without a wish', json({ date: at(0) }, 429), 60],
    ['429 with a wish that is none', json({ 'retry-after': 'soon' }, 429), 60],
    ['429 for a thousand years', json({ 'retry-after': '31536000000' }, 429), 86_400],
    ['503 with a wish', json({ 'retry-after': '5' }, 503), 5],
    ['403 of a spent limit', json({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset(45), date: at(0) }, 403), 45],
    ['403 of a secondary limit in seconds', json({ 'retry-after': '61' }, 403), 61],
    ['403 of a secondary limit by its message', json({}, 403, '{"message":"You have exceeded a secondary rate limit."}'), 60],
    ['200 of MediaWiki that lags, by its header', json({ 'mediawiki-api-error': 'maxlag', 'retry-after': '5' }), 5],
    ['200 of MediaWiki that lags, by its body', json({}, 200, '{"error":{"code":"maxlag","lag":6.1}}'), 60],
  ])('ends the run and holds the next back: %s', async (_kind, answer, seconds) => {
    source.respond = answer
    const state = createMemoryState()
    expect(await faultOf(source.run({ state }).getJson(source.ask()))).toEqual(limited(seconds))
    expect(state.nextAllowedAt).toBe(NOW + seconds * 1_000)
    source.respond = json()
    expect(await faultOf(source.run({ state }).getJson(source.ask()))).toEqual(limited(seconds))
    expect(source.seen).toHaveLength(1)
    expect((await source.run({ state, now: () => NOW + seconds * 1_000 }).getJson(source.ask())).answer.status).toBe(200)
  })

  test.each<[string, Record<string, string>, number]>([
    ['a limit that it has spent', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset(30), date: at(0) }, 30],
    ['an interval of polls', { 'x-poll-interval': '120' }, 120],
    ['seconds', { 'retry-after': '3' }, 3],
  ])('beside an answer holds only the next request back: %s', async (_kind, headers, seconds) => {
    source.respond = json(headers)
    const http = source.run()
    expect((await http.getJson(source.ask())).value).toEqual(JSON.parse(PAGE))
    expect(await faultOf(http.getJson(source.ask()))).toEqual(limited(seconds))
    expect([source.seen.length, http.used]).toEqual([1, 1])
  })

  test('is none where the limit is not spent', async () => {
    source.respond = json({ 'x-ratelimit-remaining': '4999', 'x-ratelimit-reset': reset(30) })
    const state = createMemoryState()
    await source.run({ state }).getJson(source.ask())
    expect(state.nextAllowedAt).toBeNull()
  })
})

describe('a refusal of a source', () => {
  test.each([400, 401, 403, 404, 410, 422, 451])('%i ends the request without a repeat', async (status) => {
    source.respond = json({}, status, '{"message":"no"}')
    expect(await faultOf(source.run().getJson(source.ask()))).toEqual(['source_refused'])
    expect(source.seen).toHaveLength(1)
  })

  test.each([204, 206, 304])('%i is no answer', async (status) => {
    source.respond = json({}, status)
    expect(await faultOf(source.run().getJson(source.ask()))).toEqual(['source_unreadable'])
  })

  test('that the request accepts is an answer', async () => {
    source.respond = json({ 'content-type': 'text/html' }, 404, '<p>none</p>')
    expect(await source.run().getJson(source.ask('/page', { accept: [404] }))).toMatchObject({ value: null, answer: { status: 404 } })
    expect(await source.run().get(source.ask('/page', { accept: [404], types: ['text/plain'] }))).toMatchObject({ status: 404 })
  })
})

describe('a transient fault of a source', () => {
  const cut: RequestListener = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(PAGE.length) })
    response.write(PAGE.slice(0, 10), () => response.destroy())
  }
  const failing = (times: number, fault: RequestListener): RequestListener => {
    let left = times
    return (request, response) => {
      left -= 1
      if (left >= 0) fault(request, response)
      else json()(request, response)
    }
  }

  test.each<[string, RequestListener]>([
    ['status 500', json({}, 500)],
    ['status 503', json({}, 503)],
    ['a connection that is cut in the middle', cut],
    ['a connection that is cut before the answer', (request) => request.socket.destroy()],
  ])('is tried twice more, later each time: %s', async (_kind, fault) => {
    const pauses: number[] = []
    const sleep = async (ms: number) => pauses.push(ms)
    source.respond = failing(2, fault)
    const http = source.run({ sleep, random: () => 0.5 })
    expect((await http.getJson(source.ask())).value).toEqual(JSON.parse(PAGE))
    expect([http.used, pauses]).toEqual([3, [188, 375]])
    source.respond = failing(3, fault)
    const other = source.run({ sleep })
    expect([await faultOf(other.getJson(source.ask())), other.used]).toEqual([['source_unreadable'], 3])
  })

  test('is tried no more once the time limit or the budget ends', async () => {
    source.respond = json({}, 500)
    const cases: Partial<SourceHttpDeps>[] = [{ timeoutMs: 100 }, { budget: budgetOf(1) }, { budget: budgetOf(5, 4) }]
    for (const change of cases) {
      source.seen = []
      expect(await faultOf(source.run(change).getJson(source.ask()))).toEqual(['source_unreadable'])
      expect(source.seen).toHaveLength(1)
    }
  })

  test('is not tried again when the source is slow', async () => {
    source.respond = () => undefined
    expect(await faultOf(source.run({ timeoutMs: 100 }).getJson(source.ask()))).toEqual(['source_unreadable'])
    expect(source.seen).toHaveLength(1)
  })
})

describe('the budget of a run', () => {
  test('counts the requests of earlier steps, and ends the run', async () => {
    source.respond = json()
    const http = source.run({ budget: budgetOf(10, 8) })
    await http.getJson(source.ask())
    await http.getJson(source.ask())
    expect(await faultOf(http.getJson(source.ask()))).toEqual(['budget_exhausted'])
    expect([source.seen.length, http.used]).toEqual([2, 10])
  })

  test('is one for two clients of the run', async () => {
    const shared = { budget: budgetOf(3), memory: createSourceMemory() }
    const [http, callers] = [source.run(shared), source.run(shared)]
    await Promise.all([http.getJson(source.ask()), callers.getJson(source.ask()), http.getJson(source.ask())])
    expect(await faultOf(callers.getJson(source.ask()))).toEqual(['budget_exhausted'])
    expect([source.seen.length, http.used, callers.used]).toEqual([3, 3, 3])
  })

  test('counts redirects', async () => {
    source.respond = (request, response) =>
      request.url === '/page' ? response.writeHead(302, { location: '/moved' }).end() : json()(request, response)
    const http = source.run({ budget: budgetOf(2) })
    await http.getJson(source.ask())
    expect(http.used).toBe(2)
    const short = source.run({ budget: budgetOf(1) })
    expect([await faultOf(short.getJson(source.ask())), short.used]).toEqual([['budget_exhausted'], 1])
  })
})

describe('a redirect', () => {
  const to =
    (location: string): RequestListener =>
    (_request, response) =>
      response.writeHead(302, { location }).end()

  test('is followed, with the address where the answer stood', async () => {
    source.respond = (request, response) => (request.url === '/moved' ? json()(request, response) : to('/moved')(request, response))
    expect((await source.run().getJson(source.ask())).answer.url).toBe(`${source.url}/moved`)
  })

  test.each<[string, string, string, number]>([
    ['in a loop', '/page', 'source_unreadable', 4],
    ['to an address of a private network', 'http://10.0.0.1/', 'source_refused', 1],
    ['to the machine by another name', 'http://localhost:1/', 'source_refused', 1],
    ['to another scheme', 'file:///etc/passwd', 'source_refused', 1],
    ['to nothing', 'http://', 'source_refused', 1],
  ])('is not followed %s', async (_kind, location, fault, requests) => {
    source.respond = to(location)
    expect(await faultOf(source.run().getJson(source.ask()))).toEqual([fault])
    expect(source.seen).toHaveLength(requests)
  })

  test('to another allowed host loses the token', async () => {
    const other = source.host.replace('127.0.0.1', 'localhost')
    source.respond = (request, response) => (request.url === '/moved' ? json() : to(`http://${other}/moved`))(request, response)
    const http = sourceHttp([source.host, other], { token: { value: 'secret', baseUrl: source.url } })
    await http.getJson(source.ask())
    expect(source.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer secret', undefined])
  })
})

describe('a second request for the same address', () => {
  let version = 'one'
  const versioned: RequestListener = (request, response) => {
    const etag = `"${version}"`
    if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end()
    else json({ etag, 'last-modified': new Date(NOW).toUTCString() }, 200, JSON.stringify(version))(request, response)
  }
  const conditions = () => source.seen.map(({ headers }) => [headers['if-none-match'], headers['if-modified-since']])

  test('asks whether it changed, in a later run too', async () => {
    source.respond = versioned
    const memory = createSourceMemory()
    const read = async () => {
      const { value, answer } = await source.run({ memory }).getJson(source.ask())
      return [value, answer.status, answer.unchanged]
    }
    version = 'one'
    const modified = new Date(NOW).toUTCString()
    expect(await read()).toEqual(['one', 200, false])
    expect(await read()).toEqual(['one', 200, true])
    version = 'two'
    expect(await read()).toEqual(['two', 200, false])
    expect(await read()).toEqual(['two', 200, true])
    expect(conditions()).toEqual([
      [undefined, undefined],
      ['"one"', modified],
      ['"one"', modified],
      ['"two"', modified],
    ])
  })

  test('depends on nothing after an answer without a validator, an unreadable one or a POST', async () => {
    const memory = createSourceMemory()
    const http = source.run({ memory })
    source.respond = versioned
    await http.getJson(source.ask())
    source.respond = json()
    await http.getJson(source.ask())
    source.respond = json({ etag: '"html"' }, 200, '<p>')
    await http.getJson(source.ask('/html')).catch(() => undefined)
    source.respond = versioned
    await http.getJson(source.ask('/batch', { json: {} }))
    expect(memory.answers.size).toBe(0)
  })

  test('keeps no more bytes than the memory of the process may hold', async () => {
    source.respond = json({ etag: '"x"' }, 200, JSON.stringify('x'.repeat(10_000)))
    const memory = createSourceMemory(50_000)
    const http = source.run({ memory, budget: budgetOf(100) })
    for (let page = 0; page < 20; page += 1) await http.getJson(source.ask(`/page/${page}`))
    source.respond = json({ etag: '"x"' }, 200, JSON.stringify('x'.repeat(60_000)))
    await http.getJson(source.ask('/long'))
    expect([memory.answers.size, memory.answers.has(JSON.stringify([`${source.url}/long`, {}]))]).toEqual([4, false])
  })
  test('keeps of a short body its own bytes, and not the block that it shares with others', async () => {
    source.respond = json({ etag: '"x"' })
    const memory = createSourceMemory()
    await source.run({ memory }).getJson(source.ask())
    expect([...memory.answers.values()].map(({ body }) => [String(body), body.buffer.byteLength])).toEqual([[PAGE, PAGE.length]])
  })
})
