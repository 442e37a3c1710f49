// The page that checks records, in a browser with the policy of the service: dropped, chosen, pasted and named records.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Browser, chromium, type Page } from 'playwright-core'
import { moveTime } from '../../../local/time/move.ts'
import type { Agent } from '../../e2e/support/http.ts'
import { claim, createJob, encode, GOOD_WORK, leaves } from '../../e2e/support/jobs.ts'
import { serviceNow } from '../../e2e/support/time.ts'
import { useWorld } from '../../e2e/support/world.ts'
import { eventually } from '../../support/eventually.ts'
import { HOSTILE } from '../../support/texts/hostile-texts.ts'
import { EXECUTABLE, readAloud } from '../support/chromium.ts'

const COLOURS = ['light', 'dark'] as const
const DAY = 86_400_000
const [WIDTH, HEIGHT] = [375, 900]

const world = useWorld()
let browser: Browser
let agent: Agent
/** Path of a badge, and records as text. */
let badgePath: string
let badge: string
let receiptPath: string
let receipt: string
let timeline: string
let keySet: string

interface Opened {
  page: Page
  faults: string[]
  close: () => Promise<void>
}

/** Opens the page at the time of the service; collects what its console says and what it asks of other origins. */
const open = async (record?: string, colorScheme: (typeof COLOURS)[number] = 'light'): Promise<Opened> => {
  const context = await browser.newContext({ colorScheme, viewport: { width: WIDTH, height: HEIGHT } })
  const page = await context.newPage()
  await page.clock.setSystemTime(serviceNow(world()))
  const faults: string[] = []
  page.on('console', (message) => faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith(world().base) && !/^(data|blob):/.test(request.url())) faults.push(request.url())
  })
  await page.goto(`${world().base}/verify${record === undefined ? '' : `?record=${encode(record)}`}`, { waitUntil: 'networkidle' })
  return { page, faults, close: () => context.close() }
}

/** Drops files on the page, as a person does on its heading. */
const drop = async (page: Page, files: Record<string, string>): Promise<void> => {
  const transfer = await page.evaluateHandle((texts) => {
    const { DataTransfer, File } = globalThis as unknown as {
      DataTransfer: new () => { items: { add(file: unknown): void } }
      File: new (parts: string[], name: string) => unknown
    }
    const made = new DataTransfer()
    for (const [name, text] of Object.entries(texts)) made.items.add(new File([text], name))
    return made
  }, files)
  await page.dispatchEvent('h1', 'drop', { dataTransfer: transfer })
}

/** The verdict, when the check has ended. */
const verdict = async (page: Page, frame = '.sound, .refused, .undecided, .note'): Promise<string> => {
  await page.locator('#result').locator(frame).first().waitFor()
  await page.locator('#result', { hasNotText: 'Checking …' }).waitFor()
  return String(await page.locator('#result').textContent())
}

const unfold = (page: Page): Promise<void> =>
  page.locator('#more details').evaluateAll((folds) => {
    for (const fold of folds) (fold as unknown as { open: boolean }).open = true
  })

const expectReadable = async (page: Page): Promise<void> => {
  await unfold(page)
  expect(await readAloud(page)).toEqual({ axe: [], sideways: false })
}

const inBrowser = EXECUTABLE === undefined ? describe.skip : describe

inBrowser(EXECUTABLE === undefined ? 'the page of the verifier: this machine has no chromium' : 'the page of the verifier', () => {
  beforeAll(async () => {
    const get = async (path: string): Promise<string> => (await fetch(world().base + path)).text()
    agent = await world().agent()
    const { sessionId } = await claim(agent, await createJob(world(), { onboardingWaiverEligible: true }))
    await agent.post('/jobs/submit', { sessionId, submission: GOOD_WORK })
    await leaves(agent, sessionId, 'submitted')
    badgePath = `/badges/${encode(sessionId)}`
    receiptPath = `/receipts/${(await agent.get('/receipts?limit=1')).receipts[0].receiptId}`
    timeline = JSON.stringify(await agent.get(`/session/timeline?sessionId=${encode(sessionId)}`))
    ;[badge, receipt, keySet] = await Promise.all([get(badgePath), get(receiptPath), get('/.well-known/jwks.json')])
    browser = await chromium.launch({ executablePath: EXECUTABLE ?? '', args: ['--no-sandbox'] })
  })
  afterAll(() => browser.close())

  test.each([
    ['badge', () => badgePath],
    ['work receipt', () => receiptPath],
  ])('a named %s is sound in words, with the key that this service lists today and a link back', async (kind, path) => {
    const { page, faults, close } = await open(path())
    const words = await verdict(page, '.sound')
    expect(words).toContain(`This ${kind} is sound. Wallet ${agent.account.address.toLowerCase()} did the job`)
    expect(words).toMatch(/was paid 1( of 1)? USDC/)
    expect(words).toContain('The key set is what this service says today')
    expect(await page.getByRole('link', { name: `Page of this ${kind.split(' ').at(-1)}` }).getAttribute('href')).toBe(path())
    expect(await page.getByRole('heading', { name: 'What was checked' }).count()).toBe(1)
    await expectReadable(page)
    expect(faults).toEqual([])
    await close()
  })

  test('a badge is checked with the key set that is dropped beside it', async () => {
    const { page, close } = await open()
    await page.context().setOffline(true)
    await drop(page, { 'a.json': keySet, 'b.json': badge })
    expect(await verdict(page, '.sound')).toContain('The key set is one that you kept.')
    expect(await page.locator('#kept').textContent()).toContain('Key set that you kept: the file a.json')
    await close()
  })

  test('without the service and without a key set nothing is decided, and the page says what to add', async () => {
    const { page, close } = await open()
    await page.context().setOffline(true)
    await drop(page, { 'badge.json': badge })
    expect(await verdict(page, '.undecided')).toMatch(
      /Cannot be decided\s*Whether this badge is sound cannot be decided: this service could not be asked for its key set \(it cannot be reached\): add a key set that you kept, or try again later\./,
    )
    // Then the key set alone is enough: the badge is still there.
    await drop(page, { 'keys.json': keySet })
    expect(await verdict(page, '.sound')).toContain('This badge is sound.')
    await close()
  })

  test('a record of another service needs the key set of that service, and nothing is asked of it', async () => {
    const { page, faults, close } = await open()
    const { external_url: url } = JSON.parse(badge) as { external_url: string }
    await drop(page, { 'other.json': badge.replaceAll(url, `https://other.example${badgePath}`) })
    expect(await verdict(page, '.undecided')).toContain(
      'it names the service https://other.example, and not this one: save the key set of that service, https://other.example/.well-known/jwks.json, and add it here',
    )
    await page.goto(`${world().base}/verify?record=${encode(`https://other.example${badgePath}`)}`)
    expect(await verdict(page)).toContain('is not of this service')
    expect(faults).toEqual([])
    await close()
  })

  test('a named record that arrives after another one was dropped does not replace it', async () => {
    const { page, close } = await open()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route(`**${badgePath}`, async (route) => {
      await released
      await route.continue()
    })
    const asked = page.waitForRequest(`**${badgePath}`)
    await page.goto(`${world().base}/verify?record=${encode(badgePath)}`)
    await asked
    await drop(page, { 'receipt.json': receipt })
    expect(await verdict(page, '.sound')).toContain('This work receipt is sound.')
    const arrived = page.waitForResponse(`**${badgePath}`)
    release()
    await (await arrived).finished()
    // A second reading of the badge in the page ends after the first one.
    await page.evaluate(async (path) => (await fetch(path, { headers: { accept: 'application/json' } })).text(), badgePath)
    await drop(page, { 'keys.json': keySet })
    await page.locator('#kept', { hasText: 'keys.json' }).waitFor()
    expect(await verdict(page, '.sound')).toContain('This work receipt is sound.')
    await close()
  })

  test('a tampered badge is not sound, beside a sound one of the same drop', async () => {
    const { page, close } = await open()
    await drop(page, { 'true.json': badge, 'false.json': badge.replace('"amount":"1000000"', '"amount":"9000000"') })
    await verdict(page, '.refused')
    const verdicts = await page.locator('#result > div').allTextContents()
    expect(verdicts).toEqual([
      expect.stringMatching(/^the file true\.json\s*Sound\s*This badge is sound/),
      expect.stringMatching(/^the file false\.json\s*Not sound\s*This badge is not sound: .*Do not rely on it\./),
    ])
    await expectReadable(page)
    await close()
  })

  const LARGE = 10_000_000
  test.each<[string, () => string, RegExp]>([
    ['no JSON', () => HOSTILE.join('\n'), /Not a record\s*The file .* it is not JSON/],
    ['JSON of something else', () => '{"name":"package"}', /Not a record\s*.* it is no badge/],
    [
      'a word of 10,000 letters',
      () => JSON.stringify({ service: {}, [`\u202E<b>${'W'.repeat(10_000)}`]: HOSTILE }),
      /Not sound\s*This badge/,
    ],
    ['a nesting of 100,000 levels', () => '['.repeat(100_000) + ']'.repeat(100_000), /Not a record/],
    ['10 MB of escapes', () => JSON.stringify({ service: '"'.repeat(LARGE / 2) }), /Not sound\s*This badge/],
    [
      'an amount beyond 2^53',
      () => badge.replace('"level":1', '"level":9007199254740993'),
      /Not sound\s*The file .* readers round differently/,
    ],
    ['an amount of 400 digits', () => badge.replace('"1000000"', `"${'9'.repeat(400)}"`), /Not sound\s*This badge/],
  ])('a file with %s is a text, and gets a clear sentence', async (_what, make, words) => {
    const { page, faults, close } = await open()
    const tags = () =>
      page.locator('#result *, #more *').evaluateAll((all) => all.map((one) => (one as unknown as { localName: string }).localName))
    await drop(page, { [`${HOSTILE[1]?.replaceAll('/', '')}.json`]: make() })
    expect(await verdict(page, '.refused, .undecided')).toMatch(words)
    expect((await tags()).filter((name) => /^(script|img|svg|iframe|b)$/.test(name))).toEqual(['b'])
    expect(await page.locator('#result').textContent()).not.toContain('\u202E')
    await expectReadable(page)
    expect(faults).toEqual([])
    await close()
  })

  test('by keyboard alone a text is typed and checked', async () => {
    const { page, close } = await open()
    await page.locator('#files').focus()
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').getAttribute('id')).toBe('record')
    await page.keyboard.insertText(badge)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await verdict(page, '.sound')).toContain('This badge is sound.')
    await page.locator('#files').setInputFiles({ name: 'cut.json', mimeType: 'application/json', buffer: Buffer.from(badge.slice(0, -9)) })
    expect(await verdict(page, '.undecided')).toContain('it is not JSON')
    await close()
  })

  test.each(COLOURS)('the empty page has no finding of axe in %s', async (colours) => {
    const { page, close } = await open(undefined, colours)
    await expectReadable(page)
    await close()
  })

  test('a history is checked with the heads that the page fetches, once a head has it', async () => {
    const { page, close } = await open()
    await drop(page, { 'history.json': timeline })
    expect(await verdict(page, '.undecided')).toMatch(/a history needs signed heads|no head has an entry of this history/)
    await close()
    const midnight = (Math.floor(serviceNow(world()) / DAY) + 1) * DAY
    await moveTime(world().info, { instant: midnight + 60_000 })
    const day = new Date(midnight - DAY).toISOString().slice(0, 10)
    const isSealed = async () => (await world().call('/log/heads')).body.heads.some((head: { day: string }) => head.day === day)
    await eventually('the day has a head', isSealed)
    const later = await open(undefined, 'dark')
    await drop(later.page, { 'history.json': timeline })
    const words = await verdict(later.page, '.sound')
    expect(words).toMatch(
      /This history is sound\. The session .* went from claimed on .* to resolved on .*; signed heads publish 3 of its 3 entries/,
    )
    expect(words).toContain('The heads of the session log are what this service says today')
    await expectReadable(later.page)
    const saving = later.page.waitForEvent('download')
    await later.page.getByRole('link', { name: 'Save the heads of its session log' }).click()
    expect((await saving).suggestedFilename()).toBe('heads.json')
    // An entry that is altered is found with the same heads.
    await drop(later.page, { 'altered.json': timeline.replaceAll('"to":"submitted"', '"to":"expired"') })
    expect(await verdict(later.page, '.refused')).toMatch(/This history is not sound/)
    await later.close()
  })
})
