// The guides as a reader follows them: every block of a page in order, in one shell, to the end that the guide promises.
import { execFile, execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { decodePaymentResponseHeader } from '@x402/core/http'
import { getAddress, type Hex } from 'viem'
import { listGrants } from '../../../activities/identity/grants.ts'
import { BAD_WORK, claim, createJob, encode, GOOD_WORK, leaves } from '../../e2e/support/jobs.ts'
import { useWorld } from '../../e2e/support/world.ts'
import { connectProgram } from '../../e2e/tools/support/clients.ts'
import { inTurns } from '../../support/cases/sample.ts'
import { makeStateDirectory, openDirectory, removeState } from '../../support/state-directory.ts'

// A stack of this file alone: its guides take the newest job, and move its time.
const world = useWorld({ env: {} })
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** The Node of this machine, which a reader has; `npm run` uses the one that `npm ci` installs. */
const PATHS = (process.env.PATH ?? '').split(':').filter((path) => !path.includes('node_modules'))
const HOST_NODE = PATHS.map((path) => join(path, 'node')).find((path) => existsSync(path)) ?? process.execPath

const home = openDirectory('guides-home')
const checkout = join(home, 'checkout')

interface Ended {
  code: number | null
  output: string
}

/** Runs a command in the checkout of a reader, who has a home of their own and an editor that does the work of a job. */
const run = (reader: string, command: string, args: string[], env: Record<string, string> = {}): Promise<Ended> =>
  new Promise((resolve) => {
    const own = {
      PATH: [dirname(HOST_NODE), ...PATHS].join(':'),
      HOME: join(home, reader),
      AGENT_WORK_PASSPHRASE: 'a passphrase of a reader',
      npm_config_update_notifier: 'false',
      // Programs that a first start loads from the network.
      XDG_CACHE_HOME: process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
    }
    const child = execFile(command, args, { env: { ...own, ...env }, cwd: checkout, maxBuffer: 1e8 }, (_error, out, error) =>
      resolve({ code: child.exitCode, output: out + error }),
    )
    child.stdin?.end()
  })

beforeAll(async () => {
  for (const file of execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean))
    cpSync(join(ROOT, file), join(checkout, file))
  symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'))
  symlinkSync(world().dir, join(checkout, '.local'))
  expect(await run('.', 'npm', ['run', 'prepare'])).toMatchObject({ code: 0 })
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** An editor in whose hands the example becomes a work. */
const editor = (reader: string, work: object): string => {
  const file = join(home, reader, 'editor.mjs')
  writeFileSync(
    file,
    `import { readFileSync, writeFileSync } from 'node:fs'
const [, , example] = process.argv
if (!readFileSync(example, 'utf8').includes('<summary>')) throw new Error('no example to fill')
writeFileSync(example, ${JSON.stringify(JSON.stringify(work))})`,
  )
  return `${process.execPath} ${file}`
}

/** The blocks of a page, as a reader copies them. */
const blocksOf = async (name: string): Promise<string[]> => {
  const response = await fetch(`${world().base}/docs/guides/${name}`, { headers: { accept: 'text/html' } })
  expect(response.status).toBe(200)
  const shown = [...(await response.text()).matchAll(/<pre[^>]*>([^<]*)<\/pre>/g)].map(([, block = '']) => block)
  const read = (block: string): string =>
    block.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
  return shown.map(read)
}

/** The packages of this checkout are there, and what their scripts prepare. */
const INSTALL = /^npm ci$/m

/** Follows a guide to its end in one shell. Returns what it printed, its variables and the wallet of the reader. */
const follow = async (name: string, { work = GOOD_WORK, variables = [] as string[] } = {}) => {
  mkdirSync(join(home, name), { recursive: true })
  const blocks = await blocksOf(name)
  expect(blocks.filter((block) => block.includes('…'))).toEqual([])
  const ends = variables.map((variable) => `echo "END ${variable}=$${variable}"`)
  const script = [...blocks, ...ends].join('\n').replace(INSTALL, '')
  const { code, output } = await run(name, 'bash', ['-eo', 'pipefail', '-c', script], { EDITOR: editor(name, work) })
  expect({ code, failure: code === 0 ? '' : output }).toEqual({ code: 0, failure: '' })
  const values = Object.fromEntries(
    variables.map((variable) => [variable, new RegExp(`^END ${variable}=(.*)$`, 'm').exec(output)?.[1] ?? '']),
  )
  const key = join(home, name, '.config/agent-work/key.json')
  const wallet = existsSync(key) ? getAddress(`0x${JSON.parse(readFileSync(key, 'utf8')).address}`) : ('0x' as Hex)
  return { output, values, wallet }
}

/** Guides of which the gate follows one in four. */
const inFour = inTurns(4)

describe('the guide', () => {
  test('“First badge” ends with a badge that verifies', async () => {
    await createJob(world(), { onboardingWaiverEligible: true })
    const { output, values, wallet } = await follow('first-badge', { variables: ['JOB', 'BADGE'] })
    const { badges } = await world().view.standingOf(wallet)
    expect(badges.map(({ metadataUri }) => metadataUri)).toEqual([values.BADGE])
    expect(values.BADGE).toBe(`${world().base}/badges/${encode(`${values.JOB}:${wallet}`)}`)
    expect(output).toMatch(/^Sound: a badge/m)
  })

  inFour('“Connect a tool client” ends with an entry that starts the tools, for a wallet that signs by itself', async () => {
    const { output, wallet } = await follow('tool-client')
    expect(output).toContain(`${wallet} lets agent-work mcp on `)
    expect(output).toMatch(/^.*\bclaimJob\b.*\bsubmitWork\b/m)
    const { mcpServers } = JSON.parse(readFileSync(join(checkout, 'agent-work.json'), 'utf8'))
    const client = await connectProgram('client 1', {
      ...mcpServers['agent-work'],
      env: { HOME: join(home, 'tool-client') },
      stderr: 'ignore',
    })
    const listed = await client.callTool('listSessions').finally(() => client.close())
    expect(listed.body).toMatchObject({ sessions: [] })
    const [delegate] = await listGrants(
      world().database.rows,
      { kind: 'delegate', subject: wallet.toLowerCase(), status: undefined },
      { limit: 1, after: null },
    )
    expect(delegate?.terms).toMatchObject({ jobsPerDay: 3, bondPerDayRaw: '0' })
  })

  inFour('“A bond of your own” ends with bond and reward in the wallet', async () => {
    await createJob(world())
    const { output, wallet } = await follow('own-bond')
    const { liquidRaw, stakedRaw, tokensRaw, badges } = await world().view.standingOf(wallet)
    expect({ liquidRaw, stakedRaw, tokensRaw, badges: badges.length }).toEqual({
      liquidRaw: 0n,
      stakedRaw: 0n,
      tokensRaw: 150_000n + 950_000n,
      badges: 1,
    })
    expect(output).toMatch(/locked as bonds of open work +0.15 USDC/)
  })

  inFour('“Post a job” ends with paid work, and the money of a second job in the account', async () => {
    const { output, wallet, values } = await follow('post-a-job', { variables: ['JOB', 'SECOND'] })
    expect((await world().view.escrowOf(values.JOB ?? '')).state).toBe('closed')
    const { liquidRaw, tokensRaw } = await world().view.standingOf(wallet)
    expect(liquidRaw + tokensRaw).toBe(1_950_000n)
    expect(output).toMatch(/^external_self_paid_claim_required$/m)
    expect(output).toMatch(/Reward +1 USDC, paid into the account/)
    expect(output).toMatch(/^Back in the account +1\.05 USDC$/m)
  })

  inFour('“Dispute” ends with a decision for the worker, and its signed file', async () => {
    await createJob(world())
    const { output, wallet, values } = await follow('dispute', { work: BAD_WORK, variables: ['DISPUTE'] })
    const dispute = await world().admin.get(`/disputes/${values.DISPUTE}`)
    expect(dispute).toMatchObject({ status: 'resolved', verdict: 'dismissed', claimant: wallet.toLowerCase() })
    const { liquidRaw, stakedRaw } = await world().view.standingOf(wallet)
    expect({ liquidRaw, stakedRaw }).toEqual({ liquidRaw: 1_150_000n, stakedRaw: 0n })
    expect(output).toMatch(/^Sound: a dispute file/m)
  })

  inFour('“Verify a record” finds the newest badge sound, and a forged one not', async () => {
    const agent = await world().agent()
    const { sessionId } = await claim(agent, await createJob(world(), { onboardingWaiverEligible: true }))
    await agent.post('/jobs/submit', { sessionId, submission: GOOD_WORK })
    await leaves(agent, sessionId, 'submitted')
    const { output, values } = await follow('verify-a-record', { variables: ['RECORD'] })
    expect(values.RECORD).toBe(`${world().base}/badges/${encode(sessionId)}`)
    expect(output).toMatch(/^Sound: a badge/m)
    expect(output).toMatch(/^Not sound: /m)
    expect(JSON.parse(readFileSync(join(checkout, 'heads.json'), 'utf8'))).toEqual([expect.objectContaining({ head: expect.anything() })])
  })

  inFour('“Buy a verification” ends with a paid verdict, and an authorisation that is cancelled', async () => {
    const { output, wallet, values } = await follow('buy-a-verification', { variables: ['RUN', 'PAID'] })
    const { body: run } = await world().call(new URL(values.RUN ?? '').pathname)
    expect(run).toMatchObject({ customer: wallet.toLowerCase(), verdict: 'approved', billing: { status: 'captured' } })
    expect(decodePaymentResponseHeader(values.PAID ?? '')).toMatchObject({ success: true, transaction: run.billing.transactionHash })
    expect((await world().view.standingOf(wallet)).tokensRaw).toBe(0n)
    for (const line of [/^verification_payment_required$/m, /^The same run\.$/m, /^success$/m, /^payment_authorization_used$/m])
      expect(output).toMatch(line)
  })

  // It moves the time of the stack, so the tokens of the others end with it.
  inFour('“Save, borrow, come home” ends with everything in the wallet again', async () => {
    const { output, wallet } = await follow('save-borrow-come-home')
    const { liquidRaw, stakedRaw, tokensRaw } = await world().view.standingOf(wallet)
    expect({ liquidRaw, stakedRaw, tokensRaw }).toEqual({ liquidRaw: 0n, stakedRaw: 0n, tokensRaw: 20_000_000n })
    for (const act of ['deposit', 'pledge', 'originate', 'repay', 'redeem']) expect(output).toMatch(new RegExp(`^${act}: 0x`, 'm'))
    expect(output).toMatch(/^wallet: 20$/m)
    expect(output).toMatch(/^released$/m)
  })

  inFour('“Run it” starts a service, proves an agent’s earnings on its chain, and ends it', async () => {
    expect((await blocksOf('run-it')).join('\n')).toMatch(INSTALL)
    const state = makeStateDirectory('guides')
    rmSync(join(checkout, '.local'))
    symlinkSync(state, join(checkout, '.local'))
    try {
      const { output, values } = await follow('run-it', { variables: ['SERVICE'] })
      expect(values.SERVICE).toMatch(/^http:/)
      expect(values.SERVICE).not.toBe(world().base)
      expect(output).toContain(`${values.SERVICE}/docs/guides\n`)
      for (const line of [/^The chain shows both payments and both badges\.$/, /^sessions: passed /, /^It has ended\.$/])
        expect(output).toMatch(new RegExp(line, 'm'))
      await expect(fetch(values.SERVICE ?? '')).rejects.toThrow('fetch failed')
    } finally {
      await run('.', 'npm', ['run', 'stop'])
      removeState(state)
    }
  })
})
