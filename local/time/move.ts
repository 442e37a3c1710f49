import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { createEngineClient } from '../../activities/temporal/client.ts'
import { readChainFile } from '../../schemas/chain/chain-file.ts'
import { createRpc, type Rpc } from '../chain/rpc.ts'
import { setChainOffset } from '../chain/start.ts'
import type { StackInfo } from '../info.ts'
import { takeOwnership } from '../ownership.ts'
import { engineOf, withConnection } from '../temporal/start.ts'
import { freezeClock, readClockOffset, readClockSetting, readServiceTime, writeClockOffset } from './clock.ts'
import { TimeRefusedError } from './errors.ts'
import type { TimeTarget } from './expression.ts'
import { moveBetweenSubmissions } from './in-flight.ts'
import { moveWorkflows, type WorkflowMoves } from './workflows.ts'

/** Instants as epoch milliseconds. */
export type Times = {
  wallClock: number
  service: number
  /** Whether the service's clock is held at its instant. */
  isFrozen: boolean
  newestBlock: number
}
export type MoveReport = Times &
  WorkflowMoves & {
    /** Ids of sessions whose submission did not reach the chain before the move ended its claim. */
    diverged: string[]
  }
/** Where the parts of a stack are that a move of time changes. */
export type Place = Pick<StackInfo, 'rpcUrl' | 'chainFile' | 'clockOffsetFile' | 'serviceEnv'> & {
  /** Without it a move waits for no submission. */
  databaseUrl?: string
}

const serviceNow = (place: Pick<Place, 'clockOffsetFile'>): number => readServiceTime(place.clockOffsetFile)

/** Throws unless the node is that of the local chain: a chain file that says local, its chain id, and Anvil. */
export const assertLocalChain = async (place: Pick<Place, 'chainFile' | 'rpcUrl'>, rpc: Rpc): Promise<void> => {
  const { local, chainId } = readChainFile(place.chainFile)
  const [client, id] = await Promise.all([rpc<string>('web3_clientVersion'), rpc<string>('eth_chainId')])
  if (!local || !client.toLowerCase().startsWith('anvil') || Number(id) !== chainId)
    throw new Error(`this works on the local chain only, and ${place.rpcUrl} is ${client} with chain id ${Number(id)}`)
}

/** Latest target: no deadline is later, and a move cannot be undone. */
const LATEST = Date.UTC(2100, 0, 1)

/** Whole seconds, as the chain counts: block time and service time stay the same number of seconds ahead. */
const offsetFor = (place: Place, target: TimeTarget): number => {
  const { offsetMs, frozenAt } = readClockSetting(place.clockOffsetFile)
  // A held clock goes on from its instant, or from where it would be when that is later.
  const heldAhead = frozenAt === undefined ? 0 : Math.ceil((frozenAt - Date.now()) / 1000)
  const present = Math.max(Math.round(offsetMs / 1000), heldAhead)
  const wanted = 'plusSeconds' in target ? present + target.plusSeconds : Math.ceil((target.instant - Date.now()) / 1000)
  if (!(Date.now() + wanted * 1000 < LATEST))
    throw new TimeRefusedError('invalid_time', `time does not move beyond ${new Date(LATEST).toISOString()}`)
  if (wanted < present)
    throw new TimeRefusedError('invalid_time', `time moves forward only: it is ${new Date(serviceNow(place)).toISOString()} already`)
  return wanted
}

const LOCK_MS = 30_000
const PAUSE_MS = 50

const runExclusive = async <T>(place: Place, move: () => Promise<T>, lockMs = LOCK_MS): Promise<T> => {
  const until = Date.now() + lockMs
  for (;;) {
    const lock = takeOwnership(`${place.clockOffsetFile}.lock`)
    if ('release' in lock) {
      try {
        return await move()
      } finally {
        lock.release()
      }
    }
    if (Date.now() >= until) throw new TimeRefusedError('move_in_progress', `process ${lock.owner.pid} is moving time and has not ended`)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

/** Current time of each part. */
export const readTimes = async (place: Place): Promise<Times> => {
  const { timestamp } = await createRpc(place.rpcUrl)<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false])
  const { frozenAt } = readClockSetting(place.clockOffsetFile)
  return { wallClock: Date.now(), service: serviceNow(place), isFrozen: frozenAt !== undefined, newestBlock: Number(timestamp) * 1000 }
}

/** Moves the workflows after chain and service. */
const bringWorkflows = async (place: Place, advanceMs: number): Promise<WorkflowMoves> => {
  try {
    const engine = engineOf(parseEnv(readFileSync(place.serviceEnv, 'utf8')))
    return await withConnection(engine.connection, (connection) =>
      moveWorkflows(createEngineClient(connection, engine), () => serviceNow(place), advanceMs),
    )
  } catch (error) {
    const now = new Date(serviceNow(place)).toISOString()
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(
      `chain and service are at ${now}, the workflows are not: ${why}. The next npm start, or move of time, brings them there.`,
    )
  }
}

/**
 * Moves the chain, then the service's clock, then every running workflow to the same later instant. In this order a workflow that wakes
 * finds the new time everywhere. It waits for submissions that are on their way to the chain. A held clock runs on from the new instant.
 * Throws when the target lies in the past, the chain is not the local one, or another move has not ended after `lockMs`.
 */
export const moveTime = (place: Place, target: TimeTarget, { lockMs = LOCK_MS }: { lockMs?: number } = {}): Promise<MoveReport> => {
  const move = async (): Promise<MoveReport> => {
    const rpc = createRpc(place.rpcUrl)
    await assertLocalChain(place, rpc)
    offsetFor(place, target)
    const { moved, diverged } = await moveBetweenSubmissions(place.databaseUrl, async () => {
      const offsetSeconds = offsetFor(place, target)
      const advanceMs = offsetSeconds * 1000 - readClockOffset(place.clockOffsetFile)
      await setChainOffset(rpc, offsetSeconds)
      await rpc('evm_mine')
      writeClockOffset(place.clockOffsetFile, offsetSeconds * 1000)
      return bringWorkflows(place, advanceMs)
    })
    return { ...(await readTimes(place)), ...moved, diverged }
  }
  return runExclusive(place, move, lockMs)
}

/**
 * Holds the service's clock at an instant that is not over, until the next move. Chain and workflows run on behind it: a hold is for what
 * the service reads and decides in one second.
 */
export const holdTime = (place: Place, instant: number): Promise<void> =>
  runExclusive(place, async () => {
    await assertLocalChain(place, createRpc(place.rpcUrl))
    freezeClock(place.clockOffsetFile, instant)
  })
