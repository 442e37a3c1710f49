// The pages in a browser: in both colours and three widths, without a message in its console, and read by axe. The gate shows every second page on one of
// these screens; `npm run browse` shows each on all.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Browser, chromium, type Page } from 'playwright-core'
import { badgePicture } from '../../../api/reputation/badge-picture.ts'
import { buildBadge } from '../../../domain/reputation/badge.ts'
import { badgeFacts, WORKER } from '../../domain/builders/badge.ts'
import { fillPages, PAGES, type PageName } from '../../e2e/common/page-addresses.ts'
import { useWorld } from '../../e2e/support/world.ts'
import { oneIn, PLAYS_ALL, sampleOf } from '../../support/cases/sample.ts'
import { HOSTILE, HOSTILE_TITLES } from '../../support/texts/hostile-texts.ts'
import { EXECUTABLE, readAloud } from '../support/chromium.ts'

const WIDTHS = [375, 768, 1440]
const COLOURS = ['light', 'dark'] as const

const world = useWorld({ shared: true })
let paths: Record<PageName, string>
let browser: Browser

/** Opens a page; collects what its console says and what it asks of other origins. */
const open = async (path: string, colorScheme: (typeof COLOURS)[number], width: number) => {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 }, bypassCSP: true })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith(world().base) && !request.url().startsWith('data:')) faults.push(request.url())
  })
  const response = await page.goto(world().base + path, { waitUntil: 'networkidle' })
  return { page, faults, status: response?.status(), close: () => context.close() }
}

/** What a browser makes of a picture: its texts, and those that leave the card or cross its right edge. */
const drawnTexts = (page: Page): Promise<{ root: string; texts: string[]; outside: string[] }> =>
  page.evaluate(() => {
    interface Drawn {
      textContent: string
      getBBox(): { x: number; y: number; width: number; height: number }
    }
    const { document } = globalThis as unknown as {
      document: { documentElement: { nodeName: string }; querySelectorAll(name: string): Iterable<Drawn> }
    }
    const drawn = [...document.querySelectorAll('text')]
    const isOutside = (text: Drawn): boolean => {
      const { x, y, width, height } = text.getBBox()
      return text.textContent !== '' && (width === 0 || x < 80 || x + width > 1_130 || y < 60 || y + height > 580)
    }
    return {
      root: document.documentElement.nodeName,
      texts: drawn.map(({ textContent }) => textContent),
      outside: drawn.filter(isOutside).map(({ textContent }) => textContent),
    }
  })

const inBrowser = EXECUTABLE === undefined ? describe.skip : describe

inBrowser(EXECUTABLE === undefined ? 'pages: this machine has no chromium' : 'pages in a browser', () => {
  beforeAll(async () => {
    ;({ paths } = await fillPages(world()))
    browser = await chromium.launch({ executablePath: EXECUTABLE ?? '', args: ['--no-sandbox'] })
  })
  afterAll(() => browser.close())

  const FAILED = {
    'an unknown path': '/nowhere',
    'a refused filter': '/jobs?tier=gold',
    'a private profile': `/agents/0x${'a'.repeat(40)}`,
  }

  const SCREENS = COLOURS.flatMap((colours) => WIDTHS.map((width) => ({ colours, width })))
  const SHOWN = [...PAGES, ...Object.keys(FAILED)].flatMap((name) => SCREENS.map((screen) => ({ name, ...screen })))
  const SAMPLE = oneIn(
    2,
    sampleOf(SHOWN, ({ name, colours, width }) => [name, [colours, width]]),
  )

  test.each(SAMPLE)(
    '$name, $colours, $width wide: no finding of axe, nothing to the side, no message',
    async ({ name, colours, width }) => {
      const { page, faults, close } = await open({ ...paths, ...FAILED }[name] ?? '', colours, width)
      const found = { ...(await readAloud(page)), faults: faults.filter((text) => !text.includes('status of 4')) }
      expect(found).toEqual({ axe: [], faults: [], sideways: false })
      await close()
    },
  )

  test('the picture of a badge is drawn as it is served, without a message', async () => {
    const { page, faults, close } = await open(`${paths.badge}/picture.svg`, 'light', 1200)
    const { texts, outside } = await drawnTexts(page)
    // A picture names no icon, so the browser looks for one.
    expect({ outside, faults: faults.filter((fault) => !fault.includes('status of 404')) }).toEqual({ outside: [], faults: [] })
    expect(texts).toEqual(expect.arrayContaining(['Approved and paid', 'Retry policy of a client', '1 USDC']))
    await close()
  })

  const LONG = ['W', 'm', '%', '漢', '👩‍👩‍👧', 'o', '8', 'Wide Words '].map((unit) => unit.repeat(240).slice(0, 240))

  const TITLES = oneIn(2, [...(PLAYS_ALL ? HOSTILE : HOSTILE_TITLES), ...LONG])

  test.each(TITLES)('the picture of a badge keeps every text on its card with the title %j', async (jobTitle) => {
    const picture = badgePicture(buildBadge(badgeFacts({ jobTitle, sessionId: `${jobTitle.slice(0, 150).toWellFormed()}:${WORKER}` })))
    const page = await browser.newPage({ viewport: { width: 1200, height: 630 } })
    await page.goto(`data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture)}`)
    const { root, texts, outside } = await drawnTexts(page)
    expect({ root, outside }).toEqual({ root: 'svg', outside: [] })
    expect(texts).toEqual(expect.arrayContaining(['Approved and paid', '2 USDC', '0x7099…79c8']))
    await page.close()
  })

  test('a badge is checked by one click', async () => {
    const { page, close } = await open(paths.badge, 'light', 1440)
    await page.getByRole('link', { name: 'Verify it yourself' }).click()
    await page.locator('#result .sound').waitFor()
    expect(await page.locator('#result').textContent()).toMatch(/^SoundThis badge is sound. Wallet 0x/)
    await close()
  })

  test('the keyboard alone reaches the content, every link and every table', async () => {
    const { page, close } = await open('/jobs', 'light', 768)
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe('Skip to the content')
    const wanted = await page.locator('a[href], [tabindex="0"]').count()
    const reached = new Set<string>()
    for (let press = 0; press < wanted; press += 1) {
      reached.add(await page.locator(':focus').evaluate((element) => (element as unknown as { outerHTML: string }).outerHTML.slice(0, 300)))
      await page.keyboard.press('Tab')
    }
    const all = await page
      .locator('a[href], [tabindex="0"]')
      .evaluateAll((elements) => elements.map((element) => (element as unknown as { outerHTML: string }).outerHTML.slice(0, 300)))
    expect(new Set(all)).toEqual(reached)
    await close()
  })

  describe('a block of commands', () => {
    const openDocs = async (options: Parameters<Browser['newContext']>[0] = {}) => {
      const context = await browser.newContext(options)
      const page = await context.newPage()
      const faults: string[] = []
      page.on('console', (message) => faults.push(message.text()))
      await page.goto(`${world().base}/docs/shares`)
      return { context, page, faults, block: page.locator('pre[tabindex]').first() }
    }

    test('is copied by its button under the policy of the page, and the page says so to every reader', async () => {
      const { context, page, faults, block } = await openDocs({ permissions: ['clipboard-read', 'clipboard-write'] })
      expect(await page.getByRole('button', { name: 'Copy' }).count()).toBeGreaterThan(1)
      await page.getByRole('button', { name: 'Copy' }).first().press('Enter')
      await page.getByRole('button', { name: 'Copied' }).waitFor()
      expect(await page.getByRole('status').textContent()).toBe('Copied')
      const copied = await page.evaluate(() =>
        (globalThis as unknown as { navigator: { clipboard: { readText(): Promise<string> } } }).navigator.clipboard.readText(),
      )
      expect([copied, faults]).toEqual([await block.textContent(), []])
      await context.close()
    })

    test('is selected when the clipboard refuses', async () => {
      const { context, page, block } = await openDocs()
      await page.evaluate(() => {
        const { navigator } = globalThis as unknown as { navigator: { clipboard: { writeText(): Promise<never> } } }
        navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))
      })
      await page.getByRole('button', { name: 'Copy' }).first().click()
      await page.getByRole('button', { name: 'Selected' }).waitFor()
      const selected = await page.evaluate(() => (globalThis as unknown as { getSelection(): object }).getSelection().toString())
      expect(selected.trim()).toBe((await block.textContent())?.trim())
      await context.close()
    })

    test('has no button without a script', async () => {
      const { context, page } = await openDocs({ javaScriptEnabled: false })
      expect(await page.getByRole('button').count()).toBe(0)
      await context.close()
    })

    test('of another form is opened by the keyboard, and closes the one before', async () => {
      const { context, page } = await openDocs({ javaScriptEnabled: false })
      const tabs = page.locator('.tabs').first()
      const isShown = (kind: string): Promise<boolean> => tabs.locator('details', { hasText: kind }).first().locator('pre').isVisible()
      await tabs.getByText('TypeScript', { exact: true }).focus()
      await page.keyboard.press('Enter')
      expect([await isShown('curl -s'), await isShown('client.')]).toEqual([false, true])
      await context.close()
    })
  })
})
