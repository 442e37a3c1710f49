// Pages for people: renderings of the same answers, for readers that prefer a page.
import { beforeAll, describe, expect, test } from '@jest/globals'
import type { Agent } from '../support/http.ts'
import { createJob, encode } from '../support/jobs.ts'
import { DOCUMENTS, fillPages, PAGES, type PageName } from '../support/pages.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld({ shared: true })

/** What browsers ask for when a person follows a link. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8'
/** Largest page in bytes, uncompressed. */
const PAGE_BYTES = 50_000
/** Largest page of a subject of the documentation, which describes all of its operations. */
const SUBJECT_BYTES = 150_000

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'onmouseover='alert(1)",
  '</title><svg onload=alert(1)>',
  '<!-- --><iframe src=//evil.example>',
  'javascript:alert(1)',
  '&lt;b&gt; &amp; &#60;i&#62;',
  '{{7*7}} `backtick` <%= x %>',
  '\u202Eright to left\u202C',
  'W'.repeat(239),
]

let paths: Record<PageName, string>
let agent: Agent

beforeAll(async () => {
  ;({ agent, paths } = await fillPages(world()))
})

const get = (path: string, accept?: string): Promise<Response> =>
  fetch(world().base + path, { headers: accept === undefined ? {} : { accept } })

/** Pages that have one form alone. */
const OWN_PAGES: readonly PageName[] = ['verification', ...DOCUMENTS]
const ANSWERS = PAGES.filter((name) => !OWN_PAGES.includes(name))
const PROBLEMS = [
  ['an unknown path', '/nowhere', 404, 'not_found'],
  ['an unknown job', '/jobs/definition?jobId=nothing-here', 404, 'job_not_found'],
  ['a filter with another value', '/jobs?tier=gold', 400, 'invalid_request'],
  ['a read that needs a token', '/account', 401, 'missing_token'],
  ['an unknown badge', `/badges/${encode(`nothing-here:0x${'a'.repeat(40)}`)}`, 404, 'session_not_found'],
] as const

/** What no page may have: code, requests to another origin, and styles that its policy forbids. */
const expectPlain = (text: string, headers: Headers, mostBytes = PAGE_BYTES): void => {
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /)
  expect(headers.get('content-security-policy')).not.toContain('unsafe')
  expect(text.length).toBeLessThan(mostBytes)
  expect(text.match(/<script|<iframe|<img|<svg|\son\w+=|\sstyle=|javascript:/gi)).toBeNull()
  const loaded = [...text.matchAll(/<link[^>]*href="([^"]*)"/g)].map(([, href]) => href)
  expect(loaded.filter((href) => !/^(data:|\/)/.test(href ?? ''))).toEqual([])
}

describe('a page', () => {
  test.each(ANSWERS.concat(DOCUMENTS))('of %s is small, loads nothing and has one heading', async (name) => {
    const response = await get(paths[name], BROWSER)
    const text = await response.text()
    expect(response.status).toBe(200)
    expectPlain(text, response.headers, name === 'subject of the documentation' ? SUBJECT_BYTES : PAGE_BYTES)
    expect(text.match(/<h1>/g)).toHaveLength(1)
    expect(text).toMatch(/<html lang="en">.*<title>[^<]+<\/title>/)
  })

  test.each(ANSWERS)('of %s is one form of its answer: without the wish there is JSON, with its own tag', async (name) => {
    const asPage = await get(paths[name], BROWSER)
    expect(asPage.headers.get('vary')).toMatch(/Accept/)
    const forms = await Promise.all([undefined, '*/*', 'application/json'].map((accept) => get(paths[name], accept)))
    for (const form of forms) {
      expect(form.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(form.headers.get('etag') === null || form.headers.get('etag') !== asPage.headers.get('etag')).toBe(true)
    }
  })

  test.each(PROBLEMS)('says what went wrong with %s, and a program gets the problem document', async (_name, path, status, code) => {
    const response = await get(path, BROWSER)
    const text = await response.text()
    expect(response.status).toBe(status)
    expectPlain(text, response.headers)
    expect(text).toContain(`<code>${code}</code>`)
    for (const accept of [undefined, '*/*', 'application/json', 'text/*']) {
      const problem = await get(path, accept)
      expect([problem.headers.get('content-type'), ((await problem.json()) as { code: string }).code]).toEqual([
        'application/problem+json',
        code,
      ])
    }
  })

  test('of a badge names who was paid, how much and by whose decision, and leads to its check', async () => {
    const text = await (await get(paths.badge, BROWSER)).text()
    expect(text).toContain(agent.account.address.toLowerCase())
    expect(text).toContain('<td>1 USDC</td>')
    expect(text).toContain('The verifier of the job')
    expect(text).toContain(`/verify?record=${encode(paths.badge)}`)
  })

  test('of the service shows counts of its own answers, and commands with its own address', async () => {
    const { inventory } = await agent.get('/jobs?limit=1')
    const text = await (await get('/', BROWSER)).text()
    expect(text).toContain('jobs can be claimed now')
    expect(inventory.claimableJobs).toBeGreaterThan(0)
    const commands = [...text.matchAll(/<pre[^>]*>([^<]*)<\/pre>/g)].map(([, command]) => command ?? '')
    expect(commands).toHaveLength(3)
    expect(commands.filter((command) => command.includes(world().base))).toHaveLength(3)
  })

  test('of the jobs leads to the next one, with the same filters', async () => {
    const text = await (await get('/jobs?limit=1&tier=starter', BROWSER)).text()
    const [, next = ''] = /<a class="go" href="([^"]*)">More jobs/.exec(text) ?? []
    const address = new URL(next.replaceAll('&amp;', '&'), world().base)
    expect([address.searchParams.get('tier'), address.searchParams.get('limit')]).toEqual(['starter', '1'])
    expect((await get(address.pathname + address.search, BROWSER)).status).toBe(200)
  })

  test('shows hostile texts of a job as texts: its tags are those of a plain one', async () => {
    const tagsOf = async (text: string): Promise<string[]> => {
      const jobId = await createJob(world(), { title: text, description: text, acceptanceCriteria: [text], agentInstructions: [text] })
      const response = await get(`/jobs/definition?jobId=${jobId}`, BROWSER)
      expect(response.status).toBe(200)
      const list = await (await get('/jobs?limit=1', BROWSER)).text()
      return [...(await response.text()).matchAll(/<\/?[a-z][^\s>]*/gi), ...list.matchAll(/<\/?[a-z][^\s>]*/gi)].map(([tag]) => tag)
    }
    const plain = await tagsOf('A plain text')
    for (const text of HOSTILE) expect(await tagsOf(text)).toEqual(plain)
  })
})
