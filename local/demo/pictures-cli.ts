import { existsSync, mkdirSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Browser, chromium, type Page } from 'playwright-core'
import { privateKeyToAccount } from 'viem/accounts'
import { createClient } from '../../client/src/client.ts'
import { definitionPath } from '../../domain/catalogue/job-definition.ts'
import { disputeId } from '../../domain/common/ids.ts'
import { receiptUrl } from '../../domain/receipts/work-receipt.ts'
import { badgeUrl } from '../../domain/reputation/badge.ts'
import { getRunning, type StackInfo } from '../info.ts'
import { runProgram } from '../program.ts'
import { STATE_DIRECTORY } from '../stack.ts'
import { disputedWork } from './dispute-flow.ts'
import { placeOf, type StackPlace } from './place.ts'
import { awaitVerdict, claimableJobs, createWorker, readUntil, submitSolution } from './worker.ts'

const USAGE = `usage: npm run pictures -- [--dir DIR] [--console]

Takes the pictures of the pages in docs/pictures from the running local stack, with the chromium of this machine.
A new wallet earns the badge that they show and opens its profile. --console takes those of the console alone. Exit code 2: this machine has no chromium.`

const BROWSERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const FOLDER = new URL('../../docs/pictures/', import.meta.url)
const [WIDTH, HEIGHT] = [1280, 800]
/** Largest picture in bytes. */
const MOST_BYTES = { page: 200_000, console: 150_000 }

const PAID_CLAIM = { claimable: true, waiverEligible: false, format: 'compact', limit: 1 } as const

/** A new wallet does a starter job, is paid, opens its profile and shares its work. Addresses of what it shows. */
const earn = async (base: string): Promise<Record<string, string>> => {
  const worker = createWorker(base)
  const { client, account } = worker
  await client.signIn()
  const job = (await claimableJobs(worker)).find(({ waiverEligible }) => waiverEligible)
  if (job === undefined) throw new Error('the stack has no starter job: npm run time -- +1d, or start it with --fresh')
  const session = await client.claimJob({ jobId: job.id })
  const { sessionId } = session
  await submitSolution(worker, session)
  await awaitVerdict(worker, sessionId)
  await client.setAgentConsent({ publicProfileOptIn: true })
  const { apiPath } = await client.createShare({ surface: 'session', sessionId })
  const receipt = await readUntil('receipt', async () => (await client.listReceipts({ limit: 1 })).receipts[0])
  const badge = badgeUrl('', sessionId)
  return {
    badge,
    verification: `/verify?record=${encodeURIComponent(badge)}`,
    receipt: receiptUrl('', receipt.receiptId),
    profile: `/agents/${account.address.toLowerCase()}`,
    share: apiPath,
    'job-done': definitionPath(job.id),
  }
}

/** Pages to show, by the name of their picture. */
const pagesOf = async (base: string): Promise<Record<string, string>> => {
  const earned = await earn(base)
  const [job] = (await createWorker(base).client.listJobs(PAID_CLAIM)).jobs
  if (job === undefined) throw new Error('the stack has no job that can be claimed: npm run time -- +1d, or start it with --fresh')
  return {
    home: '/',
    jobs: '/jobs',
    job: definitionPath(job.id),
    ...earned,
    agents: '/agents',
    pool: '/pool',
    'log-heads': '/log/heads',
    docs: '/docs',
    'docs-search': '/docs?q=claim',
    'docs-subject': '/docs/jobs',
    'docs-guides': '/docs/guides',
    'docs-guide': '/docs/guides/first-badge',
    'docs-sign-in': '/docs/sign-in',
    'docs-errors': '/docs/errors',
    'docs-error': '/docs/errors/insufficient_liquidity',
    refusal: '/jobs?tier=gold',
    'not-found': '/nowhere',
  }
}

const openPage = (browser: Browser): Promise<Page> => browser.newPage({ viewport: { width: WIDTH, height: HEIGHT }, colorScheme: 'light' })

const takePicture = async (page: Page, name: string, kind: 'page' | 'console' = 'page'): Promise<void> => {
  const file = new URL(`${kind}-${name}.png`, FOLDER)
  await page.screenshot({ path: file.pathname })
  const { size } = statSync(file)
  if (size > MOST_BYTES[kind]) throw new Error(`the picture of ${name} has ${size} bytes, more than ${MOST_BYTES[kind]}`)
  console.log(`docs/pictures/${kind}-${name}.png: ${Math.ceil(size / 1000)} kB`)
}

const take = async (browser: Browser, base: string, name: string, path: string): Promise<void> => {
  const page = await openPage(browser)
  await page.goto(base + path, { waitUntil: 'networkidle' })
  await takePicture(page, name)
  await page.close()
}

/** Announces a wallet without keys, so that the pages show its buttons. */
const WALLET = `addEventListener('eip6963:requestProvider', () => dispatchEvent(new CustomEvent('eip6963:announceProvider', {
  detail: { info: { uuid: 'picture', name: 'Example wallet' }, provider: { request: () => Promise.reject(new Error('no keys')) } },
})))`
const REDIRECT = 'http://localhost:8787/callback'
const CLIENT = { client_name: 'Example agent', redirect_uris: [REDIRECT] }

/** The two pages on which a wallet grants a client what it asks for. */
const takeConsent = async (browser: Browser, base: string): Promise<void> => {
  const registered = await fetch(`${base}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(CLIENT),
  })
  const { client_id: clientId } = (await registered.json()) as { client_id: string }
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: REDIRECT,
    scope: 'read claim submit',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  })
  const page = await openPage(browser)
  await page.addInitScript(WALLET)
  await page.goto(`${base}/oauth/authorize?${query}`, { waitUntil: 'networkidle' })
  await takePicture(page, 'consent')
  await page.getByLabel('Address').fill(createWorker(base).account.address)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Message').waitFor()
  await takePicture(page, 'consent-signature')
  await page.close()
}

/** A page of the console: who sees it, and how high its picture is. */
interface Shown {
  path: string
  role?: 'arbitrator'
  height?: number
}

/** The newest dispute that waits for a verdict. A worker opens one where there is none. */
const openDispute = async (client: ReturnType<typeof createClient>, place: StackPlace): Promise<string> => {
  const { disputes } = await client.listDisputes({ status: 'open', limit: 1 })
  return disputes[0]?.id ?? disputeId((await disputedWork(place)).session.sessionId)
}

/** Pages of the console, by the name of their picture: with the newest session that was paid, and an open dispute. */
const consolePagesOf = async (client: ReturnType<typeof createClient>, place: StackPlace): Promise<Record<string, Shown>> => {
  const dispute = await openDispute(client, place)
  const { sessions: paid } = await client.listAdminSessions({ status: 'resolved', limit: 1 })
  const session = paid[0]?.sessionId
  return {
    now: { path: '/' },
    sessions: { path: '/sessions' },
    ...(session !== undefined && { session: { path: `/session?sessionId=${encodeURIComponent(session)}` } }),
    dispute: { path: `/dispute?disputeId=${encodeURIComponent(dispute)}`, role: 'arbitrator', height: 1000 },
    payments: { path: '/payments' },
    sources: { path: '/sources' },
    grants: { path: '/grants' },
  }
}

const CONSOLE_HEIGHT = 640

/** Signs in at the console with the token of a role. */
const openConsole = async (browser: Browser, { api, console: site, keys }: StackInfo, role: 'admin' | 'arbitrator'): Promise<Page> => {
  const { token } = await createClient({ baseUrl: api ?? '', account: privateKeyToAccount(keys[role]) }).signIn()
  const page = await openPage(browser)
  await page.goto(`${site}/sign-in`)
  await page.getByLabel('Token of a service').fill(token)
  await page.locator('form[action="/sign-in/token"] button').click()
  return page
}

/** The console, as an operator and an arbitrator see it. */
const takeConsole = async (browser: Browser, info: StackInfo): Promise<void> => {
  const { api, console: site, keys } = info
  if (api === undefined || site === undefined) return
  const client = createClient({ baseUrl: api, account: privateKeyToAccount(keys.admin) })
  await client.signIn()
  const pages = await consolePagesOf(client, placeOf(info, console.log))
  for (const [name, { path, role = 'admin', height = CONSOLE_HEIGHT }] of Object.entries(pages)) {
    const page = await openConsole(browser, info, role)
    await page.setViewportSize({ width: WIDTH, height })
    // The stream of a page never ends.
    await page.goto(site + path, { waitUntil: 'load' })
    await takePicture(page, name, 'console')
    await page.context().close()
  }
}

const dispatch = async (args: string[]): Promise<number> => {
  const { values } = parseArgs({ args, options: { dir: { type: 'string' }, console: { type: 'boolean' }, help: { type: 'boolean' } } })
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  const executablePath = BROWSERS.find(existsSync)
  if (executablePath === undefined) {
    console.error(`this machine has no chromium: looked for ${BROWSERS.join(', ')}`)
    return 2
  }
  const running = getRunning(values.dir ?? STATE_DIRECTORY)
  const base = running.api
  if (base === undefined) throw new Error('the stack runs without API and worker: end it and run npm start')
  const pages = values.console ? {} : await pagesOf(base)
  mkdirSync(FOLDER, { recursive: true })
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    for (const [name, path] of Object.entries(pages)) await take(browser, base, name, path)
    if (!values.console) await takeConsent(browser, base)
    await takeConsole(browser, running)
  } finally {
    await browser.close()
  }
  return 0
}

// `npm run pictures` takes the pictures that the documents show.
process.exitCode = await runProgram(() => dispatch(process.argv.slice(2)))
