// Every page of the console in a browser: full, empty and failed, in both colours and three widths, read by axe, and by the keyboard alone. The gate
// shows a sample; `npm run browse` shows each on all screens.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Browser, chromium } from 'playwright-core'
import { createClient } from '../../../client/src/index.ts'
import { ACTIONS } from '../../../console/actions/all.ts'
import { address } from '../../../console/look/values.ts'
import { PAGES } from '../../../console/pages/all.ts'
import { type Access, accessOf } from '../../../console/session/access.ts'
import { type StartedConsole, startConsole } from '../../e2e/console/support/console.ts'
import { fillSubjects } from '../../e2e/console/support/subjects.ts'
import { claim, createJob, fundedAgent } from '../../e2e/support/jobs.ts'
import { useWorld } from '../../e2e/support/world.ts'
import { oneIn, PLAYS_ALL, sampleOf } from '../../support/cases/sample.ts'
import { EXECUTABLE, readAloud } from '../support/chromium.ts'
import { controlsOf, focusedOf, openReader } from './reader.ts'

const SCREENS = (['light', 'dark'] as const).flatMap((colours) => [375, 768, 1440].map((width) => ({ colours, width })))
const STATES = ['full', 'empty', 'no subject', 'API away'] as const

const world = useWorld({ shared: true })
let browser: Browser
let site: StartedConsole
/** A console whose API does not answer. */
let lonely: StartedConsole
let filled: Awaited<ReturnType<typeof fillSubjects>>

const UNKNOWN = {
  jobId: 'job-that-there-is-not',
  sessionId: `job-that-there-is-not:0x${'a'.repeat(40)}`,
  disputeId: 'dispute-that-there-is-not',
  wallet: `0x${'a'.repeat(40)}`,
  runId: 'run-that-there-is-not',
  requestId: `0x${'1'.repeat(64)}`,
}
/** Filters that nothing matches. */
const NOTHING = { jobId: 'none', wallet: `0x${'b'.repeat(40)}`, subject: `0x${'b'.repeat(40)}` }

const addressIn = (state: (typeof STATES)[number], path: string): string =>
  address(path, state === 'full' ? filled.subjects : state === 'empty' ? NOTHING : UNKNOWN)

const ROLES = ['admin', 'arbitrator', 'verifier'] as const
let readers: readonly { token: string; access: Access }[]
/** Token of one who has the page or action. */
const tokenFor = (path: string): string => {
  const action = ACTIONS.find(({ name }) => path === `/do/${name}`)
  const operations = action ? [action.operation, ...(action.reads ?? [])] : (PAGES.find((page) => page.path === path)?.operations ?? [])
  const reader = readers.find(({ access }) => operations.every(access.may))
  if (reader === undefined) throw new Error(`no reader has ${path}`)
  return reader.token
}

const open = (which: StartedConsole, path: string, { colours, width }: (typeof SCREENS)[number]) =>
  openReader(browser, which.url, {
    token: tokenFor(path),
    colorScheme: colours,
    viewport: { width, height: 900 },
    bypassCSP: true,
  })

const LISTS = PAGES.filter(({ group }) => group !== undefined)
const SHOWN = [
  ...PAGES.flatMap(({ path }) => STATES.map((state) => ({ path: path as string, state }))).filter(
    ({ path, state }) => state !== 'no subject' || !LISTS.some((page) => page.path === path),
  ),
  ...ACTIONS.map(({ name }) => ({ path: `/do/${name}`, state: 'full' as const })),
  ...['/sign-in', '/nowhere'].map((path) => ({ path, state: 'full' as const })),
].flatMap((one) => SCREENS.map((screen) => ({ ...one, ...screen })))
const SAMPLE = oneIn(
  2,
  sampleOf(SHOWN, ({ path, state, colours, width }) => [path, state, [colours, width]]),
)

const inBrowser = EXECUTABLE === undefined ? describe.skip : describe

inBrowser(EXECUTABLE === undefined ? 'pages of the console: this machine has no chromium' : 'pages of the console in a browser', () => {
  beforeAll(async () => {
    filled = await fillSubjects(world())
    readers = await Promise.all(
      ROLES.map(async (role) => {
        const token = filled.tokens[role]
        return { token, access: accessOf(await createClient({ baseUrl: world().base, token }).getAuthSession()) }
      }),
    )
    site = await startConsole(world().base)
    lonely = await startConsole('http://127.0.0.1:1')
    browser = await chromium.launch({ executablePath: EXECUTABLE ?? '', args: ['--no-sandbox'] })
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
    await lonely?.close()
  })

  test.each(SAMPLE)('$path, $state, $colours, $width wide: no finding of axe, nothing to the side, no message', async (shown) => {
    const { path, state } = shown
    const { page, faults, visit, close } = await open(state === 'API away' ? lonely : site, path, shown)
    const status = (await visit(addressIn(state, path)))?.status() ?? 0
    await page.locator('h1').waitFor()
    const found = { ...(await readAloud(page)), faults: faults.filter((text) => !/status of (4\d\d|502)/.test(text)) }
    expect({ ...found, hasFailed: status >= 500 }).toEqual({
      axe: [],
      faults: [],
      sideways: false,
      hasFailed: state === 'API away' && status === 502,
    })
    await close()
  })

  test('the sample has every page', () => {
    if (PLAYS_ALL) expect(new Set(SAMPLE.map(({ path }) => path)).size).toBe(PAGES.length + ACTIONS.length + 2)
  })

  describe('the keyboard alone', () => {
    const WIDE = { colours: 'light', width: 1280 } as const

    test('skips to the content, and reaches every control in the order of the page', async () => {
      const agent = await fundedAgent(world())
      await claim(agent, await createJob(world()))
      const { page, faults, visit, close } = await open(site, '/sessions', WIDE)
      await visit(`/sessions?wallet=${agent.account.address}`)
      const wanted = await controlsOf(page)
      const reached: string[] = []
      for (const _control of wanted) {
        await page.keyboard.press('Tab')
        // An update takes the focus for a moment, and gives it back.
        await page.locator(':focus').waitFor({ state: 'attached' })
        reached.push(await focusedOf(page))
      }
      expect(reached).toEqual(wanted)
      await page.locator('.skip').focus()
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
      expect([await focusedOf(page), faults]).toEqual(['input search', []])
      await close()
    })

    test('walks the rows, opens one, searches, shows the help and changes the times', async () => {
      const agent = await fundedAgent(world())
      const jobs = [await createJob(world(), { title: 'One row' }), await createJob(world(), { title: 'Another row' })]
      for (const jobId of jobs) await claim(agent, jobId)
      const { page, faults, visit, close } = await open(site, '/sessions', WIDE)
      await visit(`/sessions?wallet=${agent.account.address}`)
      const rowOf = () => page.locator('.rows tr:focus-within a').first().innerText()
      const walked: string[] = []
      for (const key of ['j', 'j', 'j', 'k']) {
        await page.keyboard.press(key)
        walked.push(await rowOf())
      }
      const [first = '', second = ''] = await page.locator('.rows td:first-child a:first-child').allInnerTexts()
      expect([walked, new Set(walked).size]).toEqual([[first, second, second, first], 2])

      await page.keyboard.press('?')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      const time = page.locator('.rows time').last()
      expect(await time.innerText()).toMatch(/ ago$/)
      await page.keyboard.press('t')
      expect(await time.innerText()).toMatch(/^\d+ \w+ \d{4},? (at )?\d\d:\d\d:\d\d UTC$/)
      await page.keyboard.press('t')
      expect(await time.innerText()).toMatch(/\d\d:\d\d:\d\d$/)
      await page.keyboard.press('t')
      expect(await time.innerText()).toMatch(/ ago$/)

      await page.keyboard.press('/')
      expect(await focusedOf(page)).toBe('input search')
      // Where one types, a letter is a letter.
      await page.keyboard.type('jk?t')
      expect(await page.locator('#search').inputValue()).toBe('jk?t')
      await page.locator('.rows a').first().focus()
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/session\?sessionId=/)
      expect([await page.getByRole('heading', { level: 1 }).innerText(), faults]).toEqual([first, []])
      await close()
    })
  })
})
