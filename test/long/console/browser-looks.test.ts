// Every page of the console in a browser: full, empty and failed, in both colours and three widths, read by axe. The gate shows a sample;
// `npm run browse` shows each on all screens. Keys: browser-keyboard.test.ts.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Browser, chromium } from 'playwright-core'
import { ACTIONS } from '../../../console/actions/all.ts'
import { address } from '../../../console/look/values.ts'
import { PAGES } from '../../../console/pages/all.ts'
import { type StartedConsole, startConsole } from '../../e2e/console/support/console.ts'
import { fillSubjects, subjectsAt } from '../../e2e/console/support/subjects.ts'
import { useWorld } from '../../e2e/support/world.ts'
import { oneIn, PLAYS_ALL, sampleOf } from '../../support/cases/sample.ts'
import { EXECUTABLE, readAloud } from '../support/chromium.ts'
import { openReader, type TokenFor, tokensOf } from './reader.ts'
import { type Manner, startStandIn } from './stand-in.ts'

const SCREENS = (['light', 'dark'] as const).flatMap((colorScheme) => [375, 768, 1440].map((width) => ({ colorScheme, width })))

/** How a page is seen: `no subject` asks for one that there is not, `API away` has a console whose API does not answer. */
type State = 'full' | 'empty' | 'failed' | 'no subject' | 'API away'
interface Shown {
  path: string
  state: State
  /** Place of the screen that the gate shows. */
  screen: number
}

const MANNERS: Readonly<Record<Exclude<State, 'API away'>, Manner>> = {
  full: 'fills',
  empty: 'empties',
  failed: 'fails',
  'no subject': 'empties',
}

const UNKNOWN = {
  jobId: 'job-that-there-is-not',
  sessionId: `job-that-there-is-not:0x${'a'.repeat(40)}`,
  disputeId: 'dispute-that-there-is-not',
  wallet: `0x${'a'.repeat(40)}`,
  runId: 'run-that-there-is-not',
}

/** Pages and actions that the console registers, each in its states: a new one is seen, too. */
const statesOf = (): { path: string; state: State }[] => [
  ...PAGES.flatMap(({ path, group }) =>
    (['full', 'empty', 'failed', ...(group === undefined ? (['no subject'] as const) : [])] as const).map((state) => ({ path, state })),
  ),
  ...ACTIONS.flatMap(({ name }) => (['full', 'failed'] as const).map((state) => ({ path: `/do/${name}`, state }))),
  ...['/time', '/sign-in', '/nowhere'].map((path) => ({ path, state: 'full' as const })),
  { path: '/', state: 'API away' },
]
const SHOWN: Shown[] = statesOf().map((one, place) => ({ ...one, screen: place % SCREENS.length }))
/** A few of every state and screen, other ones with another seed. */
const SAMPLE = oneIn(
  6,
  sampleOf(SHOWN, ({ path, state, screen }) => [path.startsWith('/do/') ? 'action' : path.length, state, screen]),
)

const world = useWorld({ shared: true })
let browser: Browser
let subjects: Readonly<Record<string, string>>
let tokenFor: TokenFor
const sites = {} as Record<State, StartedConsole>
const closing: (() => Promise<unknown>)[] = []

/** Where the local time is moved; nothing listens there, and no test here moves it. */
const LOCAL_TIME = { LOCAL_TIME_URL: 'http://127.0.0.1:1', LOCAL_TIME_SECRET: 'none' }

const start = async (state: State): Promise<void> => {
  const api = state === 'API away' ? undefined : await startStandIn(world().base, MANNERS[state])
  const site = await startConsole(api?.url ?? 'http://127.0.0.1:1', LOCAL_TIME)
  sites[state] = site
  closing.push(site.close, async () => api?.close())
}

/** Statuses that a page in this state may have; the console of the browser then says so, too. */
const isExpected = (state: State, path: string, status: number): boolean =>
  state === 'API away'
    ? status === 502
    : state === 'failed'
      ? status === 503 || status === 200
      : state === 'no subject' || path === '/run'
        ? status < 500
        : path === '/nowhere'
          ? status === 404
          : status === 200

const inBrowser = EXECUTABLE === undefined ? describe.skip : describe

inBrowser(EXECUTABLE === undefined ? 'pages of the console: this machine has no chromium' : 'pages of the console in a browser', () => {
  beforeAll(async () => {
    const filled = await fillSubjects(world())
    subjects = filled.subjects
    tokenFor = await tokensOf(world().base, filled.tokens)
    await Promise.all((['full', 'empty', 'failed', 'no subject', 'API away'] as const).map(start))
    browser = await chromium.launch({ executablePath: EXECUTABLE ?? '', args: ['--no-sandbox'] })
  })
  afterAll(async () => {
    await browser?.close()
    for (const close of closing) await close()
  })

  test.each(SAMPLE)('$path, $state: no finding of axe, nothing to the side, no message', async ({ path, state, screen }) => {
    const reader = await openReader(browser, sites[state].url, { token: tokenFor(path), bypassCSP: true })
    const { page, faults, visit, close } = reader
    const status = (await visit(address(path, state === 'no subject' ? UNKNOWN : subjectsAt(path, subjects))))?.status() ?? 0
    await page.locator('h1').waitFor()
    const found: unknown[] = []
    for (const { colorScheme, width } of PLAYS_ALL ? SCREENS : SCREENS.slice(screen, screen + 1)) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      const { axe, sideways } = await readAloud(page)
      if (axe.length > 0 || sideways) found.push({ colorScheme, width, axe, sideways })
    }
    const messages = faults.filter((text) => !/status of (4\d\d|50[23])/.test(text))
    expect({ found, messages, status: isExpected(state, path, status) ? 'expected' : status }).toEqual({
      found: [],
      messages: [],
      status: 'expected',
    })
    await close()
  })

  test('no page is left out', () => {
    const seen = new Set(SHOWN.map(({ path, state }) => `${path} ${state}`))
    const missing = PAGES.flatMap(({ path }) => ['full', 'empty', 'failed'].filter((state) => !seen.has(`${path} ${state}`)))
    expect(missing).toEqual([])
    if (PLAYS_ALL) expect(SAMPLE).toEqual(SHOWN)
  })
})
