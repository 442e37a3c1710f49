import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createOpenDataSource } from '../../../activities/ingestion/sources/open-data.ts'
import { createLocalOpenData } from '../../../local/sources/open-data.ts'
import type { OpenDataInput, OpenDataKind } from '../../../schemas/ingestion/open-data.ts'
import { ownHeaders, undocumented } from './support/documented.ts'
import { startLocalSource } from './support/local-source.ts'

let served: Awaited<ReturnType<typeof startLocalSource>>
beforeAll(async () => {
  served = await startLocalSource(createLocalOpenData({ datasets: 200 }))
})
afterAll(() => served.stop())

interface Row {
  kind: OpenDataKind
  input: OpenDataInput
  /** Pages before the one whose request counts. */
  before: number
  path: string
  parameters: Record<string, unknown>
}

const ORGANIZATION = 'example-city-council'

const ROWS: Record<string, Row> = {
  'data.gov, words': {
    kind: 'datagov',
    input: { query: 'bus stop', organization: ORGANIZATION },
    before: 0,
    path: '/search',
    parameters: { q: 'bus stop', org_slug: ORGANIZATION, per_page: '10' },
  },
  'data.gov, next page': {
    kind: 'datagov',
    input: { query: 'bus stop' },
    before: 1,
    path: '/search',
    parameters: { q: 'bus stop', per_page: '10', after: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/) },
  },
  'data.gov, one data set': {
    kind: 'datagov',
    input: { datasets: ['https://data.example/id/2'] },
    before: 0,
    path: '/search',
    parameters: { q: '"https://data.example/id/2"', per_page: '10' },
  },
  'CKAN, words': {
    kind: 'ckan',
    input: { query: 'bus stop', organization: ORGANIZATION },
    before: 0,
    path: '/api/3/action/package_search',
    parameters: { q: 'bus stop', fq: `organization:${ORGANIZATION}`, rows: '10', start: '0' },
  },
  'CKAN, one data set': {
    kind: 'ckan',
    input: { datasets: ['water-level-stations-2'] },
    before: 0,
    path: '/api/3/action/package_show',
    parameters: { id: 'water-level-stations-2' },
  },
}

/** Parameters that a row names by those of another row. */
const INHERITED: Record<string, readonly string[]> = { 'data.gov, next page': ['q', 'per_page'] }

test.each(Object.keys(ROWS))('the request "%s" is the documented one', async (request) => {
  const { kind, input, before, path, parameters } = ROWS[request] as Row
  const http = served.http()
  const source = createOpenDataSource({ http, resources: http, apiUrl: served.url, kind, now: () => 0 })
  let cursor: string | null = null
  for (let page = 0; page < before; page += 1) cursor = (await source.readPage(input, cursor)).next
  served.takeRequests()
  await source.readPage(input, cursor)
  const [sent] = served.takeRequests()
  expect([sent?.method, sent?.url.pathname]).toEqual(['GET', path])
  expect(Object.fromEntries(sent?.url.searchParams ?? [])).toEqual(parameters)
  expect(ownHeaders(sent?.headers ?? {})).toEqual([])
  const named = Object.keys(parameters).filter((name) => !INHERITED[request]?.includes(name))
  expect(undocumented(request, [...named, path])).toEqual([])
})

test('the request "resource" has the address that the data set names', async () => {
  const http = served.http()
  const source = createOpenDataSource({ http, resources: http, apiUrl: served.url, kind: 'datagov', now: () => 0 })
  served.takeRequests()
  const { items } = await source.readPage({ datasets: ['https://data.example/id/2'] }, null)
  const [, sent] = served.takeRequests()
  expect(sent?.method).toBe('GET')
  expect(items[0]?.resource?.url).toBe(`${served.url}${sent?.url.pathname}`)
  expect(ownHeaders(sent?.headers ?? {})).toEqual([])
  expect(undocumented('resource', [])).toEqual([])
})
