// What operators do in the console, in a browser with its scripts under the policy of the pages, over a running stack. Disputes and wallets:
// browser-disputes.test.ts. Looks: browser-looks.test.ts. Keys: browser-keyboard.test.ts. Tasks of a newcomer: browser-tasks.test.ts.
import { afterAll, beforeAll, describe, expect } from '@jest/globals'
import { type Browser, chromium, type Page } from 'playwright-core'
import { privateKeyToAccount } from 'viem/accounts'
import { type StartedConsole, startConsole } from '../../e2e/console/support/console.ts'
import { claim, createJob, encode, fundedAgent, GOOD_WORK, leaves } from '../../e2e/support/jobs.ts'
import { useWorld } from '../../e2e/support/world.ts'
import { inTurns } from '../../support/cases/sample.ts'
import { eventually } from '../../support/eventually.ts'
import { EXECUTABLE } from '../support/chromium.ts'
import { focusedOf, follow, headingOf, isLive, openReader, press, type ReaderOptions, signInByToken } from './reader.ts'

/** A gate plays one of six, `npm run browse` all. */
const play = inTurns(6)

const world = useWorld({ shared: true })
let site: StartedConsole
let browser: Browser

const openAdmin = (options: ReaderOptions = {}) => openReader(browser, site.url, { token: world().admin.token(), ...options })
const timelineOf = (jobId: string) => world().admin.get(`/admin/jobs/timeline?jobId=${encode(jobId)}`)
const lifeOf = async (jobId: string): Promise<string> => (await timelineOf(jobId)).job.lifecycle.status

/** Reasons of the steps of a job, as the API recorded them. */
const reasonsOf = async (jobId: string): Promise<string[]> => {
  const { timeline } = await timelineOf(jobId)
  return timeline.flatMap((entry: object) => /"reason":"(Test[^"]*)"/.exec(JSON.stringify(entry))?.[1] ?? [])
}

/** Opens the form of a step on the page of a job, and fills in why. */
const fillStep = async (page: Page, title: string, reason: string): Promise<void> => {
  await follow(page, title)
  await page.getByLabel('Reason').fill(reason)
}

const inBrowser = EXECUTABLE === undefined ? describe.skip : describe

inBrowser(EXECUTABLE === undefined ? 'the console: this machine has no chromium' : 'the console in a browser', () => {
  beforeAll(async () => {
    site = await startConsole(world().base)
    browser = await chromium.launch({ executablePath: EXECUTABLE ?? '', args: ['--no-sandbox'] })
  })
  afterAll(async () => {
    await browser?.close()
    // A reader who leaves a live page is no error.
    const errors = site.lines.filter((line) => JSON.parse(line).level >= 50)
    await site.close()
    expect(errors).toEqual([])
  })

  describe('a live page', () => {
    play('shows a claim without a reload, and leaves focus, typing, scroll and opened details as they are', async () => {
      const agent = await fundedAgent(world())
      const { page, faults, visit, close } = await openAdmin({ viewport: { width: 500, height: 500 } })
      await claim(agent, await createJob(world()))
      await visit(`/sessions?wallet=${agent.account.address}`)
      await isLive(page)
      await page.evaluate(() => Object.assign(globalThis, { isSame: true }))
      const link = page.locator('.rows a').first()
      await link.focus()
      const focused = await focusedOf(page)
      await page
        .getByRole('region', { name: 'Sessions' })
        .evaluate((region) => (region as unknown as { scrollTo(x: number, y: number): void }).scrollTo(90, 0))
      const scrolls = async () => [
        await page.evaluate(() => (globalThis as unknown as { scrollY: number }).scrollY),
        await page.getByRole('region', { name: 'Sessions' }).evaluate((region) => (region as unknown as { scrollLeft: number }).scrollLeft),
      ]
      const before = await scrolls()

      const second = await claim(agent, await createJob(world(), { title: 'A job that appears' }))
      await page.getByRole('link', { name: 'A job that appears' }).waitFor()
      // The browser keeps what is in sight in its place, so the page may scroll by the height of the new row.
      const [down = 0, aside] = await scrolls()
      expect([await page.evaluate(() => 'isSame' in globalThis), await focusedOf(page), aside, down >= (before[0] ?? 0)]).toEqual([
        ...[true, focused, before[1], true],
      ])

      await page.getByLabel('Job', { exact: true }).pressSequentially('half an id')
      await agent.post('/jobs/submit', { sessionId: second.sessionId, submission: GOOD_WORK })
      await leaves(agent, second.sessionId, 'submitted')
      await page.getByLabel('Job', { exact: true }).pressSequentially(' and more')
      expect(await page.getByLabel('Job', { exact: true }).inputValue()).toBe('half an id and more')
      // The update that waited comes once the hand leaves the field, and keeps what it typed.
      await page.getByRole('link', { name: 'Skip to the content' }).focus()
      await page.locator('.rows tr', { hasText: 'A job that appears' }).getByText('resolved').waitFor()
      expect(await page.getByLabel('Job', { exact: true }).inputValue()).toBe('half an id and more')
      expect(faults).toEqual([])
      await close()
    })

    play('watches a job from open to its payment', async () => {
      const agent = await fundedAgent(world())
      const jobId = await createJob(world(), { title: 'A job that is watched' })
      const { page, faults, visit, close } = await openAdmin()
      await visit(`/job?jobId=${jobId}`)
      await isLive(page)
      await page.locator('.lead').getByText('claimable').waitFor()
      const { sessionId } = await claim(agent, jobId)
      await page.locator('.lead').getByText('claimed').waitFor()
      await page.locator('.facts a[href^="/session?"]').first().click()
      await isLive(page)
      expect(await headingOf(page)).toBe('A job that is watched')
      await agent.post('/jobs/submit', { sessionId, submission: GOOD_WORK })
      await page.locator('.lead').getByText('resolved').waitFor()
      await eventually(
        'the payment is shown',
        () => page.locator('#content-of-page').textContent(),
        (text) => /to the worker 0\.95 USDC/.test(text ?? ''),
      )
      expect(faults).toEqual([])
      await close()
    })

    play('says since when it is not live once its stream is cut, and is live again', async () => {
      const { page, visit, close } = await openAdmin()
      await visit('/sessions')
      await isLive(page)
      await page.route('**/live*', (route) => route.abort())
      site.cutStreams()
      await page.locator('#as-of').getByText('Not live. As of').waitFor()
      expect(await page.locator('#as-of').textContent()).toMatch(/^Not live\. As of \d\d:\d\d:\d\d UTC$/)
      await page.unroute('**/live*')
      await isLive(page)
      await close()
    })
  })

  describe('an action', () => {
    play('pauses a job with its reason, so that a claim is refused, and opens it again', async () => {
      const agent = await fundedAgent(world())
      const jobId = await createJob(world())
      const { page, faults, visit, close } = await openAdmin()
      await visit(`/job?jobId=${jobId}`)
      await fillStep(page, 'Pause the job', 'Test: the terms are wrong.')
      await press(page, 'Pause the job')
      await page.getByText('The job is paused.').waitFor()
      const refused = await agent.call('/jobs/claim', { body: { jobId } })
      expect([refused.status >= 400, await reasonsOf(jobId)]).toEqual([true, ['Test: the terms are wrong.']])
      await fillStep(page, 'Open the job again', 'Test: the terms are right.')
      await press(page, 'Open the job again')
      await page.getByText('The job is open.').waitFor()
      expect((await claim(agent, jobId)).status).toBe('claimed')
      expect(faults).toEqual([])
      await close()
    })

    play('acts once by a double click, and not again by the way back or a second look', async () => {
      const jobId = await createJob(world())
      const { page, faults, visit, close } = await openAdmin()
      await visit(`/job?jobId=${jobId}`)
      await fillStep(page, 'Pause the job', 'Test: twice.')
      await page.getByRole('button', { name: 'Pause the job' }).dblclick()
      await page.getByText('The job is paused.').waitFor()
      await page.goBack()
      await page.getByRole('button', { name: 'Pause the job' }).waitFor()
      for (const move of [() => page.goForward(), () => page.reload()]) {
        await move()
        await page.getByRole('link', { name: 'Open the job again' }).waitFor()
      }
      expect([await reasonsOf(jobId), faults]).toEqual([['Test: twice.'], []])
      await close()
    })

    play('issues a token to a partner once, however often its page is loaded, and revokes it', async () => {
      const partner = (await world().agent()).account.address.toLowerCase()
      const { page, faults, visit, close } = await openAdmin()
      await visit('/grants')
      await follow(page, 'Issue a service token')
      await page.getByLabel('Wallet', { exact: true }).fill(partner)
      await page.getByRole('checkbox', { name: /session:read/ }).check()
      await page.getByLabel('Note').fill('Test: a partner.')
      await press(page, 'Issue the token')
      const token = await page.getByLabel('Token', { exact: true }).inputValue()
      const session = () => world().call('/auth/session', { token })
      const work = () => world().call('/sessions?limit=1', { token })
      expect((await session()).body).toMatchObject({ wallet: partner, tokenKind: 'service', capabilities: ['session:read'] })
      expect((await work()).status).toBe(200)
      await page.reload()
      await page.getByText('is not shown again. Rotate it').waitFor()
      await follow(page, 'Grants of this wallet')
      expect(await page.getByRole('region', { name: 'Service tokens' }).locator('tbody tr').count()).toBe(1)
      await follow(page, 'Revoke')
      await page.getByLabel('Why it ends').fill('Test: the partner left.')
      await press(page, 'Revoke the token')
      await page.getByText('The token is revoked.').waitFor()
      expect([(await work()).status, faults]).toEqual([403, []])
      await close()
    })

    play('that another tab has taken meanwhile is refused or has no second effect, in words', async () => {
      const jobId = await createJob(world())
      const { context, page, faults, visit, close } = await openAdmin()
      await visit(`/job?jobId=${jobId}`)
      const other = await context.newPage()
      await other.goto(`${site.url}/job?jobId=${jobId}`)
      await isLive(other)
      await fillStep(page, 'Archive the job', 'Test: first tab.')
      await press(page, 'Archive the job')
      await page.getByText('The job is archived.').waitFor()
      // The other tab learns of it by itself, and offers what is possible now.
      await other.getByRole('link', { name: 'Open the job again' }).waitFor()
      expect(await other.getByRole('link', { name: 'Pause the job' }).count()).toBe(0)
      expect([await lifeOf(jobId), faults]).toEqual(['archived', []])
      await close()
    })
  })

  describe('a token that ends in the middle', () => {
    /** An operator with a sign-in of its own, which can end. */
    const openOperator = async () => {
      const operator = await world().agent(privateKeyToAccount(world().info.keys.admin))
      const reader = await openAdmin({ token: operator.token() })
      return { ...reader, endToken: () => operator.post('/auth/logout', {}) }
    }

    play('leads from a click to the sign-in, and back to the page', async () => {
      const jobId = await createJob(world())
      const { page, faults, visit, endToken, close } = await openOperator()
      await visit(`/do/pause-job?jobId=${jobId}`)
      await endToken()
      await follow(page, 'Jobs')
      await page.waitForURL(/\/sign-in\?next=%2Fjobs$/)
      await signInByToken(page, world().admin.token())
      await page.waitForURL(`${site.url}/jobs`)
      expect([await headingOf(page), faults]).toEqual(['Jobs', []])
      await close()
    })

    play('leads from a form to the sign-in, and the form has done nothing', async () => {
      const jobId = await createJob(world())
      const { page, faults, visit, endToken, close } = await openOperator()
      await visit(`/do/pause-job?jobId=${jobId}`)
      await page.getByLabel('Reason').fill('Test: too late.')
      await endToken()
      await press(page, 'Pause the job')
      await page.waitForURL(/\/sign-in\?next=%2Fdo%2Fpause-job/)
      expect([await lifeOf(jobId), faults]).toEqual(['open', []])
      await close()
    })

    play('leads from a live page to the sign-in with its next update, and back to the page', async () => {
      const agent = await fundedAgent(world())
      const { page, faults, visit, endToken, close } = await openOperator()
      await visit('/sessions?view=stuck')
      await isLive(page)
      await endToken()
      await claim(agent, await createJob(world()))
      await page.waitForURL(/\/sign-in\?next=%2Fsessions%3Fview%3Dstuck$/)
      expect(faults).toEqual([])
      await close()
    })
  })

  play('without scripts a reader signs in with a token, filters a list and pauses a job', async () => {
    const jobId = await createJob(world())
    const { page, faults, visit, close } = await openReader(browser, site.url, { javaScriptEnabled: false })
    await visit('/jobs')
    await signInByToken(page, world().admin.token())
    await page.waitForURL(`${site.url}/jobs`)
    await page.getByLabel('State').selectOption('claimable')
    await press(page, 'Filter')
    await page.waitForURL(/\/jobs\?state=claimable/)
    expect(await page.locator('.rows tr').count()).toBe(await page.locator('.rows tr', { hasText: 'claimable' }).count())
    await visit(`/job?jobId=${jobId}`)
    await fillStep(page, 'Pause the job', 'Test: no scripts.')
    await press(page, 'Pause the job')
    await page.getByText('The job is paused.').waitFor()
    expect([await lifeOf(jobId), faults]).toEqual(['paused', []])
    await close()
  })
})
