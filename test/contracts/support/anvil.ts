// Development nodes on ports that the system chooses.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Processes, untilReady } from '../../../local/processes.ts'

export interface Anvil {
  readonly rpcUrl: string
  stop(): Promise<void>
}

export const CHAIN_ID = 31_337
/** Gas costs nothing here, so balances in the tests are about tokens only. */
const RULES = ['--port', '0', '--base-fee', '0', '--gas-price', '0', '--auto-impersonate', '--chain-id', String(CHAIN_ID)]
/** States of so many blocks stay in memory. The default writes states to the home directory. */
const ARGS = [...RULES, '--prune-history', '500']
const PLATFORMS: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }
const READY_MS = 15_000

function binary(): string {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  return createRequire(import.meta.url).resolve(`@foundry-rs/anvil-${process.platform}-${PLATFORMS[process.arch]}/bin/anvil${suffix}`)
}

const findAddress = (output: string): string | undefined => {
  const address = /Listening on (\S+:\d+)/.exec(output)?.[1]
  return address && `http://${address}`
}

/** A node of one test file. */
export async function startAnvil(): Promise<Anvil> {
  const child = spawn(binary(), ARGS, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const rpcUrl = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-20_000)
      const url = findAddress(text)
      if (url) resolve(url)
    })
    child.once('exit', (code) => reject(new Error(`anvil ended with ${code}: ${text}`)))
  })
  return {
    rpcUrl,
    async stop() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** The address of a node that outlives the test file. */
export const startAnvilIn = async (processes: Processes): Promise<string> => {
  const child = await processes.start({ name: 'anvil', command: binary(), args: ARGS, stopSignal: 'SIGKILL' })
  const read = () => findAddress(readFileSync(child.logFile, 'utf8'))
  await untilReady([child], () => read() !== undefined, READY_MS)
  return read() as string
}
