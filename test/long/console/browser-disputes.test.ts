// An arbitrator with a wallet at the console, in a browser over a running stack.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Browser, chromium, type Page } from 'playwright-core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { disputeId } from '../../../domain/common/ids.ts'
import { type StartedConsole, startConsole } from '../../e2e/console/support/console.ts'
import { disputePath, openDispute, rejectedBy } from '../../e2e/support/disputes.ts'
import type { Agent } from '../../e2e/support/http.ts'
import { fundedAgent, leaves } from '../../e2e/support/jobs.ts'
import { readBalances } from '../../e2e/support/money.ts'
import { useWorld } from '../../e2e/support/world.ts'
import { inTurns, PLAYS_ALL } from '../../support/cases/sample.ts'
import { addWallet } from '../oauth/wallet.ts'
import { EXECUTABLE } from '../support/chromium.ts'
import { follow, openReader, press } from './reader.ts'

const NAME = 'Test wallet'
const RATIONALE = 'The work was read against the whole task, and half of it holds.'
const REFUSED = { code: 4001, message: 'refused' }
const UNKNOWN_CHAIN = { code: 4902, message: 'unknown chain' }

// The service has no key of the arbitrator: it records a verdict and prepares the transaction that the arbitrator's wallet signs.
const UNSIGNED = PLAYS_ALL ? [{ ARBITRATOR_KEY: '' }] : []
const world = useWorld({ shared: true })
const [unsigned = world] = UNSIGNED.map((env) => useWorld({ env }))
/** A gate plays one of seven, `npm run browse` all. */
const play = inTurns(7)
let browser: Browser
const sites: StartedConsole[] = []

type Which = typeof world
type WalletChanges = Partial<Parameters<typeof addWallet>[1]>

const startSite = async (which: Which): Promise<StartedConsole> => {
  const site = await startConsole(which().base)
  sites.push(site)
  return site
}

/** A work whose rejection its worker disputes. */
const disputed = async (which: Which) => {
  const agent = await fundedAgent(which())
  const session = await rejectedBy(which(), agent)
  await openDispute(which(), agent.account, session)
  await leaves(agent, session.sessionId, 'rejected')
  return { agent, session, id: disputeId(session.sessionId) }
}

const arbitratorOf = (which: Which) => privateKeyToAccount(which().info.keys.arbitrator)

/** A browser with a wallet, the arbitrator's unless another is given. */
const openWithWallet = async (which: Which, changes: WalletChanges = {}) => {
  const site = await startSite(which)
  const reader = await openReader(browser, site.url)
  const account = arbitratorOf(which)
  const wallet = await addWallet(reader.context, {
    name: NAME,
    account,
    chainId: which().chain.chainId,
    send: ({ to, data }) => which().view.send(account, { to, data }),
    ...changes,
  })
  return { ...reader, site, wallet }
}

const says = (page: Page, words: string): Promise<void> => page.locator('#wallet-status').getByText(words).waitFor()
const takeAddress = async (page: Page): Promise<void> => {
  await press(page, `Take the address from ${NAME}`)
  await says(page, 'Address taken')
  await press(page, 'Continue')
  await page.getByLabel('Message').waitFor()
}
/** Signs in by the wallet, on the way to a page. */
const signIn = async (page: Page, site: StartedConsole, next: string): Promise<void> => {
  await page.goto(site.url + next)
  await page.waitForURL(/\/sign-in\?next=/)
  await takeAddress(page)
  await press(page, `Sign with ${NAME}`)
  await page.waitForURL(site.url + next)
}

/** Cells of a verdict in the table of dry runs, by the names of their columns. */
const foretold = async (page: Page, verdict: string): Promise<Record<string, string>> => {
  const region = page.getByRole('region', { name: 'Who would get what' }).first()
  const names = await region.locator('th').allTextContents()
  const cells = await region.locator('tbody tr', { hasText: verdict }).first().locator('td').allTextContents()
  return Object.fromEntries(names.map((name, place) => [name, cells[place] ?? '']))
}
const rawOf = (display: string | undefined): bigint => BigInt(Math.round(Number(display) * 1e6))

/** Goes from the queue to the dispute, and to the form of its verdict. */
const openDecision = async (page: Page, id: string): Promise<void> => {
  await page
    .locator(`.rows a[href="/dispute?disputeId=${encodeURIComponent(id)}"]`)
    .first()
    .click()
  await page.getByRole('heading', { name: 'What each verdict would do' }).waitFor()
  await follow(page, 'Decide the dispute')
  await page.getByLabel('Rationale').waitFor()
}
const decide = async (page: Page, verdict: string): Promise<void> => {
  await page.getByLabel('Verdict').selectOption(verdict)
  await page.getByLabel('Rationale').fill(RATIONALE)
  await press(page, 'Decide the dispute')
  await page.getByText('The verdict is recorded.').waitFor()
}

const positionOf = async (which: Which, { account }: Agent): Promise<{ liquid: bigint; locked: bigint }> => {
  const { liquid, locked } = (await readBalances(which(), account.address)).worker
  return { liquid, locked }
}

const inBrowser = EXECUTABLE === undefined ? describe.skip : describe

inBrowser(EXECUTABLE === undefined ? 'disputes: this machine has no chromium' : 'an arbitrator with a wallet', () => {
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: EXECUTABLE ?? '', args: ['--no-sandbox'] })
  })
  afterAll(async () => {
    await browser?.close()
    for (const site of sites) await site.close()
  })

  play('signs in, decides a dispute of the queue, and the chain pays what the dry run says', async () => {
    const { agent, session, id } = await disputed(world)
    const { page, faults, site, wallet, close } = await openWithWallet(world)
    await signIn(page, site, '/disputes?status=open')
    await openDecision(page, id)
    const run = await foretold(page, 'dismissed')
    const before = await positionOf(world, agent)
    await decide(page, 'dismissed')
    await page.locator('#content-of-page').getByText('This dispute has ended.').waitFor()
    const after = await positionOf(world, agent)
    expect({ liquid: after.liquid - before.liquid, locked: before.locked - after.locked }).toEqual({
      liquid: rawOf(run.Worker) + rawOf(run['Bond back']),
      locked: rawOf(run['Bond back']),
    })
    expect(rawOf(run.Worker)).toBeGreaterThan(0n)
    expect((await world().view.escrowOf(session.jobId)).releasedRaw).toBeGreaterThan(0n)
    const { verdict, rationale } = await agent.get(disputePath(session))
    expect({ verdict, rationale, signed: wallet.signed.length, faults }).toEqual({
      verdict: 'dismissed',
      rationale: RATIONALE,
      signed: 1,
      faults: [],
    })
    await close()
  })

  play('gives a verdict that another tab gave meanwhile, and reads so', async () => {
    const { session, id } = await disputed(world)
    const { page, context, site, close } = await openWithWallet(world)
    await signIn(page, site, '/disputes?status=open')
    await openDecision(page, id)
    const other = await context.newPage()
    await other.goto(page.url())
    await decide(page, 'upheld')
    await other.getByLabel('Verdict').selectOption('dismissed')
    await other.getByLabel('Rationale').fill(RATIONALE)
    await press(other, 'Decide the dispute')
    await other.locator('.failed[role=alert]').waitFor()
    const { verdict } = await (await world().agent(arbitratorOf(world))).get(disputePath(session))
    expect([verdict, await other.getByLabel('Rationale').inputValue()]).toEqual(['upheld', RATIONALE])
    await close()
  })

  for (const { name, refusal, words } of [
    { name: 'refuses the address', refusal: REFUSED, words: 'You refused in the wallet. Nothing is signed.' },
    { name: 'is locked', refusal: { code: 4100, message: 'locked' }, words: 'Allow it in the wallet.' },
  ])
    play(`reads at the sign-in that the wallet ${name}`, async () => {
      const { page, faults, visit, close } = await openWithWallet(world, { refuses: { eth_requestAccounts: refusal } })
      await visit('/sign-in')
      await press(page, `Take the address from ${NAME}`)
      await says(page, words)
      expect(faults).toEqual([])
      await close()
    })

  play('whose wallet refuses to sign in reads so, and can try again', async () => {
    const refuses: Record<string, typeof REFUSED> = { personal_sign: REFUSED }
    const { page, faults, visit, site, close } = await openWithWallet(world, { refuses })
    await visit('/sign-in')
    await takeAddress(page)
    await press(page, `Sign with ${NAME}`)
    await says(page, 'You refused in the wallet. Nothing is signed.')
    delete refuses.personal_sign
    await press(page, `Sign with ${NAME}`)
    await page.waitForURL(`${site.url}/`)
    expect(faults).toEqual([])
    await close()
  })

  for (const { name, changes } of [
    { name: 'changes', changes: { chainId: 1 } },
    { name: 'stays', changes: { chainId: 1, refuses: { wallet_switchEthereumChain: UNKNOWN_CHAIN } } },
  ])
    play(`signs in with a wallet on another chain that ${name}`, async () => {
      const { page, faults, site, wallet, close } = await openWithWallet(world, {
        ...changes,
        account: privateKeyToAccount(generatePrivateKey()),
      })
      await signIn(page, site, '/disputes')
      expect([wallet.asked.includes('wallet_switchEthereumChain'), faults]).toEqual([true, []])
      await close()
    })

  ;(UNSIGNED.length > 0 ? test : test.skip)('signs a prepared verdict: not by refusing, not on another chain, and once', async () => {
    const { agent, session, id } = await disputed(unsigned)
    const refuses: Record<string, typeof REFUSED> = { eth_sendTransaction: REFUSED }
    const { page, faults, site, wallet, close } = await openWithWallet(unsigned, { refuses })
    await signIn(page, site, '/disputes?status=open')
    await openDecision(page, id)
    const run = await foretold(page, 'dismissed')
    await decide(page, 'dismissed')
    await page.getByRole('heading', { name: 'Transaction to sign' }).waitFor()
    const before = await positionOf(unsigned, agent)
    await press(page, `Sign with ${NAME}`)
    await says(page, 'You refused in the wallet. Nothing is sent.')

    // The same page with a wallet that stays on another chain.
    const elsewhere = await openWithWallet(unsigned, { chainId: 1, refuses: { wallet_switchEthereumChain: UNKNOWN_CHAIN } })
    await signIn(elsewhere.page, elsewhere.site, `/dispute?disputeId=${encodeURIComponent(id)}`)
    await press(elsewhere.page, `Sign with ${NAME}`)
    await says(elsewhere.page, 'Nothing is sent. Add or choose that chain in the wallet.')
    expect([elsewhere.wallet.asked.includes('eth_sendTransaction'), await positionOf(unsigned, agent)]).toEqual([false, before])
    await elsewhere.close()

    delete refuses.eth_sendTransaction
    await page.getByRole('button', { name: `Sign with ${NAME}` }).dblclick()
    await page.locator('#content-of-page').getByText('This dispute has ended.').waitFor()
    const after = await positionOf(unsigned, agent)
    expect(after.liquid - before.liquid).toBe(rawOf(run.Worker) + rawOf(run['Bond back']))
    expect((await unsigned().view.escrowOf(session.jobId)).releasedRaw).toBeGreaterThan(0n)
    expect([wallet.asked.filter((method) => method === 'eth_sendTransaction').length, faults]).toEqual([2, []])
    await close()
  })
})
