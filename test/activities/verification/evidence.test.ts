import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { createGuardedFetch } from '../../../activities/outbound/guarded-fetch.ts'
import { createReachable, createRevisions } from '../../../activities/verification/sources.ts'
import type { RevisionAnchor } from '../../../schemas/catalogue/job-input.ts'

let server: Server
let origin: string
let host: string
let answer: { status: number; body: string; headers?: Record<string, string> }
let asked: { url: string; range: string | undefined }[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push({ url: request.url ?? '', range: request.headers.range })
    response.writeHead(answer.status, answer.headers).end(answer.body)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  origin = `http://${host}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  asked = []
})

const fetch = (allowed = true) => createGuardedFetch({ allowedHosts: allowed ? [host] : [] })
const anchor: RevisionAnchor = { kind: 'wikipedia_revision_wikitext', language: 'en', revisionId: '42', normalization: 'whitespace' }
const pageOf = (revid: number, content = 'The wikitext.') =>
  JSON.stringify({ query: { pages: [{ pageid: 1, title: 'A', revisions: [{ revid, slots: { main: { content } } }] }] } })

describe('a pinned revision', () => {
  const read = (allowed = true) =>
    createRevisions({ settings: { WIKIPEDIA_API_URL: `${origin}/{language}/w/api.php` }, fetch: fetch(allowed) })(anchor)

  test('is read by its number, of its language', async () => {
    answer = { status: 200, body: pageOf(42) }
    expect(await read()).toEqual({ text: 'The wikitext.' })
    const { pathname, searchParams } = new URL(asked[0]?.url ?? '', origin)
    expect(pathname).toBe('/en/w/api.php')
    expect(Object.fromEntries(searchParams)).toMatchObject({ action: 'query', revids: '42', prop: 'revisions', formatversion: '2' })
  })

  test.each([
    ['another revision', () => ({ status: 200, body: pageOf(43) })],
    ['no revision', () => ({ status: 200, body: JSON.stringify({ query: { badrevids: { 42: { missing: true } } } }) })],
    ['no JSON', () => ({ status: 200, body: '<html>' })],
    ['an error', () => ({ status: 503, body: pageOf(42) })],
  ])('is unavailable when the answer is %s', async (_name, made) => {
    answer = made()
    expect(await read()).toEqual({ unavailable: expect.any(String) })
  })

  test('is unavailable at a private host that the configuration does not name', async () => {
    answer = { status: 200, body: pageOf(42) }
    expect(await read(false)).toEqual({ unavailable: expect.stringContaining('refused') })
    expect(asked).toEqual([])
  })
})

describe('a pinned address', () => {
  test.each([
    [200, true],
    [206, true],
    [404, false],
    [500, false],
    [204, false],
  ])('that answers %i is reachable: %s', async (status, reachable) => {
    answer = { status, body: status === 204 ? '' : 'x'.repeat(100_000) }
    expect(await createReachable(fetch())(`${origin}/data.csv`)).toBe(reachable)
    expect(asked).toEqual([{ url: '/data.csv', range: 'bytes=0-1023' }])
  })

  test('that redirects is not, nor one that may not be asked', async () => {
    answer = { status: 302, body: '', headers: { location: `${origin}/elsewhere` } }
    expect(await createReachable(fetch())(`${origin}/data.csv`)).toBe(false)
    expect(asked).toHaveLength(1)
    answer = { status: 200, body: 'x' }
    expect(await createReachable(fetch(false))(`${origin}/data.csv`)).toBe(false)
    expect(asked).toHaveLength(1)
  })
})
