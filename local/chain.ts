import { existsSync, readFileSync, rmSync } from 'node:fs'
import { type Hex, keccak256 } from 'viem'
import { type Anvil, startAnvil } from './anvil.ts'
import { followChain } from './chain-follower.ts'
import { type ChainLog, type LoggedBlock, openChainLog } from './chain-log.ts'
import type { Say } from './download.ts'
import type { StateFiles } from './files.ts'
import { choosePorts } from './ports.ts'
import type { Child, Processes } from './processes.ts'
import type { Rpc } from './rpc.ts'

export type LocalChain = {
  rpcUrl: string
  child: Child
  log: ChainLog
  /** Seconds that block time is ahead of the wall clock: the wish, or more when the newest block lies further ahead. */
  offsetSeconds: number
  /** Resolves when everything mined before the call is in the log. */
  flush(): Promise<void>
  /** Ends the chain with everything mined in the log. */
  stop(): Promise<void>
}

const STOP_MS = 4_000
/** How long Anvil may take to write its state when somebody waits for it: it grows with every block. */
const SAVE_MS = 30_000
/** How often a chain is brought back aside before it is given up. */
const TRIES_ASIDE = 2

const NOBODY = '0x0000000000000000000000000000000000000000'

type Head = { number: string; hash: string }
const blockHash = async (rpc: Rpc, number: number): Promise<string | undefined> =>
  (await rpc<Head | null>('eth_getBlockByNumber', [`0x${number.toString(16)}`, false]))?.hash

/**
 * True when the state is that of the newest block. One that was written while blocks were mined may be ahead of it: it has spent nonces of which no
 * block tells. After the next block nobody can tell any more, since that is made of the state as it is.
 */
const isStateOfHead = async (rpc: Rpc): Promise<boolean> => {
  const { hash, stateRoot } = await rpc<{ hash: string; stateRoot: string }>('eth_getBlockByNumber', ['latest', false])
  const { accountProof } = await rpc<{ accountProof: Hex[] }>('eth_getProof', [NOBODY, [], 'latest'])
  const after = await rpc<{ hash: string }>('eth_getBlockByNumber', ['latest', false])
  // The first part of every proof is the root itself.
  return after.hash !== hash || keccak256(accountProof[0] ?? '0x') === stateRoot
}

/** How far chain and log agree, or undefined when the chain's past is not the log's, or it is no whole chain, or cannot be read. */
const agreedHeight = async (rpc: Rpc, log: ChainLog): Promise<number | undefined> => {
  try {
    const height = Number(await rpc<string>('eth_blockNumber'))
    if (height === 0) return 0
    if (!(await isStateOfHead(rpc))) return undefined
    const common = Math.min(height, log.head()?.number ?? 0)
    return common > 0 && (await blockHash(rpc, common)) === log.blocks()[common - 1]?.hash ? common : undefined
  } catch {
    return undefined
  }
}

const mineAgain = async (rpc: Rpc, block: LoggedBlock): Promise<void> => {
  for (const raw of block.transactions) await rpc('eth_sendRawTransaction', [raw])
  // It follows from the parent, but not in a block that took the place of one rolled back.
  await rpc('anvil_setNextBlockBaseFeePerGas', [block.baseFeePerGas])
  await rpc('evm_mine', [block.timestamp])
}

/** Mines the logged blocks above `from` again. The last hash covers every transaction, receipt and state before it. */
const replay = async (rpc: Rpc, log: ChainLog, from: number): Promise<void> => {
  const missing = log.blocks().filter((block) => block.number > from)
  const head = missing.at(-1)
  if (!head) return
  const height = Number(await rpc<string>('eth_blockNumber'))
  if (height !== from) throw new Error(`the local chain is at block ${height} and was to go on from ${from}`)
  await rpc('evm_setAutomine', [false])
  for (const block of missing) await mineAgain(rpc, block)
  await rpc('evm_setAutomine', [true])
  const mined = await blockHash(rpc, head.number)
  if (mined !== head.hash)
    throw new Error(`the local chain did not come back: block ${head.number} was ${head.hash} and is now ${mined}. Start with --fresh.`)
}

/** Sets block time ahead of the wall clock by exactly so many seconds; done again when a second passed in between. */
export const setChainOffset = async (rpc: Rpc, offsetSeconds: number): Promise<void> => {
  do await rpc('evm_setTime', [Math.floor(Date.now() / 1000) + offsetSeconds])
  while ((await rpc<number>('evm_increaseTime', [0])) !== offsetSeconds)
}

/** Block time never goes back: a chain that is already further ahead keeps its lead. */
const leadOf = (head: Pick<LoggedBlock, 'timestamp'> | undefined, offsetSeconds: number): number =>
  Math.max(offsetSeconds, (head?.timestamp ?? 0) - Math.floor(Date.now() / 1000))

export type ChainRequest = {
  processes: Processes
  files: StateFiles
  port: number
  offsetSeconds: number
  say: Say
}

/** Anvil writes its state in place: killed meanwhile it leaves a part of it, with which it does not start. */
const readState = (stateFile: string): unknown => {
  try {
    return JSON.parse(readFileSync(stateFile, 'utf8'))
  } catch {
    return undefined
  }
}

const isWhole = (stateFile: string): boolean => readState(stateFile) !== undefined

/** Newest block of a saved state, if it says so. */
const savedHead = (stateFile: string): Pick<LoggedBlock, 'number' | 'timestamp'> | undefined => {
  const { block } = (readState(stateFile) ?? {}) as { block?: { number?: unknown; timestamp?: unknown } }
  return block === undefined ? undefined : { number: Number(block.number), timestamp: Number(block.timestamp) }
}

/** Anvil at the log's head. Its own state file spares most of the work; where it is damaged or another past, everything is mined again. */
const bringBack = async ({ processes, files, port, say }: ChainRequest, log: ChainLog): Promise<Anvil> => {
  const request = { processes, port, timestamp: log.start.genesisTimestamp, stateFile: files.chainState }
  if (!existsSync(files.chainState)) return replayed(request, await startAnvil(request), log, 0)
  const anvil = isWhole(files.chainState) ? await startAnvil(request).catch(() => undefined) : undefined
  const agreed = anvil && (await agreedHeight(anvil.rpc, log))
  // Saved while a block was being mined, a state may be ahead of its own newest block: then the log does not go on from it.
  const back = anvil && agreed !== undefined ? await replayed(request, anvil, log, agreed).catch(() => undefined) : undefined
  if (back) return back
  say('The saved state of the local chain is of no use: mining every block again')
  if (anvil && !anvil.child.hasExited()) await drop(processes, anvil)
  rmSync(files.chainState, { force: true })
  return replayed(request, await startAnvil(request), log, 0)
}

const end = async (processes: Processes, anvil: Anvil, graceMs: number): Promise<void> => {
  anvil.rpc.close()
  await processes.stop(anvil.child, graceMs)
}

/** Ends an Anvil of no use before it writes anything. */
const drop = async (processes: Processes, anvil: Anvil): Promise<void> => {
  anvil.rpc.close()
  await processes.stop(anvil.child, 0, 'SIGKILL')
}

/** An Anvil that does not come back is not left behind. */
const replayed = async ({ processes }: { processes: Processes }, anvil: Anvil, log: ChainLog, from: number): Promise<Anvil> => {
  try {
    await replay(anvil.rpc, log, from)
    return anvil
  } catch (error) {
    await drop(processes, anvil)
    throw error
  }
}

/**
 * Anvil on its port from the saved state, at today's time; undefined when that does not go as far as the log, which is known before anybody is
 * served, or is another past. It may go further: who was ended after whoever logs had gone.
 */
const fromSaved = async (
  { processes, files, port, offsetSeconds }: ChainRequest,
  log: ChainLog,
  head: LoggedBlock,
): Promise<Anvil | undefined> => {
  const saved = savedHead(files.chainState)
  if (saved === undefined || !(saved.number >= head.number)) return undefined
  // Whoever has waited with a transaction is served at once: on a clock that begins at the genesis its block would be older than its parent.
  const timestamp = Math.floor(Date.now() / 1000) + leadOf(saved, offsetSeconds)
  const anvil = await startAnvil({ processes, port, timestamp, stateFile: files.chainState })
  if ((await agreedHeight(anvil.rpc, log)) === head.number) return anvil
  await drop(processes, anvil)
  return undefined
}

/**
 * Anvil at the log's head, on its port. What has to be mined again is mined on a port that nobody knows: others would read a past that is
 * half told, and send their own transactions into it.
 */
const open = async (request: ChainRequest, log: ChainLog): Promise<Anvil> => {
  const { processes, files } = request
  const head = log.head()
  if (head === undefined) {
    // A state without a log is the past of another chain.
    rmSync(files.chainState, { force: true })
    return bringBack(request, log)
  }
  const saved = await fromSaved(request, log, head).catch(() => undefined)
  if (saved) return saved
  for (let tries = 1; tries <= TRIES_ASIDE; tries++) {
    const { ports, release } = await choosePorts({ rpc: 0 })
    try {
      await end(processes, await bringBack({ ...request, port: ports.rpc }, log), SAVE_MS)
    } finally {
      release()
    }
    const anvil = await fromSaved(request, log, head)
    if (anvil) return anvil
  }
  throw new Error(`the local chain could not save its state in ${files.chainState}: make room for it, or start with --fresh`)
}

/**
 * Starts the chain with every block of its log, and keeps the log from then on. Of the blocks before this start the transactions can be read, their
 * states not any more.
 */
export const startChain = async (request: ChainRequest): Promise<LocalChain> => {
  const { processes, files, offsetSeconds, say } = request
  const log = openChainLog(files.chainLog, { genesisTimestamp: Math.floor(Date.now() / 1000) + offsetSeconds })
  const { child, rpc, rpcUrl } = await open(request, log)
  const follower = followChain(rpc, rpcUrl, log, (error) => {
    if (!child.hasExited()) say(`The log of the local chain is behind: ${error instanceof Error ? error.message : String(error)}`)
  })
  await follower.flush()
  const lead = leadOf(log.head(), offsetSeconds)
  await setChainOffset(rpc, lead)
  return {
    rpcUrl,
    child,
    log,
    offsetSeconds: lead,
    flush: follower.flush,
    async stop() {
      if (!child.hasExited()) {
        // A state that is saved while blocks are mined may be ahead of them.
        await rpc('evm_setAutomine', [false]).catch(() => undefined)
        await follower.flush().catch(() => say('The last blocks of the local chain could not be logged'))
      }
      await follower.stop()
      await processes.stop(child, STOP_MS)
      rpc.close()
    },
  }
}
