import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { codehostSettings, type LocalCodehost, startCodehost } from '../../local/codehost/start.ts'
import { createOsvSource } from '../../local/sources/osv.ts'

const NEWEST = Date.UTC(2026, 10, 1)

let host: LocalCodehost
beforeAll(async () => {
  host = await startCodehost({ newest: NEWEST, limitsSearches: true })
})
afterAll(() => host.stop())

const get = async (path: string, accept = 'application/vnd.github+json') => {
  const headers = { authorization: `Bearer ${codehostSettings('').CODEHOST_TOKEN}`, accept }
  const answer = await fetch(`${host.url}${path}`, { headers })
  return { status: answer.status, headers: answer.headers, body: JSON.parse(await answer.text()) }
}
const script = async (path: string, body: unknown): Promise<number> =>
  (await fetch(`${host.url}/_script/${path}`, { method: 'POST', body: JSON.stringify(body) })).status
const search = (query: string, more = '') => get(`/search/issues?q=${encodeURIComponent(query)}${more}`)

describe('the local code host', () => {
  test('finds ten thousand issues, the same at each start', async () => {
    const other = await startCodehost({ newest: NEWEST })
    expect((await search('is:issue')).body.total_count).toBe(10_000)
    expect([...other.content.allIssues()].slice(0, 300)).toEqual([...host.content.allIssues()].slice(0, 300))
    await other.stop()
  })

  test('gives the first thousand results of a query and refuses a term that it does not know', async () => {
    expect((await search('is:issue', '&per_page=100&page=10')).body.items).toHaveLength(100)
    expect((await search('is:issue', '&per_page=100&page=11')).status).toBe(422)
    expect((await search('color:red')).status).toBe(422)
  })

  test('shows what a script changed of an issue', async () => {
    expect(await script('issues/acme/widgets/7', { title: 'Quokka', labels: ['bug'], updatedAt: '2026-11-02T00:00:00Z' })).toBe(204)
    expect((await search('quokka')).body.items).toMatchObject([
      { number: 7, labels: [{ name: 'bug' }], updated_at: '2026-11-02T00:00:00Z' },
    ])
    expect((await get('/repos/acme/widgets/issues/7')).body).toMatchObject({ title: 'Quokka', state: 'open' })
    expect(await script('issues/acme/widgets/7', { color: 'red' })).toBe(400)
    await fetch(`${host.url}/_script/issues/acme/widgets/7`, { method: 'DELETE' })
    expect((await get('/repos/acme/widgets/issues/7')).status).toBe(410)
  })

  test('shows files of repositories and of their owners, which a script changes', async () => {
    const policy = '/repos/meadow-01/queue/contents/AI_POLICY.md'
    const { body } = await get(policy)
    expect(Buffer.from(body.content, 'base64').toString('utf8')).toContain('do not accept')
    expect((await get('/repos/meadow-05/.github/contents/')).body).toMatchObject([{ type: 'file', path: 'AI-AGENTS.md' }])
    expect(await script('files/meadow-01/queue', { path: 'AI_POLICY.md', content: null })).toBe(204)
    expect((await get(policy)).status).toBe(404)
    expect(await script('files/meadow-01/.github', { path: 'docs/CONTRIBUTING.md', content: 'Hello' })).toBe(204)
    expect((await get('/repos/meadow-01/.github/contents/')).body).toMatchObject([{ type: 'dir', path: 'docs' }])
  })

  test('shows the state of a repository that a script set, and keeps its id over a rename', async () => {
    const { id } = (await get('/repos/meadow-02/parser')).body
    expect(await script('repositories/meadow-02/parser', { archived: true, hasPullRequests: false })).toBe(204)
    expect(await script('repositories/meadow-02/parser', { renameTo: 'meadow-02/reader' })).toBe(204)
    expect((await get('/repos/meadow-02/parser')).body).toMatchObject({
      id,
      full_name: 'meadow-02/reader',
      archived: true,
      has_pull_requests: false,
    })
    expect((await get('/repos/meadow-02/parser/issues/1')).body.repository_url).toBe(`${host.url}/repos/meadow-02/reader`)
    expect(await script('repositories/meadow-02/reader', { missing: true })).toBe(204)
    expect((await get('/repos/meadow-02/reader')).status).toBe(404)
  })

  test('limits searches by their own limit', async () => {
    let answer = await search('quokka')
    for (let searches = 0; answer.status === 200 && searches < 40; searches += 1) answer = await search('quokka')
    expect(answer.status).toBe(403)
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('0')
    expect((await get('/repos/acme/widgets')).status).toBe(200)
  })
})

test('the local vulnerability database refuses a batch that is too long and an id that it does not have', () => {
  const { answer } = createOsvSource()
  const request = (path: string, body = '') => ({
    method: body === '' ? 'GET' : 'POST',
    url: new URL(path, 'http://osv'),
    headers: {},
    body,
  })
  const query = { package: { ecosystem: 'npm', name: 'seed-lib-0' }, version: '1.0.0' }
  const batch = (length: number) => request('/v1/querybatch', JSON.stringify({ queries: Array.from({ length }, () => query) }))
  expect(answer(batch(1_000)).status).toBe(200)
  expect(answer(batch(1_001)).status).toBe(400)
  expect(answer(request('/v1/vulns/GHSA-none')).status).toBe(404)
})
