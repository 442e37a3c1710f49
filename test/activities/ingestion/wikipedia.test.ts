import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Source } from '../../../activities/ingestion/source.ts'
import { createWikipediaSource } from '../../../activities/ingestion/sources/wikipedia.ts'
import { createGuardedFetch } from '../../../activities/outbound/guarded-fetch.ts'
import { createRevisions } from '../../../activities/verification/sources.ts'
import { wikipediaRules } from '../../../domain/ingestion/wikipedia.ts'
import { MAINTENANCE_TEMPLATES } from '../../../domain/ingestion/wikipedia-tasks.ts'
import { buildJob } from '../../../domain/verification/listing.ts'
import { createLocalWikipedia } from '../../../local/sources/wikipedia.ts'
import { JobInput } from '../../../schemas/catalogue/job-input.ts'
import { MAINTENANCE_CATEGORIES, WikipediaInput, type WikipediaItem } from '../../../schemas/ingestion/wikipedia.ts'
import { LISTING } from '../../domain/builders/job.ts'
import { startFixedSource, startLocalSource } from './support/local-source.ts'
import { faultOf } from './support/source-world.ts'

const API = '/{language}/w/api.php'
const [FIRST = ''] = MAINTENANCE_CATEGORIES

const readAll = async (source: Source<WikipediaInput, WikipediaItem>, input: WikipediaInput) => {
  const pages: WikipediaItem[][] = []
  for (let cursor: string | null = null; ; ) {
    const { items, next } = await source.readPage(input, cursor)
    pages.push(items)
    if (next === null) return pages
    expect(next.length).toBeLessThan(2_000)
    cursor = next
  }
}

describe('the encyclopedia', () => {
  const local = createLocalWikipedia()
  let served: Awaited<ReturnType<typeof startLocalSource>>
  beforeAll(async () => {
    served = await startLocalSource(local)
  })
  afterAll(() => served.stop())
  const createSource = () => createWikipediaSource({ http: served.http(), apiUrl: `${served.url}${API}` })

  test('lists each of ten thousand pages once, fifty at a time', async () => {
    const pages = await readAll(createSource(), WikipediaInput.parse({}))
    expect(Math.max(...pages.map((items) => items.length))).toBe(50)
    const items = pages.flat()
    expect(items).toHaveLength(10_000)
    expect(new Set(items.map(wikipediaRules.keyOf)).size).toBe(10_000)
    const reasons = new Set(items.map((item) => wikipediaRules.unfitOf(item)?.reason))
    expect([...reasons].sort()).toEqual(['page_missing', 'page_no_article', 'page_redirect', undefined])
    const tasks = new Set(items.map((item) => wikipediaRules.keyOf(item).split(':')[2]))
    expect([...tasks].sort()).toEqual(['citation_repair', 'freshness_check', 'infobox_consistency'])
  })

  test('gives pages that become jobs whose pinned revision can be read', async () => {
    const { items } = await createSource().readPage(WikipediaInput.parse({ categories: [FIRST] }), null)
    const [item] = items.filter((candidate) => wikipediaRules.unfitOf(candidate) === null)
    if (item === undefined) throw new Error('no article')
    const { definition } = buildJob(JobInput.parse(wikipediaRules.jobOf(item, wikipediaRules.scoreOf(item))), LISTING)
    if (definition.verifierConfig.handler !== 'benchmark' || definition.verifierConfig.anchorEvidence === undefined)
      throw new Error('no anchor')
    const fetch = createGuardedFetch({ allowedHosts: [served.host] })
    const read = createRevisions({ settings: { WIKIPEDIA_API_URL: `${served.url}${API}` }, fetch })
    expect(await read(definition.verifierConfig.anchorEvidence)).toEqual({ text: expect.stringContaining(item.title) })
    expect(await read({ ...definition.verifierConfig.anchorEvidence, revisionId: '7' })).toEqual({ unavailable: expect.any(String) })
  })

  test('goes on at a cursor as if it had not stopped', async () => {
    const input = WikipediaInput.parse({ categories: [FIRST, MAINTENANCE_CATEGORIES[1]] })
    const source = createSource()
    const first = await source.readPage(input, null)
    const second = await source.readPage(input, first.next)
    expect(await createSource().readPage(input, first.next)).toEqual(second)
    expect(second.items[0]?.pageId).not.toBe(first.items[0]?.pageId)
  })

  test('has no page in a category that it does not know', async () => {
    expect(await createSource().readPage(WikipediaInput.parse({ categories: ['Unknown'] }), null)).toEqual({ items: [], next: null })
  })

  test('shows an edit as the present content of its page', async () => {
    const pageId = 1_001
    const revisionId = local.edit(pageId, (text) => text.replace('{{Dead link|date=March 2026}}', ''), '2026-04-01T00:00:00Z')
    const query = 'action=query&format=json&formatversion=2&prop=info|revisions&rvprop=ids|timestamp|content&rvslots=main'
    const response = await fetch(`${served.url}/en/w/api.php?${query}&pageids=${pageId}&rvlimit=2`)
    const { query: answered } = (await response.json()) as { query: { pages: { lastrevid: number; revisions: { revid: number }[] }[] } }
    expect(answered.pages[0]).toMatchObject({ lastrevid: revisionId, revisions: [{ revid: revisionId }, { revid: revisionId - 1 }] })
    expect(JSON.stringify(answered.pages[0]?.revisions[0])).not.toContain('Dead link')
  })
})

test('templates of a page are those of all answers that its set of pages takes', async () => {
  const names = Object.values(MAINTENANCE_TEMPLATES).flat()
  const local = createLocalWikipedia({
    articles: 200,
    change: (article) => ({ ...article, isMissing: false, templates: [...names, 'Unknown'] }),
  })
  const served = await startLocalSource(local)
  const source = createWikipediaSource({ http: served.http(), apiUrl: `${served.url}${API}` })
  const pages = await readAll(source, WikipediaInput.parse({ categories: [FIRST] }))
  const requests = served.takeRequests()
  await served.stop()
  // Fifty pages with this many templates, five hundred in an answer.
  expect(requests).toHaveLength(Math.ceil((50 * names.length) / 500))
  const items = pages.flat()
  expect(items).toHaveLength(50)
  for (const { templates } of items) expect(templates).toEqual([...names].sort())
})

test('the names of templates fit into one parameter', () => {
  expect(Object.values(MAINTENANCE_TEMPLATES).flat().length).toBeLessThanOrEqual(50)
})

describe('an answer of the encyclopedia', () => {
  let fixed: Awaited<ReturnType<typeof startFixedSource>>
  beforeAll(async () => {
    fixed = await startFixedSource()
  })
  afterAll(() => fixed.stop())
  const read = (cursor: string | null = null) =>
    createWikipediaSource({ http: fixed.http(), apiUrl: `${fixed.url}${API}` }).readPage(
      WikipediaInput.parse({ categories: ['A'] }),
      cursor,
    )

  test.each<[string, Record<string, string>, ...unknown[]]>([
    ['maxlag', { 'retry-after': '7' }, 'source_rate_limited', 7],
    ['maxlag', {}, 'source_rate_limited', 5],
    ['ratelimited', { 'retry-after': 'soon' }, 'source_rate_limited', 60],
    ['readonly', {}, 'source_rate_limited', 60],
    ['invalidcategory', {}, 'source_refused'],
    ['badvalue', {}, 'source_refused'],
    ['blocked', {}, 'source_refused'],
    ['internal_api_error_DBQueryError', {}, 'source_unreadable'],
    ['constructor', {}, 'source_unreadable'],
  ])('with the error %s and the headers %j is %s', async (code, headers, ...fault) => {
    const answer = { status: 200, headers, body: Buffer.alloc(0), url: '', unchanged: false }
    const http = { getJson: async () => ({ value: { error: { code, info: 'Wait' } }, answer }) }
    const source = createWikipediaSource({ http, apiUrl: `${fixed.url}${API}` })
    expect(await faultOf(source.readPage(WikipediaInput.parse({ categories: ['A'] }), null))).toEqual(fault)
  })

  test('that asks to wait under status 200 ends the reading', async () => {
    fixed.respond({ error: { code: 'maxlag', info: 'Waiting for a server' } }, { 'retry-after': '7', 'mediawiki-api-error': 'maxlag' })
    expect(await faultOf(read())).toEqual(['source_rate_limited', 7])
  })

  test.each<[string, unknown]>([
    ['nothing', {}],
    ['a list', []],
    ['no JSON', '<html>'],
    ['an error of another form', { error: 'maxlag' }],
    ['pages by number, as the old form has them', { batchcomplete: true, query: { pages: { 1: { pageid: 1 } } } }],
    ['no list of pages', { batchcomplete: true, query: {} }],
    ['more pages than were asked for', { batchcomplete: true, query: { pages: Array.from({ length: 501 }, () => ({})) } }],
    ['an endless continuation', { continue: { gcmcontinue: 'x'.repeat(2_000) }, batchcomplete: true, query: { pages: [] } }],
    ['a nested continuation', { continue: { gcmcontinue: {} }, batchcomplete: true, query: { pages: [] } }],
    ['a continuation that leads to itself', { continue: { tlcontinue: '1' }, query: { pages: [] } }],
  ])('with %s is unreadable', async (_name, body) => {
    fixed.respond(body)
    expect(await faultOf(read())).toEqual(['source_unreadable'])
  })

  test('of HTML under the type of HTML is unreadable', async () => {
    fixed.respond('{}', { 'content-type': 'text/html' })
    expect(await faultOf(read())).toEqual(['source_unreadable'])
  })

  test.each(['x', '{}', '{"category":-1,"continuation":null}', '{"category":0,"continuation":{"a":[]}}', '[]'])(
    'is not asked for at the cursor %s',
    async (cursor) => {
      expect(await faultOf(read(cursor))).toEqual(['source_unreadable'])
    },
  )

  test('cannot change what the service asks for', async () => {
    fixed.respond({ batchcomplete: true, continue: { action: 'edit', gcmcontinue: 'a' }, query: { pages: [] } })
    const { next } = await read()
    const requests: string[] = []
    const http = fixed.http()
    const getJson: typeof http.getJson = (request) => {
      requests.push(request.url)
      return http.getJson(request)
    }
    fixed.respond({ batchcomplete: true })
    const source = createWikipediaSource({ http: { getJson }, apiUrl: `${fixed.url}${API}` })
    await source.readPage(WikipediaInput.parse({ categories: ['A'] }), next)
    const { searchParams } = new URL(requests[0] ?? '')
    expect([searchParams.getAll('action'), searchParams.get('gcmcontinue')]).toEqual([['query'], 'a'])
  })

  test.each<[string, unknown, string]>([
    ['no member', {}, 'page_missing'],
    ['null in place of a page', null, 'page_missing'],
    ['a page that is deleted', { ns: 0, title: 'Gone', missing: true }, 'page_missing'],
    ['a title that is none', { ns: 0, title: '<b>', invalid: true, pageid: 1 }, 'page_missing'],
    ['no revision', { pageid: 1, ns: 0, title: 'A' }, 'revision_missing'],
    ['null in place of revisions', { pageid: 1, ns: 0, title: 'A', revisions: null, templates: null }, 'revision_missing'],
    ['a revision that is none', { pageid: 1, ns: 0, title: 'A', revisions: [{ revid: '7' }] }, 'revision_missing'],
    ['no namespace', { pageid: 1, title: 'A', revisions: [{ revid: 7 }] }, 'page_no_article'],
    ['a redirect', { pageid: 1, ns: 0, title: 'A', redirect: true, revisions: [{ revid: 7 }] }, 'page_redirect'],
    ['a title with a script', { pageid: 1, ns: 0, title: '<script>', revisions: [{ revid: 7 }] }, 'title_unusable'],
    ['a title of ten million characters', { pageid: 1, ns: 0, title: 'x'.repeat(10_000_000), revisions: [{ revid: 7 }] }, 'title_unusable'],
  ])('with %s gives a candidate that is no work', async (_name, page, reason) => {
    fixed.respond({ batchcomplete: true, query: { pages: [page] } })
    const { items } = await read()
    expect(items.map((item) => wikipediaRules.unfitOf(item)?.reason)).toEqual([reason])
    expect(JSON.stringify(items).length).toBeLessThan(2_000)
  })

  test('keeps an article without a date', async () => {
    fixed.respond({
      batchcomplete: true,
      query: { pages: [{ pageid: 1, ns: 0, title: 'A', revisions: [{ revid: 7, timestamp: null }], templates: [null, { title: 7 }] }] },
    })
    const { items } = await read()
    expect(items).toEqual([expect.objectContaining({ pageId: 1, revisionId: '7', revisedAt: null, sizeBytes: null, templates: [] })])
    expect(items.map(wikipediaRules.unfitOf)).toEqual([null])
  })
})
