import { existsSync, readFileSync, rmSync } from 'node:fs'
import { type Hex, keccak256, zeroAddress } from 'viem'
import { loadArtifact } from '../../contracts/artifact.ts'
import { SYSTEM_PRECOMPILE } from '../../domain/identity/native/mapping.ts'
import { choosePorts } from '../ports.ts'
import type { Child, PartRequest, Processes } from '../processes.ts'
import { type Anvil, startAnvil } from './anvil.ts'
import { followChain } from './follower.ts'
import { type ChainLog, type LoggedBlock, type LoggedTransaction, openChainLog } from './log.ts'
import type { Rpc } from './rpc.ts'

export type LocalChain = {
  rpcUrl: string
  child: Child
  log: ChainLog
  /** Seconds that block time is ahead of the wall clock: as requested, or more when the newest block is further ahead. */
  offsetSeconds: number
  /** Resolves when everything mined before the call is in the log. */
  flush(): Promise<void>
  /** Stops the chain after the log holds every block. */
  stop(): Promise<void>
}

const STOP_MS = 4_000
/** Time-out for saving the state before a restart; the state grows with every block. */
const SAVE_MS = 30_000
/** How often the chain is replayed on a temporary port before the start fails. */
const REPLAY_ATTEMPTS = 2

type Head = { number: string; hash: string }
const blockHash = async (rpc: Rpc, number: number): Promise<string | undefined> =>
  (await rpc<Head | null>('eth_getBlockByNumber', [`0x${number.toString(16)}`, false]))?.hash

/**
 * Whether the state belongs to the newest block. A state saved while mining may be ahead of it, with spent nonces that no block shows. After the
 * next block this can no longer be detected.
 */
const isStateOfHead = async (rpc: Rpc): Promise<boolean> => {
  const { hash, stateRoot } = await rpc<{ hash: string; stateRoot: string }>('eth_getBlockByNumber', ['latest', false])
  const { accountProof } = await rpc<{ accountProof: Hex[] }>('eth_getProof', [zeroAddress, [], 'latest'])
  const after = await rpc<{ hash: string }>('eth_getBlockByNumber', ['latest', false])
  // The first node of a proof is the root itself.
  return after.hash !== hash || keccak256(accountProof[0] ?? '0x') === stateRoot
}

/** Height up to which chain and log agree; undefined for another history, an incomplete state or an unreadable chain. */
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

const sendAgain = async (rpc: Rpc, transaction: LoggedTransaction): Promise<void> => {
  if (typeof transaction === 'string') return void (await rpc('eth_sendRawTransaction', [transaction]))
  await rpc('anvil_impersonateAccount', [transaction.from])
  await rpc('eth_sendTransaction', [transaction])
  await rpc('anvil_stopImpersonatingAccount', [transaction.from])
}

const mineAgain = async (rpc: Rpc, block: LoggedBlock): Promise<void> => {
  for (const transaction of block.transactions) await sendAgain(rpc, transaction)
  // The base fee follows from the parent, except in a block that replaced a rolled-back one.
  await rpc('anvil_setNextBlockBaseFeePerGas', [block.baseFeePerGas])
  await rpc('evm_mine', [block.timestamp])
}

/** Mines the logged blocks above `from` again and compares the last hash, which covers all blocks before it. */
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
    throw new Error(
      `the replayed local chain differs from its log: block ${head.number} was ${head.hash} and is now ${mined}. Start with --fresh.`,
    )
}

/** Sets block time ahead of the wall clock by exactly `offsetSeconds`; repeats when a second passed in between. */
export const setChainOffset = async (rpc: Rpc, offsetSeconds: number): Promise<void> => {
  do await rpc('evm_setTime', [Math.floor(Date.now() / 1000) + offsetSeconds])
  while ((await rpc<number>('evm_increaseTime', [0])) !== offsetSeconds)
}

/** Seconds ahead of the wall clock. Block time never goes back: a chain that is further ahead stays there. */
const leadOf = (head: Pick<LoggedBlock, 'timestamp'> | undefined, offsetSeconds: number): number =>
  Math.max(offsetSeconds, (head?.timestamp ?? 0) - Math.floor(Date.now() / 1000))

export type ChainRequest = PartRequest & { port: number; offsetSeconds: number }

/** Parses a saved state. Anvil writes it in place, so a killed Anvil leaves an incomplete file, with which it does not start. */
const readState = (stateFile: string): unknown => {
  try {
    return JSON.parse(readFileSync(stateFile, 'utf8'))
  } catch {
    return undefined
  }
}

/** Newest block of a saved state; undefined when the state does not contain it. */
const savedHead = (stateFile: string): Pick<LoggedBlock, 'number' | 'timestamp'> | undefined => {
  const { block } = (readState(stateFile) ?? {}) as { block?: { number?: unknown; timestamp?: unknown } }
  return block === undefined ? undefined : { number: Number(block.number), timestamp: Number(block.timestamp) }
}

/** Starts Anvil at the log's head, from its state file where possible. With a damaged or foreign state it mines every block again. */
const bringBack = async ({ processes, files, port, say }: ChainRequest, log: ChainLog): Promise<Anvil> => {
  const request = { processes, port, timestamp: log.start.genesisTimestamp, stateFile: files.chainState }
  if (!existsSync(files.chainState)) return replayOn(request, await startAnvil(request), log, 0)
  const anvil = readState(files.chainState) === undefined ? undefined : await startAnvil(request).catch(() => undefined)
  const agreed = anvil && (await agreedHeight(anvil.rpc, log))
  // A state saved while mining may be ahead of its newest block; the replay then fails.
  const back = anvil && agreed !== undefined ? await replayOn(request, anvil, log, agreed).catch(() => undefined) : undefined
  if (back) return back
  say('The saved state of the local chain is unusable: mining every block again')
  if (anvil && !anvil.child.hasExited()) await drop(processes, anvil)
  rmSync(files.chainState, { force: true })
  return replayOn(request, await startAnvil(request), log, 0)
}

/** Kills an Anvil with an unusable state before it saves it. */
const drop = (processes: Processes, anvil: Anvil): Promise<void> => processes.stop(anvil.child, 0, 'SIGKILL')

/** Replays the log on an Anvil, which has the precompile of the log before block 1; ends the Anvil when that fails. */
const replayOn = async ({ processes }: { processes: Processes }, anvil: Anvil, log: ChainLog, from: number): Promise<Anvil> => {
  try {
    // Before the first block, or the hashes would differ. Its state is that of logged transactions, so a mapping survives a restart.
    if (from === 0 && log.start.systemCode !== undefined) await anvil.rpc('anvil_setCode', [SYSTEM_PRECOMPILE, log.start.systemCode])
    await replay(anvil.rpc, log, from)
    return anvil
  } catch (error) {
    await drop(processes, anvil)
    throw error
  }
}

/**
 * Starts Anvil on its port from the saved state at the current time. Undefined when the state is behind the log or of another history; the state
 * may be ahead when the keeper of the log ended first.
 */
const fromSaved = async (
  { processes, files, port, offsetSeconds }: ChainRequest,
  log: ChainLog,
  head: LoggedBlock,
): Promise<Anvil | undefined> => {
  const saved = savedHead(files.chainState)
  if (saved === undefined || !(saved.number >= head.number)) return undefined
  // A waiting transaction is mined at once: with a clock that starts at genesis its block would be older than its parent.
  const timestamp = Math.floor(Date.now() / 1000) + leadOf(saved, offsetSeconds)
  const anvil = await startAnvil({ processes, port, timestamp, stateFile: files.chainState })
  if ((await agreedHeight(anvil.rpc, log)) === head.number) return anvil
  await drop(processes, anvil)
  return undefined
}

/**
 * Starts Anvil at the log's head on its port. Blocks are replayed on a temporary port, so that no client reads an incomplete chain or sends
 * transactions to it.
 */
const open = async (request: ChainRequest, log: ChainLog): Promise<Anvil> => {
  const { processes, files } = request
  const head = log.head()
  if (head === undefined) {
    // A state without a log belongs to another chain.
    rmSync(files.chainState, { force: true })
    return bringBack(request, log)
  }
  const saved = await fromSaved(request, log, head).catch(() => undefined)
  if (saved) return saved
  for (let attempt = 1; attempt <= REPLAY_ATTEMPTS; attempt++) {
    const { ports, release } = await choosePorts({ rpc: 0 })
    try {
      const { child } = await bringBack({ ...request, port: ports.rpc }, log)
      await processes.stop(child, SAVE_MS)
    } finally {
      release()
    }
    const anvil = await fromSaved(request, log, head)
    if (anvil) return anvil
  }
  throw new Error(`the local chain could not save its state in ${files.chainState}: free disk space, or start with --fresh`)
}

/** Starts the chain with every block of its log and logs new ones. Of earlier blocks only the transactions can be read, not their states. */
export const startChain = async (request: ChainRequest): Promise<LocalChain> => {
  const { processes, files, offsetSeconds, say } = request
  const { deployedBytecode: systemCode } = await loadArtifact('SystemPrecompile')
  const log = openChainLog(files.chainLog, { genesisTimestamp: Math.floor(Date.now() / 1000) + offsetSeconds, systemCode })
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
        // Stops mining first: a state saved while mining may be ahead of the newest block.
        await rpc('evm_setAutomine', [false]).catch(() => undefined)
        await follower.flush().catch(() => say('The last blocks of the local chain could not be logged'))
      }
      await follower.stop()
      await processes.stop(child, STOP_MS)
    },
  }
}
