// Pages for people: renderings of the same answers, for readers that prefer a page.
import { beforeAll, describe, expect, test } from '@jest/globals'
import type { Agent } from '../support/http.ts'
import { createJob, encode } from '../support/jobs.ts'
import { fillPages, PAGES, type PageName } from '../support/pages.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld({ shared: true })

/** What browsers ask for when a person follows a link. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8'
/** Largest page in bytes, uncompressed. */
const PAGE_BYTES = 50_000

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
const OWN_PAGES: readonly PageName[] = ['home', 'verification']
const ANSWERS = PAGES.filter((name) => !OWN_PAGES.includes(name))
const PROBLEMS = [
  ['an unknown path', '/nowhere', 404, 'not_found'],
  ['an unknown job', '/jobs/definition?jobId=nothing-here', 404, 'job_not_found'],
  ['a filter with another value', '/jobs?tier=gold', 400, 'invalid_request'],
  ['a read that needs a token', '/account', 401, 'missing_token'],
  ['an unknown badge', `/badges/${encode(`nothing-here:0x${'a'.repeat(40)}`)}`, 404, 'session_not_found'],
] as const

/** What no page may have: code, requests to another origin, and styles that its policy forbids. */
const expectPlain = (text: string, headers: Headers): void => {
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /)
  expect(headers.get('content-security-policy')).not.toContain('unsafe')
  expect(text.length).toBeLessThan(PAGE_BYTES)
  expect(text.match(/<script|<iframe|<img|<svg|\son\w+=|\sstyle=|javascript:/gi)).toBeNull()
  const loaded = [...text.matchAll(/<link[^>]*href="([^"]*)"/g)].map(([, href]) => href)
  expect(loaded.filter((href) => !/^(data:|\/)/.test(href ?? ''))).toEqual([])
}

describe('a page', () => {
  test.each(ANSWERS.concat('home'))('of %s is small, loads nothing and has one heading', async (name) => {
    const response = await get(paths[name], BROWSER)
    const text = await response.text()
    expect(response.status).toBe(200)
    expectPlain(text, response.headers)
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

  test('of a receipt says in words who did what, what was paid, who decided and what settled it, and leads to its check', async () => {
    const { settlement, settlementProof } = await agent.get(paths.receipt)
    const text = await (await get(paths.receipt, BROWSER)).text()
    const stated = [...text.matchAll(/<th scope="row">([^<]*)<\/th><td>(.*?)<\/td>/g)].map(([, name, value]) => [name, value])
    const facts = Object.fromEntries(stated.map(([name, value]) => [name, value?.replaceAll(/<[^>]*>/g, '')]))
    expect(facts).toMatchObject({
      'Done by': agent.account.address.toLowerCase(),
      'Decided by': 'The verifier of the job',
      Decision: 'The work is approved',
      'Paid to the worker': `${settlement.workerAmount} USDC`,
      'Kept for gas': '0 USDC',
      'Whole reward': '1 USDC',
      Transaction: settlementProof.transactionHash,
    })
    expect(facts.Block).toMatch(new RegExp(`^${settlementProof.blockNumber} of chain `))
    expect(text).toContain(`href="/verify?record=${encode(paths.receipt)}"`)
  })

  test('of a receipt may change with the look of the service, and the receipt itself may not', async () => {
    const [asPage, receipt] = await Promise.all([get(paths.receipt, BROWSER), get(paths.receipt)])
    expect(asPage.headers.get('cache-control')).toBe('public, max-age=300')
    expect(receipt.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  })

  test('of the agents lists the wallets that agreed, and leads from one page to the next', async () => {
    const other = await world().agent()
    await other.post('/agents/consent', { publicProfileOptIn: true })
    const listed: string[] = []
    for (let address: string | undefined = '/agents?limit=1'; address !== undefined; ) {
      const text = await (await get(address, BROWSER)).text()
      listed.push(...[...text.matchAll(/<a href="\/agents\/(0x[^"]*)"/g)].map(([, wallet]) => wallet ?? ''))
      address = /<a class="go" href="([^"]*)">More agents/.exec(text)?.[1]?.replaceAll('&amp;', '&')
    }
    for (const { account } of [agent, other]) expect(listed).toContain(account.address.toLowerCase())
    expect(new Set(listed).size).toBe(listed.length)
  })

  test('of the pool has every amount with its asset', async () => {
    const { sharePrice, totalAssets } = await agent.get('/pool')
    const text = await (await get('/pool', BROWSER)).text()
    for (const { display } of [sharePrice.assetsPerShare, totalAssets]) expect(text).toContain(`<b>${display} USDC</b>`)
  })

  test('of the log has a row of each day, with what its head signs', async () => {
    const { heads } = await agent.get('/log/heads')
    const text = await (await get('/log/heads', BROWSER)).text()
    expect(heads.length).toBeGreaterThan(0)
    for (const { day, entriesHash } of heads) for (const part of [`>${day}</a>`, `>${entriesHash}</code>`]) expect(text).toContain(part)
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
