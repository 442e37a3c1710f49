import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Source } from '../../../activities/ingestion/source.ts'
import { factsOf } from '../../../activities/ingestion/sources/open-data/resource.ts'
import { createOpenDataSource, type OpenDataDeps } from '../../../activities/ingestion/sources/open-data.ts'
import { openDataRules } from '../../../domain/ingestion/open-data.ts'
import { buildJob } from '../../../domain/verification/listing.ts'
import { createLocalOpenData } from '../../../local/sources/open-data.ts'
import { JobInput } from '../../../schemas/catalogue/job-input.ts'
import type { OpenDataInput, OpenDataItem } from '../../../schemas/ingestion/open-data.ts'
import { LISTING } from '../../domain/builders/job.ts'
import { startFixedSource, startLocalSource } from './support/local-source.ts'
import { faultOf } from './support/source-world.ts'

const NOW = Date.UTC(2026, 2, 1, 12)

type Served = Pick<Awaited<ReturnType<typeof startLocalSource>>, 'url' | 'http'>

const createSource = ({ url, http: createHttp }: Served, changes: Partial<OpenDataDeps> = {}) => {
  const http = createHttp()
  return createOpenDataSource({ http, resources: http, apiUrl: url, kind: 'datagov', now: () => NOW, ...changes })
}

const readAll = async (source: Source<OpenDataInput, OpenDataItem>, input: OpenDataInput) => {
  const items: OpenDataItem[] = []
  for (let cursor: string | null = null; ; ) {
    const page = await source.readPage(input, cursor)
    items.push(...page.items)
    if (page.next === null) return items
    expect(page.next.length).toBeLessThan(2_000)
    cursor = page.next
  }
}

const { unfitOf, scoreOf, jobOf, keyOf } = openDataRules

describe.each(['datagov', 'ckan'] as const)('a portal of the kind %s', (kind) => {
  let served: Awaited<ReturnType<typeof startLocalSource>>
  beforeAll(async () => {
    served = await startLocalSource(createLocalOpenData({ datasets: 500 }))
  })
  afterAll(() => served.stop())

  test('lists each data set of a search once', async () => {
    const items = await readAll(createSource(served, { kind }), { query: 'air quality' })
    expect(items.length).toBeGreaterThan(50)
    expect(new Set(items.map(keyOf)).size).toBe(items.length)
    expect(items.every(({ title }) => title?.startsWith('Air quality'))).toBe(true)
  })

  test('filters by organisation', async () => {
    const input = { query: 'air quality', organization: 'example-transit-office' }
    const items = await readAll(createSource(served, { kind }), input)
    expect(new Set(items.map(({ agency }) => agency))).toEqual(new Set(['Example Transit Office']))
  })

  test('gives data sets that become jobs committed to the bytes of their files', async () => {
    const items = await readAll(createSource(served, { kind }), { query: 'bus stop' })
    const fit = items.filter((item) => unfitOf(item) === null)
    expect(fit.length).toBeGreaterThan(20)
    for (const item of fit) {
      const { definition, expectedOutputs } = buildJob(JobInput.parse(jobOf(item, scoreOf(item))), LISTING)
      const bytes = Buffer.from(await (await fetch(String(definition.source?.pinnedUrl))).arrayBuffer())
      expect(expectedOutputs.map(({ value }) => value)).toContain(`sha256 ${createHash('sha256').update(bytes).digest('hex')}`)
    }
    const csv = fit.find(({ resource }) => resource?.format === 'CSV')
    expect(csv?.facts?.slice(2)).toEqual(['columns id,name,value', expect.stringMatching(/^rows \d+$/)])
    const json = fit.find(({ resource }) => resource?.format === 'JSON')
    expect(json?.facts?.slice(2)).toEqual(['top-level array', expect.stringMatching(/^entries \d+$/)])
  })

  test('reads data sets by id, and names those that it lacks', async () => {
    const datasets = ['air-quality-stations-1', 'https://data.example/id/2', 'unknown', 'quoted " id']
    const items = await readAll(createSource(served, { kind }), { datasets })
    expect(items.map((item) => unfitOf(item)?.reason ?? item.title)).toEqual([
      'Air quality stations 1',
      'Water level stations 2',
      'dataset_missing',
      'dataset_missing',
    ])
  })

  test('goes on at a cursor as if it had not stopped', async () => {
    const input = { query: 'noise' }
    const first = await createSource(served, { kind }).readPage(input, null)
    const second = await createSource(served, { kind }).readPage(input, first.next)
    expect(await createSource(served, { kind }).readPage(input, first.next)).toEqual(second)
    expect(second.items.map(keyOf)).not.toEqual(first.items.map(keyOf))
  })

  test('keeps what it has read when the budget ends within a page, and goes on there', async () => {
    const input = { query: 'rainfall' }
    const whole = await createSource(served, { kind }).readPage(input, null)
    const short = await createSource(served, { kind, resources: served.http(4) }).readPage(input, null)
    expect(short.items).toEqual(whole.items.slice(0, short.items.length))
    const rest = await createSource(served, { kind }).readPage(input, short.next)
    expect([...short.items, ...rest.items]).toEqual(whole.items)
    expect(rest.next).toBe(whole.next)
    const none = createSource(served, { kind, resources: served.http(0) }).readPage(input, null)
    expect(await faultOf(none)).toEqual(['budget_exhausted'])
  })
})

test('a portal of ten thousand data sets lists each once', async () => {
  const served = await startLocalSource(createLocalOpenData())
  const seen = new Set<string>()
  const resources = { get: async () => ({ status: 200, headers: {}, body: Buffer.from('a\n'), url: '', unchanged: false }) }
  const items = await readAll(createSource(served, { resources }), { query: 'bridge inspection' })
  await served.stop()
  for (const item of items) seen.add(keyOf(item))
  expect([items.length, seen.size]).toEqual([1_111, 1_111])
  expect([...new Set(items.map((item) => unfitOf(item)?.reason))].sort()).toEqual(['dataset_not_public', 'resource_missing', undefined])
})

describe('an answer of the portal', () => {
  let fixed: Awaited<ReturnType<typeof startFixedSource>>
  beforeAll(async () => {
    fixed = await startFixedSource()
  })
  afterAll(() => fixed.stop())
  const resources = { get: async () => ({ status: 200, headers: {}, body: Buffer.from('id\n1\n'), url: '', unchanged: false }) }
  const read = (cursor: string | null = null, kind: OpenDataItem['kind'] = 'datagov') =>
    createSource(fixed, { resources, kind }).readPage({ query: 'water' }, cursor)

  test.each<[string, unknown, OpenDataItem['kind']]>([
    ['nothing', {}, 'datagov'],
    ['a list', [], 'datagov'],
    ['no JSON', '<html>', 'datagov'],
    ['results that are no list', { results: {} }, 'datagov'],
    ['a cursor that is none', { results: [], after: 7 }, 'datagov'],
    ['a cursor without end', { results: [], after: 'x'.repeat(1_501) }, 'datagov'],
    ['no success', { success: false, result: { count: 0, results: [] } }, 'ckan'],
    ['no result', { success: true }, 'ckan'],
    ['a count without results', { success: true, result: { count: 7, results: [] } }, 'ckan'],
  ])('with %s is unreadable', async (_name, body, kind) => {
    fixed.respond(body)
    expect(await faultOf(read(null, kind))).toEqual(['source_unreadable'])
  })

  test('that refuses by a page for readers is unreadable', async () => {
    fixed.respond('<html>Request rejected</html>', { 'content-type': 'text/html' })
    for (const kind of ['datagov', 'ckan'] as const) expect(await faultOf(read(null, kind))).toEqual(['source_unreadable'])
  })

  test('whose cursor leads to itself is unreadable', async () => {
    fixed.respond({ results: [], after: 'again' })
    const { next } = await read()
    expect(await faultOf(read(next))).toEqual(['source_unreadable'])
  })

  test.each(['x', '{}', '{"after":null,"done":-1}', '[]'])('is not asked for at the cursor %s', async (cursor) => {
    fixed.respond({ results: [] })
    expect(await faultOf(read(cursor))).toEqual(['source_unreadable'])
  })

  const file = 'https://files.example/a.csv'
  const record = (dcat: object, more: object = {}) => ({
    slug: 'a',
    dcat: { title: 'A', distribution: [{ downloadURL: file }], ...dcat },
    ...more,
  })

  test.each<[string, unknown, string]>([
    ['null', null, 'title_missing'],
    ['no member', {}, 'title_missing'],
    ['a title that is no text', record({ title: 7 }), 'title_missing'],
    ['no address of its own', { dcat: { title: 'A', distribution: [{ downloadURL: file }] } }, 'dataset_url_missing'],
    ['no distribution', record({ distribution: null }), 'resource_missing'],
    [
      'addresses that are none',
      record({ distribution: [null, 7, { downloadURL: 'javascript:alert(1)' }, { accessURL: 'x' }] }),
      'resource_missing',
    ],
    ['an address with credentials', record({ distribution: [{ downloadURL: 'https://a:b@files.example/' }] }), 'resource_missing'],
    ['restricted access', record({ accessLevel: 'non-public' }), 'dataset_not_public'],
  ])('with %s gives a candidate that is no work', async (_name, result, reason) => {
    fixed.respond({ results: [result] })
    const { items, next } = await read()
    expect([items.map((item) => unfitOf(item)?.reason), next]).toEqual([[reason], null])
  })

  test('bounds every text', async () => {
    const long = '<script>'.repeat(200_000)
    fixed.respond({
      results: [record({ title: long, license: long, modified: long, distribution: [{ title: long, format: long, downloadURL: file }] })],
    })
    const { items } = await read()
    expect(JSON.stringify(items).length).toBeLessThan(3_000)
    for (const item of items) buildJob(JobInput.parse(jobOf(item, scoreOf(item))), LISTING)
  })

  test.each<[unknown, string | null]>([
    ['2025-08-04', '2025-08-04T00:00:00.000Z'],
    ['2025-08-04T13:35:12.398986', '2025-08-04T13:35:12.398Z'],
    ['2025-08-04T13:35:12+02:00', '2025-08-04T11:35:12.000Z'],
    ['R/P1Y', null],
    ['2025-99-99', null],
    [null, null],
    [1_700_000_000, null],
  ])('dates a data set of %j as %s', async (modified, instant) => {
    fixed.respond({ results: [record({ modified })] })
    expect((await read()).items[0]?.modifiedAt).toBe(instant)
  })

  test.each<[string, object[], string, string | null]>([
    [
      'CSV before JSON',
      [
        { format: 'JSON', downloadURL: 'https://a.example/1' },
        { format: 'csv', downloadURL: file },
      ],
      file,
      'CSV',
    ],
    [
      'JSON before XML',
      [
        { mediaType: 'text/xml', downloadURL: 'https://a.example/1' },
        { mediaType: 'application/json', downloadURL: file },
      ],
      file,
      'JSON',
    ],
    [
      'an API before a PDF',
      [
        { format: 'PDF', downloadURL: 'https://a.example/1' },
        { format: 'REST', accessURL: file },
      ],
      file,
      'API',
    ],
    [
      'a direct address first',
      [
        { format: 'CSV', accessURL: 'https://a.example/1' },
        { format: '.csv', downloadURL: file },
      ],
      file,
      'CSV',
    ],
    [
      'an https address first',
      [
        { format: 'CSV', downloadURL: 'http://a.example/1' },
        { format: 'CSV', downloadURL: file },
      ],
      file,
      'CSV',
    ],
    [
      'the first of equals',
      [
        { format: 'CSV', downloadURL: file },
        { format: 'CSV', downloadURL: 'https://a.example/1' },
      ],
      file,
      'CSV',
    ],
    ['a resource without format last', [{ downloadURL: 'https://a.example/1' }, { format: 'XLSX', downloadURL: file }], file, 'XLSX'],
  ])('gives %s', async (_name, distribution, url, format) => {
    fixed.respond({ results: [record({ distribution })] })
    expect((await read()).items[0]?.resource).toMatchObject({ url, format })
  })
})

describe('a resource', () => {
  const sha = (text: string) => createHash('sha256').update(text).digest('hex')

  test.each<[string | null, string, string[]]>([
    ['CSV', '\ufeffid,name\n1,a\n', ['columns id,name', 'rows 1']],
    ['CSV', 'a,"b', []],
    ['JSON', '\ufeff[1]', ['top-level array', 'entries 1']],
    ['GEOJSON', '{"type":"FeatureCollection","features":[]}', ['top-level object', 'entries 2']],
    ['JSON', 'not JSON', []],
    ['PDF', '%PDF', []],
    [null, 'a,b', []],
  ])('of the format %s with the text %j has these facts', (format, text, more) => {
    const body = Buffer.from(text)
    expect(factsOf(format, body)).toEqual({ facts: [`sha256 ${sha(text)}`, `bytes ${body.length}`, ...more], resourceFault: null })
  })

  test('that is no UTF-8 has the facts of its bytes', () => {
    expect(factsOf('CSV', Buffer.from([0x61, 0xff, 0x0a])).facts).toHaveLength(2)
  })

  test.each<[string, Buffer]>([
    ['empty', Buffer.alloc(0)],
    ['a page for readers', Buffer.from('\n<!DOCTYPE html><html></html>')],
  ])('that is %s is faulty', (_name, body) => {
    expect(factsOf('CSV', body)).toEqual({ facts: null, resourceFault: expect.any(String) })
  })

  test.each<[string, number]>([
    ['refused by its host', 403],
    ['longer than eight million bytes', 200],
  ])('that is %s makes its data set unfit, not the run fail', async (_name, status) => {
    const fixed = await startFixedSource()
    const served = await startLocalSource(createLocalOpenData({ datasets: 1 }))
    fixed.respond('x'.repeat(9 * 1024 * 1024), {}, status)
    const { get } = fixed.http()
    const resources = { get: (request: Parameters<typeof get>[0]) => get({ ...request, url: fixed.url }) }
    const { items } = await createSource(served, { resources }).readPage({ query: 'air' }, null)
    await Promise.all([fixed.stop(), served.stop()])
    expect(items.map((item) => unfitOf(item)?.reason)).toEqual(['resource_unreadable'])
  })
})
