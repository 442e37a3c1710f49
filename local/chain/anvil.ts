import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { LOCAL_MNEMONIC } from '../keys.ts'
import { type Child, type Processes, untilReady } from '../processes.ts'
import { createRpc, type Rpc } from './rpc.ts'

export const LOCAL_CHAIN_ID = 420420417

export type Anvil = { child: Child; rpcUrl: string; rpc: Rpc }
export type AnvilRequest = {
  processes: Processes
  port: number
  /**
   * Epoch seconds at which its clock starts, also with a saved state, and the time of block 0. Block 0 is recreated at every start: with a
   * saved state it is younger than block 1, and not its parent.
   */
  timestamp: number
  stateFile: string
}

const READY_MS = 15_000
/** Fits the largest deployment and ordinary calls in one block. */
const GAS_LIMIT = '60000000'
/** Seconds between two saves of the state. It is saved at the end only: a state saved while mining may be ahead of its newest block, and is unusable. */
const NEVER = '1000000000'
/** Blocks whose state stays in memory. The default writes states to the home directory. */
const STATES_KEPT = '128'

const binary = (): string => {
  const anvil = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json')
  const name = `@foundry-rs/anvil-${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`
  try {
    const file = process.platform === 'win32' ? 'anvil.exe' : 'anvil'
    return join(dirname(createRequire(anvil).resolve(`${name}/package.json`)), 'bin', file)
  } catch (error) {
    throw new Error(`${name} is not installed: run "npm ci"`, { cause: error })
  }
}

/** Starts Anvil, which mines every transaction at once in the order of arrival. The block log, not its state file, is the record. */
export const startAnvil = async ({ processes, port, timestamp, stateFile }: AnvilRequest): Promise<Anvil> => {
  const where = ['--chain-id', String(LOCAL_CHAIN_ID), '--host', '127.0.0.1', '--port', String(port), '--silent']
  const rules = ['--order', 'fifo', '--gas-limit', GAS_LIMIT, '--mnemonic', LOCAL_MNEMONIC, '--timestamp', String(timestamp)]
  const state = ['--state', stateFile, '--state-interval', NEVER, '--prune-history', STATES_KEPT]
  const child = await processes.start({ name: 'chain', command: binary(), args: [...where, ...rules, ...state], task: true })
  const rpcUrl = `http://127.0.0.1:${port}`
  const rpc = createRpc(rpcUrl)
  try {
    // When the port was taken, another server may answer on it.
    const answers = async () => (await rpc('eth_chainId').catch(() => undefined)) !== undefined && !child.hasExited()
    await untilReady([child], answers, READY_MS)
    // From here on an unexpected end is reported as such.
    processes.guard(child)
    return { child, rpcUrl, rpc }
  } catch (error) {
    await processes.stop(child, 0)
    throw error
  }
}
