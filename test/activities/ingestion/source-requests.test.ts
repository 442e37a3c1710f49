import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { createSourceRequests, seededRandom } from '../../../activities/ingestion/http/requests.ts'
import { readWait, storeWait } from '../../../activities/ingestion/runs.ts'
import { createFetches } from '../../../activities/outbound/clients.ts'
import { PROVIDERS, type Provider } from '../../../schemas/ingestion/providers.ts'
import { readSettings } from '../../../schemas/settings.ts'
import { useOwnDatabase } from '../support/own-database.ts'
import { faultOf, json, MAX_BYTES, PAGE, type ScriptedSource, startScriptedSource } from './support/source-world.ts'

const place = useOwnDatabase()
let source: ScriptedSource
let other: ScriptedSource
let now: number

beforeAll(async () => {
  ;[source, other] = await Promise.all([startScriptedSource(), startScriptedSource()])
})
afterAll(() => Promise.all([source.stop(), other.stop()]))
beforeEach(async () => {
  source.reset()
  other.reset()
  // The database compares with its own clock.
  now = Date.now()
  await place.rows().deleteFrom('ingest_source').execute()
  await place
    .rows()
    .insertInto('ingest_source')
    .values(PROVIDERS.map((provider) => ({ provider })))
    .execute()
})

let noted = 0
const note = async (requests: number): Promise<void> => {
  noted += requests
}

/** Clients of another process than those before. */
const open = (provider: Provider, budget = 10) => {
  noted = 0
  const settings = readSettings({
    DATABASE_URL: 'unused',
    CHAIN_FILE: 'unused',
    CODEHOST_API_URL: source.url,
    CODEHOST_TOKEN: 'secret',
    WIKIPEDIA_API_URL: `${source.url}/{language}/w/api.php`,
    OSV_API_URL: source.url,
    OPEN_DATA_API_URL: source.url,
    OPENAPI_LIST_URL: `${source.url}/list.json`,
    STANDARDS_API_URL: source.url,
    LOCAL_CALLER_HOSTS: other.host,
  })
  const seed = 'worker-1'
  const clock = { now: () => now }
  const deps = {
    settings,
    fetches: createFetches(settings),
    database: place.database(),
    contact: 'ops@work.example',
    seed,
    ...clock,
    clock,
  }
  return createSourceRequests(deps)(provider, budget, note)
}

describe('the clients of a step', () => {
  test.each(PROVIDERS)('of %s reach the source by one and what content names by the other, within one budget', async (provider) => {
    const { http, callers } = open(provider, 3)
    expect((await http.getJson(source.ask())).value).toEqual(JSON.parse(PAGE))
    expect(await faultOf(http.getJson({ url: other.url, maxBytes: MAX_BYTES }))).toEqual(['source_refused'])
    expect(await faultOf(callers.getJson(source.ask()))).toEqual(['source_refused'])
    await callers.getJson({ url: other.url, maxBytes: MAX_BYTES })
    await callers.getJson({ url: other.url, maxBytes: MAX_BYTES })
    expect(await faultOf(http.getJson(source.ask()))).toEqual(['budget_exhausted'])
    expect([noted, source.seen.length, other.seen.length]).toEqual([3, 1, 2])
    const tokens = [...source.seen, ...other.seen].map(({ headers }) => headers.authorization)
    expect(tokens).toEqual([provider === 'github' ? 'Bearer secret' : undefined, undefined, undefined])
  })

  test('note a request before it leaves, and each hop of a redirect', async () => {
    const { http, callers } = open('osv')
    const notedAtSource: number[] = []
    source.respond = (request, response) => {
      notedAtSource.push(noted)
      if (request.url?.endsWith('?again') === true) json()(request, response)
      else response.writeHead(302, { location: `${request.url}?again` }).end()
    }
    await http.getJson(source.ask())
    expect([notedAtSource, noted]).toEqual([[1, 1], 2])
    expect(await faultOf(callers.getJson({ url: 'http://127.0.0.1:9/', maxBytes: MAX_BYTES }))).toEqual(['source_refused'])
    expect(noted).toBe(2)
  })

  test('keep the wish of a source for every other process, and let the others be asked', async () => {
    source.respond = json({ 'retry-after': '600' }, 429)
    expect(await faultOf(open('osv').http.getJson(source.ask()))).toEqual(['source_rate_limited', 600])
    source.respond = json({ 'retry-after': '5' })
    now += 1_000
    expect(await faultOf(open('osv').http.getJson(source.ask()))).toEqual(['source_rate_limited', 599])
    await open('standards').http.getJson(source.ask())
    expect(source.seen).toHaveLength(2)
    const rows = await place
      .rows()
      .selectFrom('ingest_source')
      .select(['provider', 'nextAllowedAt'])
      .where('nextAllowedAt', 'is not', null)
      .execute()
    expect(Object.fromEntries(rows.map((row) => [row.provider, row.nextAllowedAt]))).toEqual({
      osv: now - 1_000 + 600_000,
      standards: now + 5_000,
    })
  })

  test('keep the longer of two wishes', async () => {
    source.respond = json({ 'x-poll-interval': '600' })
    await open('osv').http.getJson(source.ask())
    await storeWait(place.rows(), 'osv', now + 5_000)
    expect(await readWait(place.rows(), 'osv')).toBe(now + 600_000)
    await storeWait(place.rows(), 'osv', now + 700_000)
    expect(await readWait(place.rows(), 'osv')).toBe(now + 700_000)
  })

  test('keep the wish of one host that content names from the others', async () => {
    const requests = open('openapi')
    other.respond = json({ 'retry-after': '30' }, 429)
    const ask = () => requests.callers.getJson({ url: other.url, maxBytes: MAX_BYTES })
    expect([await faultOf(ask()), await faultOf(ask()), other.seen.length]).toEqual([
      ['source_rate_limited', 30],
      ['source_rate_limited', 30],
      1,
    ])
    expect((await requests.http.getJson(source.ask())).answer.status).toBe(200)
  })

  test('spread their repeats by a seed', () => {
    const [one, same, second] = [seededRandom('a'), seededRandom('a'), seededRandom('b')]
    const numbers = Array.from({ length: 100 }, one)
    expect(numbers).toEqual(Array.from({ length: 100 }, same))
    expect(numbers).not.toEqual(Array.from({ length: 100 }, second))
    expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true)
    expect(new Set(numbers).size).toBe(100)
  })
})
