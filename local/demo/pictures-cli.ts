import { existsSync, mkdirSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import { z } from 'zod'
import { getRunning } from '../info.ts'
import { runProgram } from '../program.ts'
import { STATE_DIRECTORY } from '../stack.ts'

const USAGE = `usage: npm run pictures -- [--dir DIR]

Takes the pictures of the pages in docs/pictures from the running local stack, with the chromium of this machine.
npm run agent earns the badge that they show. Exit code 2: this machine has no chromium.`

const BROWSERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const FOLDER = new URL('../../docs/pictures/', import.meta.url)
const [WIDTH, HEIGHT] = [1280, 800]
/** Largest picture in bytes. */
const MOST_BYTES = 200_000

const Jobs = z.object({ jobs: z.array(z.object({ id: z.string() })) })
const Badges = z.object({ badges: z.array(z.object({ sessionId: z.string(), jobId: z.string() })) })

const read = async (address: string): Promise<unknown> => {
  const response = await fetch(address, { headers: { accept: 'application/json' } })
  if (!response.ok) throw new Error(`${address}: ${response.status}`)
  return response.json()
}

/** Pages to show, by the name of their picture. */
const pagesOf = async (base: string): Promise<Record<string, string>> => {
  const [job] = Jobs.parse(await read(`${base}/jobs?claimable=true&limit=1`)).jobs
  const [badge] = Badges.parse(await read(`${base}/badges?limit=1`)).badges
  if (job === undefined) throw new Error('the stack has no job that can be claimed: npm run time -- +1d, or start it with --fresh')
  if (badge === undefined) throw new Error('the stack has no badge yet: npm run agent')
  const path = `/badges/${encodeURIComponent(badge.sessionId)}`
  return {
    home: '/',
    jobs: '/jobs',
    job: `/jobs/definition?${new URLSearchParams({ jobId: job.id })}`,
    badge: path,
    verification: `/verify?record=${encodeURIComponent(path)}`,
  }
}

const take = async (browser: Browser, base: string, name: string, path: string): Promise<void> => {
  const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT }, colorScheme: 'light' })
  await page.goto(base + path, { waitUntil: 'networkidle' })
  const file = new URL(`page-${name}.png`, FOLDER)
  await page.screenshot({ path: file.pathname })
  await page.close()
  const { size } = statSync(file)
  if (size > MOST_BYTES) throw new Error(`the picture of ${name} has ${size} bytes, more than ${MOST_BYTES}`)
  console.log(`docs/pictures/page-${name}.png: ${Math.ceil(size / 1000)} kB`)
}

const dispatch = async (args: string[]): Promise<number> => {
  const { values } = parseArgs({ args, options: { dir: { type: 'string' }, help: { type: 'boolean' } } })
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  const executablePath = BROWSERS.find(existsSync)
  if (executablePath === undefined) {
    console.error(`this machine has no chromium: looked for ${BROWSERS.join(', ')}`)
    return 2
  }
  const base = getRunning(values.dir ?? STATE_DIRECTORY).api
  if (base === undefined) throw new Error('the stack runs without API and worker: end it and run npm start')
  const pages = await pagesOf(base)
  mkdirSync(FOLDER, { recursive: true })
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    for (const [name, path] of Object.entries(pages)) await take(browser, base, name, path)
  } finally {
    await browser.close()
  }
  return 0
}

// `npm run pictures` takes the pictures that the documents show.
process.exitCode = await runProgram(() => dispatch(process.argv.slice(2)))
