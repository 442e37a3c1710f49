import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { type Address, type Hex, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { seed } from '../../../local/catalogue/seed.ts'
import { createRpc } from '../../../local/chain/rpc.ts'
import { stateFiles } from '../../../local/files.ts'
import { assertLocalChain } from '../../../local/time/move.ts'
import { operationList } from '../../../schemas/operations/registry.ts'
import { useWorld } from '../../e2e/support/world.ts'

// The demos take any job that is listed, so not the stack that all files share.
const world = useWorld()
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const FOLDER = `${ROOT}examples/agent/`

// Seeds grow stale when time moves.
beforeAll(() => seed(world().info.databaseUrl, stateFiles(world().dir)))

interface Ended {
  code: number | null
  output: string
}

const run = (command: string, args: string[], env: Record<string, string>): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const { PATH = '', HOME = '' } = process.env
    const child = spawn(command, args, { env: { PATH: `${process.execPath.replace(/\/node$/, '')}:${PATH}`, HOME, ...env } })
    let output = ''
    const keep = (chunk: Buffer) => {
      output += chunk.toString()
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output }))
  })

describe('examples/agent-with-client', () => {
  test('earns a paid badge in at most twenty lines', async () => {
    const file = `${ROOT}examples/agent-with-client/agent.ts`
    const lines = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => !/^\s*(\/\/.*|\/\*\*.*\*\/)?$/.test(line))
    expect(lines.length).toBeLessThanOrEqual(20)
    const key = generatePrivateKey()
    const sources = `${ROOT}client/generate/sources.ts`
    const { code, output } = await run(process.execPath, ['--import', sources, file], { BASE_URL: world().base, PRIVATE_KEY: key })
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('session resolved') })
    const { liquidRaw, badges } = await world().view.standingOf(privateKeyToAccount(key).address)
    expect(liquidRaw).toBeGreaterThan(0n)
    expect(badges).toHaveLength(1)
    expect(output).toContain(`paid ${Number(liquidRaw) / 1e6} USDC\n`)
    expect(output).toContain(badges[0]?.metadataUri)
  })
})

const EXAMPLES: [string, string, string][] = [
  ['agent.ts', process.execPath, 'agent.ts'],
  ['agent.sh', 'sh', 'agent.sh'],
]

describe.each(EXAMPLES)('examples/agent/%s', (_name, command, file) => {
  test('earns a paid badge for a new key', async () => {
    const key = generatePrivateKey()
    const { address } = privateKeyToAccount(key)
    const { code, output } = await run(command, [`${FOLDER}${file}`], { BASE_URL: world().base, PRIVATE_KEY: key })
    expect(output).toMatch(/verdict: approved/)
    expect(code).toBe(0)
    const { liquidRaw, badges } = await world().view.standingOf(address)
    expect(liquidRaw).toBeGreaterThan(0n)
    expect(badges).toHaveLength(1)
    const badge = await (await fetch(badges[0]?.metadataUri ?? '')).json()
    expect(badge).toMatchObject({ service: { worker: address.toLowerCase(), reward: { amount: liquidRaw.toString() } } })
    expect(output).toContain(badges[0]?.metadataUri)
  })

  test('ends with the problem when the service refuses', async () => {
    const { code, output } = await run(command, [`${FOLDER}${file}`], { BASE_URL: `${world().base}/nowhere` })
    expect(code).not.toBe(0)
    expect(output).toContain('not_found')
  })

  test('imports nothing of the service', () => {
    const text = readFileSync(`${FOLDER}${file}`, 'utf8')
    const imported = [...text.matchAll(/(?:from|import\()\s*["']([^"']+)["']/g)].map(([, name]) => name)
    expect(imported.filter((name) => !['viem/accounts', '../local-service.ts'].includes(String(name)))).toEqual([])
    expect(imported).toContain('viem/accounts')
  })
})

describe('examples/poster', () => {
  const FILE = `${ROOT}examples/poster/poster.ts`
  const fundedKey = async (): Promise<Hex> => {
    const key = generatePrivateKey()
    await world().view.fund(privateKeyToAccount(key).address, 2_000_000n)
    return key
  }

  test('posts a job that a second wallet claims, does and is paid for', async () => {
    const [POSTER_KEY, WORKER_KEY] = [await fundedKey(), await fundedKey()]
    const { code, output } = await run(process.execPath, [FILE], { BASE_URL: world().base, POSTER_KEY, WORKER_KEY })
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringMatching(/verdict: approved, session resolved/) })
    expect(output).toMatch(/rehearsed: approved, rejected[\s\S]*funded with 1\.05 USDC, the job is live/)
    const [, jobId = ''] = /^drafted (0x[0-9a-f]{64})$/m.exec(output) ?? []
    expect((await world().view.escrowOf(jobId)).state).toBe('closed')
    const worker = await world().view.standingOf(privateKeyToAccount(WORKER_KEY).address)
    expect([worker.badges.length, worker.liquidRaw > 1_000_000n]).toEqual([1, true])
  })

  test('ends before it signs anything when a wallet has no money', async () => {
    const { code, output } = await run(process.execPath, [FILE], { BASE_URL: world().base })
    expect([code, output]).toEqual([1, expect.stringMatching(/Set POSTER_KEY to a key with money/)])
  })

  test('imports nothing of the service', () => {
    const imported = [...readFileSync(FILE, 'utf8').matchAll(/(?:from|import\()\s*["']([^"']+)["']/g)].map(([, name]) => name)
    expect(imported).toEqual(['viem', 'viem/accounts', '../local-service.ts'])
  })
})

describe('examples/mcp-agent', () => {
  /** Names of the called tools, in order; a call that waits is repeated as often as it takes. */
  const callsOf = (text: string): string[] =>
    [...text.matchAll(/^→ (\w+)/gm)].map(([, name]) => String(name)).filter((name, index, all) => name !== all[index - 1])

  /** Bytes of all answers. */
  const bytesOf = (text: string): number => [...text.matchAll(/^← (\d+) bytes/gm)].reduce((sum, [, bytes]) => sum + Number(bytes), 0)

  test('reaches a badge with no name but those it is given, as docs/mcp-transcript.md shows', async () => {
    const key = generatePrivateKey()
    const { code, output } = await run(process.execPath, [`${ROOT}examples/mcp-agent/agent.ts`], {
      MCP_URL: `${world().base}/mcp`,
      PRIVATE_KEY: key,
    })
    expect({ code, end: output.split('\n').at(-2) }).toEqual({ code: 0, end: expect.stringMatching(/^badge: /) })
    const transcript = readFileSync(`${ROOT}docs/mcp-transcript.md`, 'utf8')
    expect(callsOf(output)).toEqual(callsOf(transcript))
    // A call without ids is the same in each run.
    const fixed = (text: string) => text.match(/^→ \w+ \{("(?!\w*(?:Id|wallet|message))\w+":[^"{}]*,?)*\}$/gm)
    expect(fixed(output)).toEqual(fixed(transcript))
    for (const text of [output, transcript]) expect(bytesOf(text)).toBeLessThan(40_000)
    expect((await world().view.standingOf(privateKeyToAccount(key).address)).badges).toHaveLength(1)
    const names = operationList.flatMap(({ tool }) => tool?.name ?? [])
    const source = readFileSync(`${ROOT}examples/mcp-agent/agent.ts`, 'utf8')
    expect(names.filter((name) => source.includes(name))).toEqual([])
  })
})

describe('npm run faucet', () => {
  const faucet = (...args: string[]) => run(process.execPath, [`${ROOT}local/demo/faucet-cli.ts`, ...args, '--dir', world().dir], {})
  const tokensOf = async (wallet: Address) => (await world().view.standingOf(wallet)).tokensRaw
  const gasOf = (wallet: Address) => world().view.client.getBalance({ address: wallet })

  test.each([
    ['5 USDC and gas without an option', [], 5_000_000n, parseEther('0.1')],
    ['the amount alone', ['--usdc', '0.05'], 50_000n, 0n],
    ['gas alone', ['--gas'], 0n, parseEther('0.1')],
  ])('pays %s', async (_what, options, tokensRaw, gasRaw) => {
    const { address } = privateKeyToAccount(generatePrivateKey())
    expect(await faucet(address, ...options)).toMatchObject({ code: 0, output: expect.stringContaining(address.toLowerCase()) })
    expect([await tokensOf(address), await gasOf(address)]).toEqual([tokensRaw, gasRaw])
  })

  test('refuses what is no address or no amount, and a chain with another id', async () => {
    const { address } = privateKeyToAccount(generatePrivateKey())
    for (const args of [[], ['0x12'], [address, address], [address, '--usdc', '0'], [address, '--usdc', '0.0000001']])
      expect((await faucet(...args)).code).toBe(1)
    const chain = JSON.parse(readFileSync(world().info.chainFile, 'utf8'))
    const dir = mkdtempSync(join(tmpdir(), 'agent-work-faucet-'))
    const chainFile = join(dir, 'chain.json')
    writeFileSync(chainFile, JSON.stringify({ ...chain, chainId: 1 }))
    const { rpcUrl } = world().info
    await expect(assertLocalChain({ chainFile, rpcUrl }, createRpc(rpcUrl))).rejects.toThrow(/the local chain only/)
    rmSync(dir, { recursive: true })
    expect(await tokensOf(address)).toBe(0n)
  })
})

describe('npm run demo -- --once', () => {
  test('twice at once attaches to the running stack: both earn a badge without and one with a bond, print no key and end with 0', async () => {
    const demo = () => run(process.execPath, [`${ROOT}local/demo/cli.ts`, '--once', '--dir', world().dir], {})
    const ended = await Promise.all([demo(), demo()])
    expect(ended.filter(({ code }) => code !== 0).map(({ output }) => output)).toEqual([])
    for (const { output } of ended) {
      expect(output.match(/inspect-earned-badge/g)).toHaveLength(2)
      expect(output).toContain('The chain shows both payments and both badges.')
      expect(output).toMatch(/\/namespaces\/default\/workflows\/claim%2F/)
      for (const key of Object.values(world().info.keys)) expect(output).not.toContain(key)
    }
    // A job that one demo took is passed over by the other.
    const earned = ended.flatMap(({ output }) => [...output.matchAll(/badge of (\S+)/g)].map(([, jobId]) => jobId))
    expect(new Set(earned).size).toBe(4)
    expect((await fetch(`${world().base}/health/live`)).status).toBe(200)
  })
})
