// A person connects a tool client in a browser with a test wallet, under the policy of the service.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Browser, chromium, type Page } from 'playwright-core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createJob, fundedAgent } from '../../e2e/support/jobs.ts'
import { useWorld } from '../../e2e/support/world.ts'
import { connectSigning } from '../../e2e/tools/support/clients.ts'
import { oneIn } from '../../support/cases/sample.ts'
import { EXECUTABLE, readAloud } from '../support/chromium.ts'
import { addExtension } from './extension.ts'
import { askForSignIn, createHost, earnBadge, finishSignIn, revokeOnly } from './sign-in.ts'
import { addWallet } from './wallet.ts'

const SCREENS = (['light', 'dark'] as const).flatMap((colours) => [360, 1280].map((width) => ({ colours, width })))
/** Every second screen in a gate; `npm run browse` shows all. */
const PLAYED = oneIn(2, SCREENS)
const NAME = 'Test wallet'
/** More presses of Tab than a page has places. */
const MOST_PRESSES = 60

const world = useWorld({ shared: true })
let browser: Browser
let callback: Server
let redirect: string

/** A client that has asked for a sign-in, and the address that its person opens. */
const beginSignIn = async () => {
  const host = createHost(redirect)
  const client = await connectSigning('client 2, by its default', world().base, host.provider)
  return { host, client, address: await askForSignIn(client, host) }
}

/** A browser of a person, and what it found wrong. */
const openBrowser = async ({ colours, width }: (typeof SCREENS)[number] = { colours: 'light', width: 1280 }) => {
  const context = await browser.newContext({ colorScheme: colours, viewport: { width, height: 900 } })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(world().base) && !url.startsWith('data:') && !url.startsWith(redirect)) faults.push(url)
  })
  return { context, page, faults, close: () => context.close() }
}

const newAccount = () => privateKeyToAccount(generatePrivateKey())
const usualWallet = (account = newAccount()) => ({ name: NAME, account, chainId: world().chain.chainId })

const statusOf = (page: Page) => page.locator('#wallet-status')
const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click()
const takeAddress = async (page: Page, name = NAME): Promise<void> => {
  await press(page, `Take the address from ${name}`)
  await statusOf(page).getByText('Address taken').waitFor()
}
/** Where the client is sent in the end. */
const arrive = async (page: Page): Promise<URL> => {
  await page.waitForURL((url) => url.href.startsWith(redirect))
  return new URL(page.url())
}

/** Goes to a place by the key Tab, and presses Enter there. */
const enter = async (page: Page, text: string): Promise<void> => {
  const focused = () =>
    page.evaluate(() => {
      const { document } = globalThis as unknown as { document: { activeElement: { textContent: string } | null } }
      return document.activeElement?.textContent
    })
  for (let presses = 0; presses < MOST_PRESSES; presses += 1) {
    await page.keyboard.press('Tab')
    if ((await focused()) === text) return page.keyboard.press('Enter')
  }
  throw new Error(`Tab does not reach ${text}`)
}

const inBrowser = EXECUTABLE === undefined ? describe.skip : describe

inBrowser(EXECUTABLE === undefined ? 'consent pages: this machine has no chromium' : 'the pages of consent in a browser', () => {
  beforeAll(async () => {
    callback = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<!doctype html><link rel="icon" href="data:,"><title>Done</title>')
    })
    await once(callback.listen(0, '127.0.0.1'), 'listening')
    redirect = `http://127.0.0.1:${(callback.address() as AddressInfo).port}/callback`
    browser = await chromium.launch({ executablePath: EXECUTABLE ?? '', args: ['--no-sandbox'] })
  })
  afterAll(async () => {
    await browser?.close()
    callback?.close()
  })

  test('a client that knows the address alone is granted by a wallet, earns a badge, and asks again once it is revoked', async () => {
    const agent = await fundedAgent(world())
    const jobId = await createJob(world())
    const { host, client, address } = await beginSignIn()
    const { context, page, faults, close } = await openBrowser()
    const wallet = await addWallet(context, usualWallet(agent.account))
    await page.goto(address.href)
    await takeAddress(page)
    await press(page, 'Continue')
    const shown = await page.getByLabel('Message').inputValue()
    expect(shown).toContain(
      `Let 'Test agent' at ${new URL(redirect).host} act for me: read, claim, submit in all my sessions; bonds up to 5 USDC a day;`,
    )
    await press(page, `Sign with ${NAME}`)
    await finishSignIn(client, host, await arrive(page))
    await earnBadge(client, world(), jobId)
    const { message } = await revokeOnly(agent)
    expect([wallet.signed, message]).toEqual([[shown], shown])
    expect((await askForSignIn(client, host)).pathname).toBe('/oauth/authorize')
    expect(faults).toEqual([])
    await client.close()
    await close()
  })

  const EXTENSION = 'test-extension'
  const newKeys = () =>
    (['sr25519', 'ed25519'] as const).map((scheme) => ({ name: `Key of ${scheme}`, scheme, secret: new Uint8Array(randomBytes(32)) }))

  test.each([0, 1])(
    'native account %d of an extension grants with one signature, and its SS58 address is in the message',
    async (chosen) => {
      const { host, client, address } = await beginSignIn()
      const { context, page, faults, close } = await openBrowser()
      const extension = await addExtension(context, { name: EXTENSION, accounts: newKeys() })
      const account = extension.accounts[chosen]
      if (account === undefined) throw new Error('no such account')
      await page.goto(address.href)
      await press(page, `Take the address from ${EXTENSION}`)
      await statusOf(page).getByText('Choose an account.').waitFor()
      expect(await page.locator('#wallets button').allTextContents()).toEqual([
        `Take the address from ${EXTENSION}`,
        ...extension.accounts.map((one) => `${one.name}: ${one.address}`),
      ])
      await press(page, `${account.name}: ${account.address}`)
      await statusOf(page).getByText('Address taken').waitFor()
      await press(page, 'Continue')
      const shown = await page.getByLabel('Message').inputValue()
      expect(shown).toContain(`your Substrate account:\n${account.native.ss58}\n`)
      await press(page, `Sign with ${EXTENSION}`)
      await finishSignIn(client, host, await arrive(page))
      expect(extension.signed).toEqual([shown])
      expect((await client.callTool('listSessions')).isError).toBeFalsy()
      expect(faults).toEqual([])
      await client.close()
      await close()
    },
  )

  test('a message is signed by the kind of wallet that it names alone, and a refusal is shown in words', async () => {
    const { client, address } = await beginSignIn()
    const { context, page, faults, close } = await openBrowser()
    await addWallet(context, usualWallet())
    const extension = await addExtension(context, { name: EXTENSION, accounts: newKeys(), refuses: 'signRaw' })
    await page.goto(address.href)
    const buttons = () => page.locator('#wallets button').allTextContents()
    expect(await buttons()).toEqual([`Take the address from ${NAME}`, `Take the address from ${EXTENSION}`])
    await takeAddress(page)
    await press(page, 'Continue')
    await page.getByLabel('Message').waitFor()
    expect(await buttons()).toEqual([`Sign with ${NAME}`])
    await page.goBack()
    await page.getByLabel('Address').fill(extension.accounts[0]?.native.ss58 ?? '')
    await press(page, 'Continue')
    await page.getByLabel('Message').waitFor()
    expect(await buttons()).toEqual([`Sign with ${EXTENSION}`])
    await press(page, `Sign with ${EXTENSION}`)
    await statusOf(page).getByText('The wallet answered: Cancelled', { exact: true }).waitFor()
    expect([extension.signed, faults]).toEqual([[], []])
    await client.close()
    await close()
  })

  test('the keyboard alone leads through both pages', async () => {
    const { client, host, address } = await beginSignIn()
    const { context, page, faults, close } = await openBrowser()
    await addWallet(context, usualWallet())
    await page.goto(address.href)
    await enter(page, `Take the address from ${NAME}`)
    await statusOf(page).getByText('Address taken').waitFor()
    await enter(page, 'Continue')
    await page.getByLabel('Message').waitFor()
    await enter(page, `Sign with ${NAME}`)
    await finishSignIn(client, host, await arrive(page))
    expect(faults).toEqual([])
    await client.close()
    await close()
  })

  test.each(['the choice', 'the signature'])('Cancel on the page of %s tells the client that access is denied', async (place) => {
    const { client, host, address } = await beginSignIn()
    const { context, page, faults, close } = await openBrowser()
    await addWallet(context, usualWallet())
    await page.goto(address.href)
    if (place === 'the signature') {
      await takeAddress(page)
      await press(page, 'Continue')
    }
    await press(page, 'Cancel')
    const back = await arrive(page)
    expect([back.searchParams.get('error'), back.searchParams.get('code')]).toEqual(['access_denied', null])
    await expect(finishSignIn(client, host, back)).rejects.toThrow()
    expect(faults).toEqual([])
    await client.close()
    await close()
  })

  test.each(PLAYED)('both pages, $colours and $width wide: no finding of axe, nothing to the side, no message', async (screen) => {
    const { client, address } = await beginSignIn()
    const { context, page, faults, close } = await openBrowser(screen)
    await addWallet(context, usualWallet())
    await page.goto(address.href)
    const consent = await readAloud(page)
    await takeAddress(page)
    await press(page, 'Continue')
    await page.getByLabel('Message').waitFor()
    expect([consent, await readAloud(page), faults]).toEqual([{ axe: [], sideways: false }, { axe: [], sideways: false }, []])
    await client.close()
    await close()
  })

  test('of several wallets the person chooses one, and it is asked to change to the chain of the message', async () => {
    const { client, address } = await beginSignIn()
    const { context, page, faults, close } = await openBrowser()
    const first = await addWallet(context, { ...usualWallet(), name: 'First wallet' })
    const chosen = await addWallet(context, { ...usualWallet(), name: 'Second wallet', chainId: 1 })
    await page.goto(address.href)
    await takeAddress(page, 'Second wallet')
    await press(page, 'Continue')
    await press(page, 'Sign with First wallet')
    await statusOf(page).getByText('This wallet does not show the account').waitFor()
    await press(page, 'Sign with Second wallet')
    expect((await arrive(page)).searchParams.has('code')).toBe(true)
    expect([first.signed.length, chosen.signed.length, chosen.chain()]).toEqual([0, 1, world().chain.chainId])
    expect(faults).toEqual([])
    await client.close()
    await close()
  })

  const UNKNOWN_CHAIN = { wallet_switchEthereumChain: { code: 4902, message: 'Unrecognized chain ID' } }
  test.each([
    [
      'a refusal',
      { personal_sign: { code: 4001, message: 'User rejected the request.' } },
      'You refused in the wallet. Nothing is signed.',
    ],
    ['an open question', { personal_sign: { code: -32_002, message: 'Already pending' } }, 'The wallet waits for your answer. Open it.'],
    ['an unknown error', { personal_sign: { code: 1, message: 'The device is locked.' } }, 'The wallet answered: The device is locked.'],
  ])('the page says in words what the wallet answers: %s', async (_name, refuses, words) => {
    const { client, address } = await beginSignIn()
    const { context, page, faults, close } = await openBrowser()
    // A wallet that does not know the chain signs all the same.
    await addWallet(context, { ...usualWallet(), chainId: 1, refuses: { ...UNKNOWN_CHAIN, ...refuses } })
    await page.goto(address.href)
    await takeAddress(page)
    await press(page, 'Continue')
    await press(page, `Sign with ${NAME}`)
    await statusOf(page).getByText(words, { exact: true }).waitFor()
    expect(faults).toEqual([])
    await client.close()
    await close()
  })

  test('a refused form is a page from which the person goes back and corrects it', async () => {
    const { client, address } = await beginSignIn()
    const { context, page, close } = await openBrowser()
    await addWallet(context, usualWallet())
    await page.goto(address.href)
    await takeAddress(page)
    await page.getByLabel('Days, at most').fill('31')
    await press(page, 'Continue')
    await page.getByText('Go back one page to change the form.').waitFor()
    expect(await readAloud(page)).toEqual({ axe: [], sideways: false })
    await page.goBack()
    await page.getByLabel('Days, at most').fill('3')
    await takeAddress(page)
    await press(page, 'Continue')
    await page.getByLabel('Message').waitFor()
    await client.close()
    await close()
  })

  test('a browser without a wallet says so, and takes both values by hand', async () => {
    const account = newAccount()
    const { client, host, address } = await beginSignIn()
    const { page, faults, close } = await openBrowser()
    await page.goto(address.href)
    await statusOf(page).getByText('This browser has no wallet.').waitFor()
    await page.getByLabel('Address').fill(account.address)
    await press(page, 'Continue')
    const message = await page.getByLabel('Message').inputValue()
    await page.getByLabel('Signature of the wallet').fill(await account.signMessage({ message }))
    await press(page, 'Grant it')
    await finishSignIn(client, host, await arrive(page))
    expect(faults).toEqual([])
    await client.close()
    await close()
  })
})
