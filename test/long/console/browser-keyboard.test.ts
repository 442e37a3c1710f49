// The console by the keyboard alone, in a browser over a stack of its own time: every action, the rows, the search and the help. The gate takes a few
// of the actions, `npm run browse` all.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Browser, chromium, type Page } from 'playwright-core'
import { privateKeyToAccount } from 'viem/accounts'
import { actionAddress } from '../../../console/actions/action.ts'
import { ACTIONS } from '../../../console/actions/all.ts'
import { type StartedConsole, startConsole } from '../../e2e/console/support/console.ts'
import { claim, createJob, fundedAgent } from '../../e2e/support/jobs.ts'
import { useTemporalClient } from '../../e2e/support/temporal-client.ts'
import { useWorld } from '../../e2e/support/world.ts'
import { inTurns, oneIn } from '../../support/cases/sample.ts'
import { EXECUTABLE } from '../support/chromium.ts'
import { KEY_ROWS, type KeyRow } from './keyboard-rows.ts'
import { controlsOf, focusedOf, headingOf, openReader, skipToContent, tab, tabTo } from './reader.ts'
import { startStandIn } from './stand-in.ts'

const CONTENT = '#content-of-page'
const REASON = 'Test: by keys alone, read against the whole task.'

/** A gate takes one of the actions, and with some seeds a walk. */
const play = inTurns(6)

const world = useWorld()
const engine = useTemporalClient(world)
let browser: Browser
let site: StartedConsole
/** A console over an API that has an example of every record. */
let filled: StartedConsole
let standIn: Awaited<ReturnType<typeof startStandIn>>
let arbitrator: Awaited<ReturnType<ReturnType<typeof world>['agent']>>

const tokenOf = (role: KeyRow['role']): string =>
  (role === undefined ? world().admin : role === 'verifier' ? world().verifier : arbitrator).token()

/** Types or chooses what the focused control is given; of checks, the one with that value. */
const fill = async (page: Page, control: string, types: Readonly<Record<string, string>>): Promise<void> => {
  const [kind, name = ''] = control.split(' ')
  const field = name.replace(/^field-/, '')
  const given = field === 'reason' ? REASON : types[field]
  if (kind === 'input' && Object.values(types).includes(name)) await page.keyboard.press('Space')
  else if (given !== undefined && name.startsWith('field-')) await page.keyboard.type(given)
}

/** Walks through every control of the content in its order, fills the form, and stops at its button. */
const walkForm = async (page: Page, types: Readonly<Record<string, string>>): Promise<void> => {
  await skipToContent(page)
  const wanted = await controlsOf(page, CONTENT)
  const button = wanted.findLastIndex((control) => control.startsWith('button '))
  await tabTo(page, wanted[0] ?? '')
  const reached: string[] = [await focusedOf(page)]
  await fill(page, wanted[0] ?? '', types)
  while (reached.length <= button) {
    const control = await tab(page)
    reached.push(control)
    await fill(page, control, types)
  }
  expect(reached).toEqual(wanted.slice(0, button + 1))
}

/** Follows the link to the action on the page of its subject. */
const openFrom = async (page: Page, to: string): Promise<void> => {
  await skipToContent(page)
  await tabTo(page, `a ${to}`)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname.startsWith('/do/'))
}

const inBrowser = EXECUTABLE === undefined ? describe.skip : describe

inBrowser(EXECUTABLE === undefined ? 'the keyboard alone: this machine has no chromium' : 'the keyboard alone', () => {
  beforeAll(async () => {
    arbitrator = await world().agent(privateKeyToAccount(world().info.keys.arbitrator))
    standIn = await startStandIn(world().base, 'fills')
    site = await startConsole(world().base)
    filled = await startConsole(standIn.url)
    browser = await chromium.launch({ executablePath: EXECUTABLE ?? '', args: ['--no-sandbox'] })
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
    await filled?.close()
    await standIn?.close()
  })

  test('has a row for every action', () => {
    expect(Object.keys(KEY_ROWS).sort()).toEqual(ACTIONS.map(({ name }) => name).sort())
  })

  test.each(
    oneIn(
      ACTIONS.length,
      ACTIONS.map((action) => [action.name, action] as const),
    ),
  )('takes %s', async (name, action) => {
    const { of: make, from, role, types = {}, shows = action.done } = KEY_ROWS[name] as KeyRow
    const subject = await make({ world: world(), engine })
    const to = actionAddress(action, Object.fromEntries(Object.entries(subject)))
    const { page, faults, visit, close } = await openReader(browser, (from === undefined ? filled : site).url, { token: tokenOf(role) })
    await visit(from === undefined ? to : from(subject))
    if (from !== undefined) await openFrom(page, to)
    expect(await headingOf(page)).toBe(action.title)
    await walkForm(page, types)
    if (from !== undefined) {
      await page.keyboard.press('Enter')
      const after = page.locator('.failed').or(page.locator('main').getByText(shows)).first()
      expect(await after.textContent({ timeout: 120_000 })).toContain(shows)
    }
    expect(faults).toEqual([])
    await close()
  })

  play('skips to the content, and reaches every control in the order of the page', async () => {
    const agent = await fundedAgent(world())
    await claim(agent, await createJob(world()))
    const { page, faults, visit, close } = await openReader(browser, site.url, { token: tokenOf(undefined) })
    await visit(`/sessions?wallet=${agent.account.address}`)
    const wanted = await controlsOf(page)
    const reached: string[] = []
    for (const _control of wanted) reached.push(await tab(page))
    expect(reached).toEqual(wanted)
    await page.locator('.skip').focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect([await focusedOf(page), faults]).toEqual(['input search', []])
    await close()
  })

  play('walks the rows, opens one, searches, shows the help and changes the times', async () => {
    const agent = await fundedAgent(world())
    const jobs = [await createJob(world(), { title: 'One row' }), await createJob(world(), { title: 'Another row' })]
    for (const jobId of jobs) await claim(agent, jobId)
    const { page, faults, visit, close } = await openReader(browser, site.url, { token: tokenOf(undefined) })
    await visit(`/sessions?wallet=${agent.account.address}`)
    const rowOf = () => page.locator('.rows tr:focus-within a').first().textContent()
    const walked: (string | null)[] = []
    for (const key of ['j', 'j', 'j', 'k']) {
      await page.keyboard.press(key)
      walked.push(await rowOf())
    }
    const [first = '', second = ''] = await page.locator('.rows td:first-child a:first-child').allTextContents()
    expect([walked, new Set(walked).size]).toEqual([[first, second, second, first], 2])

    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    const time = page.locator('.rows time').last()
    expect(await time.textContent()).toMatch(/ ago$|^in /)
    await page.keyboard.press('t')
    expect(await time.textContent()).toMatch(/^\d+ \w+ \d{4},? (at )?\d\d:\d\d:\d\d UTC$/)
    await page.keyboard.press('t')
    expect(await time.textContent()).toMatch(/\d\d:\d\d:\d\d$/)
    await page.keyboard.press('t')
    expect(await time.textContent()).toMatch(/ ago$|^in /)

    await page.keyboard.press('/')
    expect(await focusedOf(page)).toBe('input search')
    // Where one types, a letter is a letter.
    await page.keyboard.type('jk?t')
    expect(await page.locator('#search').inputValue()).toBe('jk?t')
    await page.locator('.rows a').first().focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/session\?sessionId=/)
    expect([await headingOf(page), faults]).toEqual([first, []])
    await close()
  })
})
