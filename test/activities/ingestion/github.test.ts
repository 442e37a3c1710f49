import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { createSourceMemory, READING_MAX_AGE_SECONDS } from '../../../activities/ingestion/http/memory.ts'
import { createGithubSource } from '../../../activities/ingestion/sources/github.ts'
import { githubRules } from '../../../domain/ingestion/github.ts'
import { codehostSettings, type LocalCodehost, startCodehost } from '../../../local/codehost/start.ts'
import type { GithubIssue } from '../../../schemas/ingestion/github.ts'
import { policyOf } from '../../domain/ingestion/items.ts'
import { plainHttp } from './support/plain-http.ts'
import { passTo, type RecordingServer, startRecorded } from './support/recorded.ts'

const NEWEST = Date.UTC(2026, 10, 1)
const DAY_MS = 86_400_000
/** When issues 5,000 to 5,149 of the host changed. */
const BULK_EDIT = new Date(NEWEST - (9_999 - 5_149) * 40 * 60_000).toISOString()
const TOKEN = codehostSettings('').CODEHOST_TOKEN

let host: LocalCodehost
let server: RecordingServer
beforeAll(async () => {
  host = await startCodehost({ newest: NEWEST })
  server = await startRecorded(passTo(host.url))
})
afterAll(async () => {
  await server.stop()
  await host.stop()
})
afterEach(() => {
  server.answerBy()
  server.takeRequests()
})

const sourceOf = (policies: string[] = [], { repositories } = createSourceMemory(), now = NEWEST) =>
  createGithubSource({
    minimumStars: 10,
    http: plainHttp(server.url, TOKEN),
    baseUrl: server.url,
    webHost: 'codehost.example',
    readPolicy: async (repo) => {
      policies.push(repo)
      return policyOf({ repo })
    },
    now: () => now,
    repositories,
  })

const keyOf = (issue: GithubIssue): string => `${issue.repository.name}#${issue.number}`

/** Reads pages until there is none. */
const readAll = async (query: string) => {
  const source = sourceOf()
  const items: GithubIssue[] = []
  const cursors: string[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof source.readPage>> = await source.readPage({ query }, cursor)
    items.push(...page.items)
    cursor = page.next
    if (cursor !== null) cursors.push(cursor)
  } while (cursor !== null)
  return { items, cursors }
}

const json = (value: unknown, status = 200) => ({ status, type: 'application/json', body: JSON.stringify(value) })
/** A hit of the search with the members that the host always gives. */
const hit = (number: number, changes: Record<string, unknown> = {}) => ({
  id: number,
  number,
  repository_url: `${server.url}/repos/acme/widgets`,
  title: `Issue ${number}`,
  body: 'Text',
  labels: [],
  state: 'open',
  locked: false,
  comments: 0,
  assignee: null,
  assignees: [],
  updated_at: new Date(NEWEST - number * 1_000).toISOString(),
  ...changes,
})
/** Answers searches with some hits, everything else as the host does. */
const searchGives = (hits: unknown[], more: Record<string, unknown> = {}): void =>
  server.answerBy((request) =>
    request.url.pathname === '/search/issues'
      ? json({ total_count: hits.length, incomplete_results: false, items: hits, ...more })
      : passTo(host.url)(request),
  )
const read = (cursor: string | null = null) => sourceOf().readPage({ query: 'widgets' }, cursor)

describe('the client of the code host', () => {
  test('reads an issue with its repository, timeline and policy', async () => {
    host.content.setIssue('meadow-01/parser', 1, {
      title: 'Zebra stripes of the table',
      body: '## Steps to reproduce\n1. Run it.',
      labels: ['bug'],
      assignees: ['ana'],
      comments: 3,
      openPulls: [2],
      maintainerCommentAt: NEWEST - 3 * DAY_MS,
    })
    const { items } = await readAll('zebra')
    expect(items).toEqual([
      expect.objectContaining({
        repository: expect.objectContaining({ name: 'meadow-01/parser', id: 1_000_000, isArchived: false }),
        number: 1,
        url: 'https://codehost.example/meadow-01/parser/issues/1',
        title: 'Zebra stripes of the table',
        hasReproduction: true,
        labels: ['bug'],
        assignees: ['ana'],
        comments: 3,
        openPullRequests: ['meadow-01/parser#2'],
        lastMaintainerCommentAt: new Date(NEWEST - 3 * DAY_MS).toISOString(),
        policy: expect.objectContaining({ repo: 'meadow-01/parser' }),
        readAt: NEWEST,
      }),
    ])
    expect(githubRules.unfitOf(items[0] as GithubIssue)).toBeNull()
  })

  test('reads every issue of a query once, last changed first, in pages that go on after a cut', async () => {
    const { items, cursors } = await readAll('repo:meadow-02/queue')
    expect(new Set(items.map(keyOf)).size).toBe(50)
    expect(items).toHaveLength(50)
    const times = items.map(({ updatedAt }) => Date.parse(updatedAt ?? ''))
    expect(times).toEqual([...times].sort((a, b) => b - a))
    expect(cursors.every((cursor) => cursor.length <= 2_048)).toBe(true)
    // Another client, such as that of a worker after a crash, goes on at the same place.
    const [first = null] = cursors
    expect((await sourceOf().readPage({ query: 'repo:meadow-02/queue' }, first)).items.map(keyOf)).toEqual(items.slice(20, 40).map(keyOf))
  })

  test('reads on through more issues of one second than a page holds, by later pages of the same window', async () => {
    const isBulk = ({ updatedAt }: GithubIssue) => updatedAt === BULK_EDIT
    const source = sourceOf()
    const items: GithubIssue[] = []
    let cursor: string | null = JSON.stringify({ until: BULK_EDIT, page: 1, taken: [] })
    while (cursor !== null && items.every(isBulk)) {
      const page: Awaited<ReturnType<typeof source.readPage>> = await source.readPage({ query: 'in:title' }, cursor)
      items.push(...page.items)
      cursor = page.next
      expect(cursor?.length).toBeLessThanOrEqual(2_048)
    }
    expect(new Set(items.filter(isBulk).map(keyOf)).size).toBe(150)
    expect(items.filter(isBulk)).toHaveLength(150)
    const searches = server.takeRequests().filter(({ path }) => path === '/search/issues')
    expect(new Set(searches.map(({ params }) => params.page))).toEqual(new Set(['1', '2']))
  })

  test('misses no issue where one changes between two pages', async () => {
    const source = sourceOf()
    const query = 'repo:meadow-03/docs'
    const first = await source.readPage({ query }, null)
    const later = (await readAll(query)).items.slice(20)
    // The issue leaves the window, and every later one moves up by one.
    const [moved, ...rest] = later
    host.content.setIssue('meadow-03/docs', moved?.number ?? 0, { updatedAt: NEWEST + DAY_MS })
    const found: GithubIssue[] = []
    for (let cursor = first.next; cursor !== null; ) {
      const page: Awaited<ReturnType<typeof source.readPage>> = await source.readPage({ query }, cursor)
      found.push(...page.items)
      cursor = page.next
    }
    expect(found.map(keyOf)).toEqual(rest.map(keyOf))
  })

  test('names a renamed repository by its present name, and its id stays', async () => {
    host.world.changeRepository('meadow-04/client', { renameTo: 'meadow-04/frontend' })
    const policies: string[] = []
    // The search of the host still has the old name.
    searchGives([hit(1, { repository_url: `${server.url}/repos/meadow-04/client` })])
    const { items } = await sourceOf(policies).readPage({ query: 'widgets' }, null)
    expect(items[0]).toMatchObject({
      repository: { name: 'meadow-04/frontend', id: 1_000_018 },
      url: 'https://codehost.example/meadow-04/frontend/issues/1',
    })
    expect(policies).toEqual(['meadow-04/frontend'])
  })

  test('asks for a repository and its policy once', async () => {
    const policies: string[] = []
    searchGives([hit(3), hit(5), hit(7)])
    expect((await sourceOf(policies).readPage({ query: 'widgets' }, null)).items).toHaveLength(3)
    expect(policies).toEqual(['acme/widgets'])
    expect(server.takeRequests().filter(({ path }) => path === '/repos/acme/widgets')).toHaveLength(1)
  })

  test.each([
    ['repo:meadow-13/parser', null],
    ['repo:"Meadow-13/Parser" no:assignee', null],
    ['user:meadow-13', { stars: 10, ageDays: 90 }],
    ['user:meadow-13 -repo:meadow-13/parser', { stars: 10, ageDays: 90 }],
  ])('wants an old repository with stars, unless the query %s names it', async (query, needs) => {
    const { items } = await sourceOf().readPage({ query }, null)
    expect(items[0]).toMatchObject({ needs, repository: { stars: 120, createdAt: expect.stringMatching(/^20/) } })
  })

  test('reads age and stars of a repository that its owner has just made', async () => {
    host.content.setState('meadow-13/queue', { createdAt: NEWEST, stars: 0 })
    const { items } = await sourceOf().readPage({ query: 'user:meadow-13' }, null)
    const own = items.filter(({ repository }) => repository.name === 'meadow-13/queue')
    expect(own.map((issue) => githubRules.unfitOf(issue)?.reason)).toContain('repo_too_young')
    host.content.clear()
  })

  test('asks for a repository once a run, of which each page has a client of its own', async () => {
    const memory = createSourceMemory()
    const requestsAt = async (ms: number, number: number) => {
      searchGives([hit(number)])
      await sourceOf([], memory, NEWEST + ms).readPage({ query: 'widgets' }, null)
      return server.takeRequests().filter(({ path }) => path === '/repos/acme/widgets').length
    }
    const late = READING_MAX_AGE_SECONDS * 1_000
    expect([await requestsAt(0, 3), await requestsAt(late - 1, 5), await requestsAt(late, 7)]).toEqual([1, 0, 1])
  })

  test('reads no policy and no timeline of an archived repository', async () => {
    const policies: string[] = []
    searchGives([hit(1, { repository_url: `${server.url}/repos/meadow-05/store` })])
    const { items } = await sourceOf(policies).readPage({ query: 'widgets' }, null)
    expect(items.map((item) => githubRules.unfitOf(item)?.reason)).toEqual(['repo_archived'])
    expect(policies).toEqual([])
  })

  test('takes no pull request for an issue', async () => {
    searchGives([hit(1, { pull_request: { url: 'x' } }), hit(2)])
    expect((await read()).items.map(({ number }) => number)).toEqual([2])
  })

  test.each([
    ['deleted', 'issue_gone'],
    ['transferred to another repository', 'issue_gone'],
    ['of a missing repository', 'repo_gone'],
  ])('says why it cannot read an issue that is %s', async (kind, reason) => {
    const repo = 'acme/gone'
    if (kind === 'deleted') host.content.deleteIssue(repo, 1)
    else if (kind.startsWith('of')) host.content.setState(repo, { missing: true })
    else {
      host.content.setIssue(repo, 1, { transferTo: 'acme/private' })
      host.content.setState('acme/private', { missing: true })
    }
    searchGives([hit(1, { repository_url: `${server.url}/repos/${repo}` })])
    const key = reason === 'repo_gone' ? 'acme/gone#1' : expect.stringMatching(/^\d+#1$/)
    expect(await read()).toEqual({ items: [], unread: [{ key, reason, detail: expect.any(String) }], next: null })
    host.content.setState(repo, { missing: false })
    host.content.setIssue(repo, 1, {})
  })

  test('bounds texts, takes null for every member that may be, and keeps what is no ASCII', async () => {
    searchGives([
      hit(1, { title: 'x'.repeat(1_000_000), body: null, labels: [{ name: null }, 'plain', { name: '🐛'.repeat(100) }], comments: null }),
      hit(2, { title: 'Größe <script>', updated_at: null, assignee: null, assignees: null, labels: null, locked: null }),
      hit(3, { updated_at: 'never', body: 'é'.repeat(70_000) }),
    ])
    const { items } = await read()
    expect(items.map(({ title }) => title.length)).toEqual([300, 14, 7])
    expect(items[0]?.labels).toEqual(['plain', expect.stringMatching(/^(?:🐛)+…$/u)])
    expect(items[1]).toMatchObject({ title: 'Größe <script>', updatedAt: null, assignees: [] })
    expect(items[2]).toMatchObject({ updatedAt: null, bodyLength: 70_000 })
    expect(items[2]?.body).toHaveLength(2_000)
  })

  test('reads fewer hits at once where those of a page are too long together', async () => {
    const long = Array.from({ length: 100 }, (_, index) => hit(index + 1, { body: 'x'.repeat(100_000) }))
    server.answerBy((request) => {
      if (request.url.pathname !== '/search/issues') return passTo(host.url)(request)
      return json({ total_count: 100, incomplete_results: false, items: long.slice(0, Number(request.url.searchParams.get('per_page'))) })
    })
    const { items, next } = await read()
    expect(items).toHaveLength(10)
    expect(next).not.toBeNull()
  })

  test.each<[string, () => void]>([
    ['another shape', () => searchGives([], { items: 'none' })],
    ['a hit without a number', () => searchGives([hit(1, { number: undefined })])],
    ['a hit of another host', () => searchGives([hit(1, { repository_url: 'https://other.example/repos/acme/widgets' })])],
    ['a hit with a path for a name', () => searchGives([hit(1, { repository_url: `${server.url}/repos/acme/../x` })])],
    ['a search that ran out of time', () => searchGives([], { incomplete_results: true })],
    ['no JSON', () => server.answerBy(() => ({ status: 200, type: 'application/json', body: '<html>' }))],
    [
      'a redirect to another host',
      () => server.answerBy(() => ({ status: 301, type: 'text/plain', body: '', headers: { location: `${host.url}/x` } })),
    ],
  ])('fails at %s', async (_name, arrange) => {
    arrange()
    await expect(read()).rejects.toMatchObject({ name: 'SourceFailure' })
  })

  test('fails where the search shows the same results again whatever the window', async () => {
    searchGives(Array.from({ length: 100 }, (_, index) => hit(index + 1)))
    const cursor = JSON.stringify({ until: new Date(NEWEST - DAY_MS).toISOString(), page: 1, taken: [] })
    await expect(read(cursor)).rejects.toMatchObject({ fault: 'source_unreadable' })
  })

  test('ends where each of a thousand results has no time', async () => {
    searchGives(Array.from({ length: 100 }, (_, index) => hit(index + 1, { updated_at: null, pull_request: {} })))
    let cursor: string | null = null
    let pages = 0
    do {
      cursor = (await read(cursor)).next
      pages += 1
    } while (cursor !== null && pages < 100)
    expect(cursor).toBeNull()
  })

  test.each(['', '{}', 'null', '{"until":null,"page":11,"taken":[]}'])('refuses the cursor %p', async (cursor) => {
    await expect(read(cursor)).rejects.toMatchObject({ fault: 'source_unreadable' })
  })

  test('passes the wish to wait on', async () => {
    server.answerBy(() => ({ status: 403, type: 'application/json', body: '{}', headers: { 'retry-after': '17' } }))
    await expect(read()).rejects.toMatchObject({ fault: 'source_rate_limited', retryAfterSeconds: 17 })
  })
})
