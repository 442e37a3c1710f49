// What a new operator does without documents: from the first page by the words on the screen, in at most six clicks. The gate plays one of the tasks,
// `npm run browse` all. The time of this stack moves.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Browser, chromium, type Locator, type Page } from 'playwright-core'
import { privateKeyToAccount } from 'viem/accounts'
import { short } from '../../../console/look/values.ts'
import { disputeId } from '../../../domain/common/ids.ts'
import type { TimeTarget } from '../../../local/time/expression.ts'
import { moveTime } from '../../../local/time/move.ts'
import { claimWorkflowId } from '../../../schemas/claims/process.ts'
import { SEARCH } from '../../../schemas/processes.ts'
import { disputePath, openDispute, rejectedBy } from '../../e2e/support/disputes.ts'
import { claimedBy, policySend } from '../../e2e/support/edge-cases.ts'
import type { Agent } from '../../e2e/support/http.ts'
import { claim, createJob, fundedAgent, GOOD_WORK, leaves } from '../../e2e/support/jobs.ts'
import { useTemporalClient } from '../../e2e/support/temporal-client.ts'
import { useWorld } from '../../e2e/support/world.ts'
import { oneIn } from '../../support/cases/sample.ts'
import { eventually } from '../../support/eventually.ts'
import { EXECUTABLE } from '../support/chromium.ts'
import { headingOf, openReader } from './reader.ts'

const MOST_CLICKS = 6
const DAY_SECONDS = 86_400
const HALF_AN_HOUR_MS = 1_860_000

const world = useWorld()
const engine = useTemporalClient(world)
let browser: Browser
let arbitrator: Agent

/** Moves the time. Sign-ins that end on the way begin again. */
const pass = async (target: TimeTarget): Promise<void> => {
  await moveTime(world().info, target)
  for (const agent of [world().admin, world().verifier, arbitrator]) await agent.signInAgain()
}

/** Someone at the console who counts clicks. Typing is no click, and choosing in a list is one. */
const newcomer = (page: Page) => {
  let clicks = 0
  const click = async (role: 'link' | 'button' | 'checkbox', name: string | RegExp, place: Page | Locator = page): Promise<void> => {
    clicks += 1
    await place.getByRole(role, { name, ...(typeof name === 'string' && { exact: true }) }).click()
  }
  return {
    page,
    click,
    choose: async (label: string, option: string): Promise<void> => {
      clicks += 1
      await page.getByLabel(label).selectOption(option)
    },
    type: async (label: string, text: string): Promise<void> => {
      clicks += 1
      await page.getByLabel(label, { exact: true }).click()
      await page.keyboard.type(text)
    },
    reads: (words: string): Promise<void> => page.locator('main').getByText(words).first().waitFor(),
    /** The row of a table with these words. */
    row: (...words: string[]): Locator => words.reduce((rows, text) => rows.filter({ hasText: text }), page.getByRole('row')),
    clicks: () => clicks,
  }
}
type Newcomer = ReturnType<typeof newcomer>

/** A task: what there is, what is done, and what is true then. */
interface Task {
  as?: 'arbitrator'
  play: (begin: () => Promise<Newcomer>) => Promise<Newcomer>
}

const TASKS: Readonly<Record<string, Task>> = {
  'finds who was paid what yesterday': {
    play: async (begin) => {
      const agent = await fundedAgent(world())
      const { sessionId } = await claim(agent, await createJob(world(), { title: 'The job of yesterday' }))
      await agent.post('/jobs/submit', { sessionId, submission: GOOD_WORK })
      await leaves(agent, sessionId, 'submitted')
      await pass({ plusSeconds: DAY_SECONDS })
      const person = await begin()
      await person.click('link', "Yesterday's payments")
      await person.row('The job of yesterday', short(agent.account.address.toLowerCase()), '0.95 USDC').waitFor()
      return person
    },
  },
  'decides a dispute': {
    as: 'arbitrator',
    play: async (begin) => {
      const agent = await fundedAgent(world())
      const session = await rejectedBy(world(), agent, { title: 'The job in dispute' })
      await openDispute(world(), agent.account, session)
      await leaves(agent, session.sessionId, 'rejected')
      const person = await begin()
      await person.click('link', 'The job in dispute')
      await person.reads('What each verdict would do')
      await person.click('link', 'Decide the dispute')
      await person.choose('Verdict', 'dismissed')
      await person.type('Rationale', 'The work holds what the task demands, read as a whole.')
      await person.click('button', 'Decide the dispute')
      await person.reads('The verdict is recorded.')
      expect((await agent.get(disputePath(session))).verdict).toBe('dismissed')
      expect(await headingOf(person.page)).toContain(disputeId(session.sessionId))
      return person
    },
  },
  'stops a source': {
    play: async (begin) => {
      await world().admin.post('/admin/sources/steer', { provider: 'wikipedia', action: 'resume', note: 'A test.' })
      const person = await begin()
      await person.click('link', 'Sources')
      await person.click('link', 'Pause the source', person.row('wikipedia'))
      await person.type('Reason', 'Its candidates are stale.')
      await person.click('button', 'Pause the source')
      await person.reads('The source is paused.')
      await person.row('wikipedia', 'Its candidates are stale.').getByText('paused', { exact: true }).waitFor()
      const { sources } = await world().admin.get('/admin/sources')
      expect(sources.find(({ provider }: { provider: string }) => provider === 'wikipedia').schedule.paused).toBe(true)
      return person
    },
  },
  'gives a partner a token': {
    play: async (begin) => {
      const partner = (await world().agent()).account.address.toLowerCase()
      const person = await begin()
      await person.click('link', 'Grants')
      await person.click('link', 'Issue a service token')
      await person.type('Wallet', partner)
      await person.click('checkbox', /session:read/)
      await person.type('Note', 'Asked for by the partner.')
      await person.click('button', 'Issue the token')
      const token = await person.page.getByLabel('Token', { exact: true }).inputValue()
      const { body } = await world().call('/auth/session', { token })
      expect(body).toMatchObject({ wallet: partner, tokenKind: 'service', capabilities: ['session:read'] })
      return person
    },
  },
  // The chain refuses its end: that is the last task, since nothing moves meanwhile.
  'finds a stuck claim and why': {
    play: async (begin) => {
      const { session } = await claimedBy(world(), await createJob(world(), { title: 'The job that is stuck' }))
      await policySend(world(), 'setPaused', [true])
      try {
        await pass({ instant: Date.parse(session.claimExpiresAt) + HALF_AN_HOUR_MS })
        const handle = engine.workflow.getHandle(claimWorkflowId(session.jobId))
        await eventually(
          'the process of the claim is refused',
          async () => (await handle.describe()).searchAttributes[SEARCH.sessionState.name]?.[0],
          (state) => state === 'blocked',
        )
        const person = await begin()
        await person.row('Blocked workflow', 'The next step of the workflow is refused.').first().waitFor()
        await person.click('link', 'Stuck sessions')
        await person.row('The job that is stuck', 'The claim ran out without a submission.').waitFor()
        await person.click('link', 'The job that is stuck')
        await person.reads('The claim ran out without a submission.')
        await person.reads('The next step of the workflow is refused.')
        await person.click('link', 'Health', person.row('Blocked'))
        await person.row('Money can move now', 'no').waitFor()
        return person
      } finally {
        await policySend(world(), 'setPaused', [false])
      }
    },
  },
}

const inBrowser = EXECUTABLE === undefined ? describe.skip : describe

inBrowser(EXECUTABLE === undefined ? 'a new operator: this machine has no chromium' : 'a new operator', () => {
  beforeAll(async () => {
    arbitrator = await world().agent(privateKeyToAccount(world().info.keys.arbitrator))
    browser = await chromium.launch({ executablePath: EXECUTABLE ?? '', args: ['--no-sandbox'] })
  })
  afterAll(() => browser?.close())

  test.each(oneIn(Object.keys(TASKS).length, Object.entries(TASKS)))('%s', async (_name, { as, play }) => {
    const closing: (() => Promise<void>)[] = []
    const begin = async (): Promise<Newcomer> => {
      const token = (as === undefined ? world().admin : arbitrator).token()
      const { page, visit, close } = await openReader(browser, world().info.console ?? '', { token })
      closing.push(close)
      await visit('/')
      return newcomer(page)
    }
    const person = await play(begin)
    const clicks = person.clicks()
    expect({ clicks, isShort: clicks <= MOST_CLICKS }).toEqual({ clicks, isShort: true })
    for (const close of closing) await close()
  })
})
