import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createWikipediaSource } from '../../../activities/ingestion/sources/wikipedia.ts'
import { createLocalWikipedia } from '../../../local/sources/wikipedia.ts'
import { WikipediaInput } from '../../../schemas/ingestion/wikipedia.ts'
import { ownHeaders, undocumented } from './support/documented.ts'
import { startLocalSource } from './support/local-source.ts'

let served: Awaited<ReturnType<typeof startLocalSource>>
beforeAll(async () => {
  served = await startLocalSource(createLocalWikipedia({ articles: 400 }))
})
afterAll(() => served.stop())

const EVERY = {
  action: 'query',
  format: 'json',
  formatversion: '2',
  maxlag: '5',
  generator: 'categorymembers',
  gcmtitle: 'Category:All articles with dead external links',
  gcmnamespace: '0',
  gcmtype: 'page',
  gcmlimit: '50',
  prop: 'info|revisions|templates',
  rvprop: 'ids|timestamp|size',
  tltemplates: expect.stringMatching(/^Template:Citation needed\|Template:Cn\|/),
  tllimit: '500',
}

test.each<[string, number, Record<string, unknown>]>([
  ['first pages of a category', 1, EVERY],
  ['following pages', 2, { ...EVERY, gcmcontinue: expect.stringMatching(/^page\|/), continue: 'gcmcontinue||' }],
])('the request for the %s is the documented one', async (request, count, parameters) => {
  const source = createWikipediaSource({ http: served.http(), apiUrl: `${served.url}/{language}/w/api.php` })
  const input = WikipediaInput.parse({ language: 'en', categories: ['Category:All articles with dead external links'] })
  let cursor: string | null = null
  for (let page = 0; page < count; page += 1) cursor = (await source.readPage(input, cursor)).next
  const requests = served.takeRequests()
  expect(requests).toHaveLength(count)
  const sent = requests.at(-1)
  expect([sent?.method, sent?.url.pathname]).toEqual(['GET', '/en/w/api.php'])
  expect(Object.fromEntries(sent?.url.searchParams ?? [])).toEqual(parameters)
  expect(ownHeaders(sent?.headers ?? {})).toEqual([])
  const named = request === 'following pages' ? ['gcmcontinue', 'tlcontinue', 'continue'] : Object.keys(parameters)
  expect(undocumented(request, [...named, '/w/api.php'])).toEqual([])
})
