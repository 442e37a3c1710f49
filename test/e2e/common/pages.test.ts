// Pages for people: renderings of the same answers, for readers that prefer a page.
import { beforeAll, describe, expect, test } from '@jest/globals'
import { SCRIPT } from '../../../pages/style.ts'
import { decodePng } from '../../support/pictures/png.ts'
import { HOSTILE_TITLES, tagsOf } from '../../support/texts/hostile-texts.ts'
import type { Agent } from '../support/http.ts'
import { claim, createJob, encode, GOOD_WORK, leaves } from '../support/jobs.ts'
import { useWorld } from '../support/world.ts'
import { DOCUMENTS, fillPages, PAGES, type PageName } from './page-addresses.ts'

const world = useWorld({ shared: true })

/** What browsers ask for when a person follows a link. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8'
/** Largest page in bytes, uncompressed. */
const PAGE_BYTES = 50_000
/** Largest page of a subject of the documentation, which describes all of its operations. */
const SUBJECT_BYTES = 150_000

let paths: Record<PageName, string>
let agent: Agent

beforeAll(async () => {
  ;({ agent, paths } = await fillPages(world()))
})

const get = (path: string, accept?: string): Promise<Response> =>
  fetch(world().base + path, { headers: accept === undefined ? {} : { accept } })

const titleOf = (text: string): string | undefined => /<title>([^<]*)/.exec(text)?.[1]

/** Pages that have one form alone. */
const OWN_PAGES: readonly PageName[] = ['verification', ...DOCUMENTS]
const ANSWERS = PAGES.filter((name) => !OWN_PAGES.includes(name))
/** Pages that describe every operation of a subject. */
const SUBJECTS: readonly PageName[] = ['subject of the documentation', 'ways to sign in']
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
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; img-src 'self' data:; base-uri 'none'; form-action '(?:none|self)'; frame-ancestors 'none'$/,
  )
  expect(headers.get('content-security-policy')).not.toContain('unsafe')
  expect(text.length).toBeLessThan(mostBytes)
  expect(text.replace(`<script>${SCRIPT}</script>`, '').match(/<script|<iframe|<img|<svg|\son\w+=|\sstyle=|javascript:/gi)).toBeNull()
  const loaded = [...text.matchAll(/<link[^>]*href="([^"]*)"/g)].map(([, href]) => href)
  expect(loaded.filter((href) => !/^(data:|\/)/.test(href ?? ''))).toEqual([])
}

describe('a page', () => {
  test.each(ANSWERS.concat(DOCUMENTS))('of %s is small, loads nothing and has one heading', async (name) => {
    const response = await get(paths[name], BROWSER)
    const text = await response.text()
    expect(response.status).toBe(200)
    expectPlain(text, response.headers, SUBJECTS.includes(name) ? SUBJECT_BYTES : PAGE_BYTES)
    expect(text.match(/<h1>/g)).toHaveLength(1)
    expect(text).toMatch(/<html lang="en">.*<title>[^<]+<\/title>/)
  })

  test.each(ANSWERS)('of %s is one form of its answer: without the wish there is JSON, with its own tag', async (name) => {
    const asPage = await get(paths[name], BROWSER)
    expect(asPage.headers.get('vary')?.split(/, */)).toContain('Accept')
    expect(asPage.headers.get('link')).toBe(`<${paths[name]}>; rel="alternate"; type="application/json"`)
    const [, alternate = ''] = /<link rel="alternate" type="application\/json" href="([^"]*)">/.exec(await asPage.text()) ?? []
    // Its address is the secret of a share, which its page does not repeat.
    if (name.startsWith('shared')) expect(alternate).toBe('')
    else expect((await get(alternate.replaceAll('&amp;', '&'))).headers.get('content-type')).toBe('application/json; charset=utf-8')
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
    expect(text).toContain(`<a href="/docs/errors/${code}"><code>${code}</code></a>`)
    const { nextActions } = (await (await get(path)).json()) as { nextActions: { method?: string; path?: string }[] }
    expect(nextActions).not.toEqual([])
    expect(text).toContain('<h2>What to do</h2>')
    for (const next of nextActions) if (next.method === 'GET') expect(text).toContain(`<li><a href="${next.path}">`)
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
    const { settlementProof } = await agent.get(paths.receipt)
    expect(text).toMatch(
      new RegExp(`<th scope="row">Payment</th><td><code class="id" tabindex="0" title="${settlementProof.transactionHash}">`),
    )
    expect(text.match(/title="0x[0-9a-f]{64}"/g)?.length).toBeGreaterThan(4)
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
    const { sharePrice, totalAssets, disclosure } = await agent.get('/pool')
    const text = await (await get('/pool', BROWSER)).text()
    for (const { display } of [sharePrice.assetsPerShare, totalAssets]) expect(text).toContain(`<b>${display} USDC</b>`)
    expect(text).toContain(`<p class="note">${disclosure.statement}</p>`)
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
    expect(text).toContain('<h2>What it costs</h2>')
    expect(text).toMatch(new RegExp(`<h2>Paid last</h2>.*${agent.account.address.toLowerCase()}</code></td><td>1 USDC</td>`, 's'))
    expect(inventory.claimableJobs).toBeGreaterThan(0)
    const commands = [...text.matchAll(/<pre[^>]*>([^<]*)<\/pre>/g)].map(([, command]) => command ?? '')
    expect(commands).toHaveLength(3)
    expect(commands.filter((command) => command.includes(world().base))).toHaveLength(3)
  })

  test('of a job says in a word whether it can be claimed, and what it pays and locks', async () => {
    const [open, finished] = await Promise.all([paths.job, paths['finished job']].map(async (path) => (await get(path, BROWSER)).text()))
    for (const shown of [
      '<span class="state good">Open</span>',
      '<th scope="row">Reward</th><td>1 USDC</td>',
      '<td>0.15 USDC</td>',
      '<h2>Begin</h2>',
    ])
      expect(open).toContain(shown)
    for (const shown of ['<span class="state off">Done</span>', '<td>0.15 USDC – none for the first claims of a wallet</td>'])
      expect(finished).toContain(shown)
    expect(finished).not.toContain('<h2>Begin</h2>')
  })

  test('that the navigation names is marked there', async () => {
    for (const path of ['/jobs', '/agents', '/docs', '/verify'])
      expect(await (await get(path, BROWSER)).text()).toContain(`<a href="${path}" aria-current="page">`)
  })

  test('of the jobs leads to the next one, with the same filters', async () => {
    const text = await (await get('/jobs?limit=1&tier=starter', BROWSER)).text()
    const [, next = ''] = /<a class="go" href="([^"]*)">More jobs/.exec(text) ?? []
    const address = new URL(next.replaceAll('&amp;', '&'), world().base)
    expect([address.searchParams.get('tier'), address.searchParams.get('limit')]).toEqual(['starter', '1'])
    expect((await get(address.pathname + address.search, BROWSER)).status).toBe(200)
  })

  test('shows hostile texts of a job as texts: its tags are those of a plain one', async () => {
    const shownTags = async (text: string): Promise<string[]> => {
      const jobId = await createJob(world(), { title: text, description: text, acceptanceCriteria: [text], agentInstructions: [text] })
      const response = await get(`/jobs/definition?jobId=${jobId}`, BROWSER)
      expect(response.status).toBe(200)
      const list = await (await get('/jobs?limit=1', BROWSER)).text()
      return tagsOf((await response.text()) + list)
    }
    const plain = await shownTags('A plain text')
    for (const text of HOSTILE_TITLES) expect(await shownTags(text)).toEqual(plain)
  })

  test.each(['home', 'job', 'badge', 'profile'] as const)('of %s names its own address for links on other pages', async (name) => {
    const text = await (await get(paths[name], BROWSER)).text()
    const [, address] = /<meta property="og:url" content="([^"]*)">/.exec(text) ?? []
    expect(new URL(address ?? '').origin).toBe(world().base)
    const [linked, opened] = await Promise.all([fetch(address ?? '', { headers: { accept: BROWSER } }), get(paths[name], BROWSER)])
    expect([linked.status, titleOf(await linked.text())]).toEqual([200, titleOf(await opened.text())])
  })
})

describe('the picture of a badge', () => {
  const pictureOf = async (path: string): Promise<Response> => get(`${path}/picture.svg`, BROWSER)
  const again = async ({ url, headers }: Response): Promise<number> =>
    (await fetch(url, { headers: { 'if-none-match': headers.get('etag') ?? '' } })).status

  test('is what its page and the signed badge name for links, as PNG', async () => {
    const text = await (await get(paths.badge, BROWSER)).text()
    const [, address = ''] = /<meta property="og:image" content="([^"]*)">/.exec(text) ?? []
    expect(text).toContain('<meta property="og:image:type" content="image/png">')
    expect(text).toContain('<meta name="twitter:card" content="summary_large_image">')
    const badge = (await (await get(paths.badge)).json()) as { image: string }
    expect([badge.image, address]).toEqual(Array(2).fill(`${world().base}${paths.badge}/picture.png`))
    const response = await fetch(address)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(response.headers.get('cache-control')).toBe('public, max-age=60')
    expect(await again(response)).toBe(304)
    const { width, height } = decodePng(Buffer.from(await response.arrayBuffer()))
    expect([width, height]).toEqual([1200, 630])
  })

  test('is an SVG, too, with a policy that lets it load and style nothing', async () => {
    const response = await pictureOf(paths.badge)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8')
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; (?!.*unsafe)/)
    expect(response.headers.get('cache-control')).toBe('public, max-age=60')
    expect(await again(response)).toBe(304)
    const wallet = agent.account.address.toLowerCase()
    const picture = await response.text()
    for (const shown of ['Agent Work Service', 'Retry policy of a client', '1 USDC', `${wallet.slice(0, 6)}…${wallet.slice(-4)}`])
      expect(picture).toContain(`>${shown}<`)
  })

  test('shows a hostile title as text: its tags are those of a plain one', async () => {
    const worker = await world().agent()
    const title = HOSTILE_TITLES.slice(0, 6).join(' ').slice(0, 240)
    const { sessionId } = await claim(worker, await createJob(world(), { title, onboardingWaiverEligible: true }))
    await worker.post('/jobs/submit', { sessionId, submission: GOOD_WORK })
    await leaves(worker, sessionId, 'submitted')
    const [hostile, plain] = await Promise.all([pictureOf(`/badges/${encode(sessionId)}`), pictureOf(paths.badge)])
    expect([hostile.status, tagsOf(await hostile.text())]).toEqual([200, tagsOf(await plain.text())])
  })

  test.each(['svg', 'png'])('of an unknown session is refused as the badge is, as %s', async (type) => {
    const response = await get(`/badges/${encode(`nothing-here:0x${'a'.repeat(40)}`)}/picture.${type}`)
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([404, 'session_not_found'])
  })
})

test('the sitemap names pages that open: those of the service, the badge and the public profile', async () => {
  const response = await get('/sitemap.xml')
  expect(response.headers.get('content-type')).toBe('application/xml; charset=utf-8')
  const named = [...(await response.text()).matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address ?? '')
  for (const path of ['/', '/jobs', '/docs', '/verify', paths.badge, paths.profile.toLowerCase()])
    expect([path, named.includes(world().base + path), (await get(path, BROWSER)).status]).toEqual([path, true, 200])
})
