// Several API and worker processes on one infrastructure, each of them and every part of it to be killed and started again.
import { readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { seed } from '../../../local/catalogue/seed.ts'
import { ensureDeployment, prepareChain } from '../../../local/chain/deployment.ts'
import { type LocalChain, startChain } from '../../../local/chain/start.ts'
import { startMigratedPostgres } from '../../../local/database/migrated.ts'
import { removePostgres } from '../../../local/database/place.ts'
import { type StateFiles, stateFiles, tail } from '../../../local/files.ts'
import { ensureServiceKeys, localKeys } from '../../../local/keys.ts'
import { choosePorts } from '../../../local/ports.ts'
import { type Child, createProcesses, type Exit, isRunning, type Processes, processIdentity, untilReady } from '../../../local/processes.ts'
import { nodeSettings, serviceSettings } from '../../../local/services.ts'
import { ensureBundle } from '../../../local/temporal/bundle.ts'
import { startTemporal } from '../../../local/temporal/start.ts'
import { readClockOffset } from '../../../local/time/clock.ts'
import { readChainFile } from '../../../schemas/chain/chain-file.ts'
import { eventually } from '../eventually.ts'
import { makeStateDirectory } from '../state-directory.ts'
import { childrenOf } from './process-tree.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const READY_MS = 60_000
/** After which usual supervisors end by force what they asked to end. */
const STOP_MS = 10_000

/** One start of a service may differ from the others: modules that are loaded first, and settings. */
export interface StartChanges {
  preload?: string
  env?: Record<string, string>
}

/** How a process ended after `stop` or `kill`, and how long that took. */
export type Ending = Exit & { tookMs: number }

/** A process that can be killed at any moment and started again on the same port and state. */
export interface Member {
  readonly name: string
  pid(): number
  isUp(): boolean
  /** Starts it and waits until it is ready; callers that come meanwhile wait for the same start. */
  start(changes?: StartChanges): Promise<void>
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>
  /** Asks for an orderly end and waits for it. After ten seconds it sends SIGKILL, as `signal` then shows. */
  stop(): Promise<Ending>
  /** Resolves when the process that runs now has ended, for any reason. */
  gone(): Promise<void>
}
export type ApiMember = Member & { readonly base: string }

const member = (processes: Processes, name: string, launch: (changes: StartChanges) => Promise<Child>): Member => {
  let child: Child | undefined
  let starting: Promise<void> | undefined
  const running = (): Child => {
    if (child === undefined) throw new Error(`${name} was never started`)
    return child
  }
  const end = async (by?: NodeJS.Signals): Promise<Ending> => {
    const began = performance.now()
    const ending = running()
    await processes.stop(ending, STOP_MS, by)
    return { ...(await ending.exited), tookMs: performance.now() - began }
  }
  return {
    name,
    pid: () => running().pid,
    isUp: () => child !== undefined && !child.hasExited(),
    start: (changes = {}) => {
      if (child !== undefined && !child.hasExited()) throw new Error(`${name} runs already`)
      starting ??= launch(changes)
        .then((started) => {
          child = started
        })
        .finally(() => {
          starting = undefined
        })
      return starting
    },
    kill: async () => void (await end('SIGKILL')),
    stop: () => end(),
    gone: async () => void (await running().exited),
  }
}

const until = (child: Child, ready: () => boolean | Promise<boolean>): Promise<void> => untilReady([child], ready, READY_MS)

/** Whether an API says that it runs. */
export const isLive = async (base: string): Promise<boolean> => {
  try {
    const response = await fetch(`${base}/health/live`, { signal: AbortSignal.timeout(2_000) })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}

/** SIGKILL for a server and all its backends, as when a machine loses power: the backends would outlive the server for a moment. */
const killWithChildren = async (one: Member): Promise<void> => {
  const children = childrenOf(one.pid()).map((pid) => ({ pid, identity: processIdentity(pid) ?? '' }))
  await one.kill()
  for (const child of children.filter(isRunning)) process.kill(child.pid, 'SIGKILL')
  await eventually(`the backends of ${one.name} end`, () => !children.some(isRunning))
}

const LONG_LOG_BYTES = 1_000_000

/** Where the log of the next start begins; a long log is put aside, as it is looked through until the start is over. */
const beginLog = (file: string): number => {
  const { size = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {}
  if (size < LONG_LOG_BYTES) return size
  renameSync(file, `${file}.before`)
  return 0
}

export interface FleetOptions {
  apis?: number
  workers?: number
  /** Settings of every API and worker that differ from the local ones. */
  env?: Record<string, string>
  /** Address of a workflow engine that runs already; without it the fleet has its own. */
  engine?: string
  /** Settings of PostgreSQL that differ from the local ones; they may depend on its state directory. */
  postgres?: (files: StateFiles) => Record<string, string>
  /** Starts something between the services and the node; answers the address that the services use. */
  front?: (rpcUrl: string) => Promise<string>
  /** What a worker runs, relative to the checkout. */
  workerScript?: string
  /** A module that every API and worker loads first, unless one start says otherwise. */
  preload?: (service: { name: string; dir: string }) => string
  /** Is called when a process ended without `kill` or `stop`. */
  onDeath?: (child: Child, exit: Exit) => void
}

export type Fleet = Awaited<ReturnType<typeof startFleet>>

const stopChain = async (chain: LocalChain | undefined): Promise<Ending> => {
  const began = performance.now()
  await chain?.stop()
  return { ...((await chain?.child.exited) ?? { code: 0, signal: null }), tookMs: performance.now() - began }
}

type Ports = Record<'postgres' | 'temporal' | 'temporalUi' | 'rpc' | `api-${number}`, number>

/** The three parts under API and worker; each may be killed and comes back on its own state and port. */
const infrastructure = (processes: Processes, files: StateFiles, ports: Ports, settings: Record<string, string>, engine?: string) => {
  let databaseUrl = ''
  let temporalAddress = engine ?? ''
  let chain: LocalChain | undefined
  const say = () => undefined
  const postgres = member(processes, 'postgres', async () => {
    const started = await startMigratedPostgres({ processes, files, port: ports.postgres, settings, say })
    databaseUrl = started.databaseUrl
    return started.child
  })
  const temporal = member(processes, 'temporal', async () => {
    const { TEMPORAL_ADDRESS: _elsewhere, ...env } = process.env
    const started = await startTemporal({ processes, files, ports, say, env })
    if (started.child === undefined) throw new Error('the fleet needs a Temporal server of its own')
    temporalAddress = started.address
    return started.child
  })
  const anvil = member(processes, 'chain', async () => {
    await chain?.stop()
    prepareChain(files)
    const offsetSeconds = Math.round(readClockOffset(files.clockOffset) / 1000)
    chain = await startChain({ processes, files, port: ports.rpc, offsetSeconds, say })
    await ensureDeployment(chain, files, say)
    return chain.child
  })
  return {
    postgres: { ...postgres, kill: () => killWithChildren(postgres) },
    temporal,
    /** Ended by `stop` it keeps everything mined; killed it may lose what its log has not seen. */
    chain: { ...anvil, stop: () => stopChain(chain), flush: async () => void (await chain?.flush()) },
    databaseUrl: () => databaseUrl,
    temporalAddress: () => temporalAddress,
    rpcUrl: `http://127.0.0.1:${ports.rpc}`,
  }
}

type Infrastructure = ReturnType<typeof infrastructure>

/** Settings of one service; all share keys, audience and base address, as behind one load balancer. */
const settingsOf = async (
  { processes, files, parts }: { processes: Processes; files: StateFiles; parts: Infrastructure },
  { port, firstPort, env }: { port: number; firstPort: number; env: Record<string, string> },
): Promise<Record<string, string>> => ({
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  ...nodeSettings(files),
  ...serviceSettings({
    files,
    port: firstPort,
    metricsPort: 0,
    databaseUrl: parts.databaseUrl(),
    temporalAddress: parts.temporalAddress(),
    env: {},
    bundle: await ensureBundle(processes, files.cache),
  }),
  PORT: String(port),
  ...env,
})

/** Writes a chain file whose node is reached by another address. */
const writeFrontedChain = async (files: StateFiles, primary: string): Promise<string> => {
  const path = `${files.chainFile}.fronted`
  const chain = readChainFile(files.chainFile)
  await writeFile(path, JSON.stringify({ ...chain, rpc: { ...chain.rpc, primary, writeUrls: [] } }))
  return path
}

/** Starts everything; `close` ends everything and removes every trace, unless its directory is to be kept. */
export const startFleet = async ({
  apis = 1,
  workers = 1,
  env = {},
  engine,
  postgres = () => ({}),
  front,
  workerScript = 'workers/worker.ts',
  preload: usual,
  onDeath,
}: FleetOptions = {}) => {
  const dir = makeStateDirectory('fleet')
  const files = stateFiles(dir)
  const dead = new Map<string, Child>()
  const processes = createProcesses({
    logs: files.logs,
    recordFile: files.processes,
    onDeath: (child, exit) => {
      dead.set(child.name, child)
      onDeath?.(child, exit)
    },
  })
  ensureServiceKeys(files)
  const apiNames = Array.from({ length: apis }, (_, index) => `api-${index}` as const)
  const wishes = Object.fromEntries(['postgres', 'temporal', 'temporalUi', 'rpc', ...apiNames].map((name) => [name, 0])) as Ports
  const { ports, release } = await choosePorts(wishes)
  const parts = infrastructure(processes, files, ports, postgres(files), engine)
  const firstPort = ports['api-0'] ?? 0
  /** Settings that are known once the chain runs. */
  const chainEnv: Record<string, string> = {}

  const service = (name: string, script: string, port: number, ready: (child: Child, logFrom: number) => Promise<void>): Member =>
    member(processes, name, async ({ preload = usual?.({ name, dir }), env: more = {} }) => {
      const logFrom = beginLog(join(files.logs, `${name}.log`))
      const child = await processes.start({
        name,
        command: process.execPath,
        args: [...(preload === undefined ? [] : ['--import', preload]), join(ROOT, script)],
        cwd: ROOT,
        env: await settingsOf({ processes, files, parts }, { port, firstPort, env: { ...env, ...chainEnv, ...more } }),
      })
      try {
        await ready(child, logFrom)
      } catch (error) {
        // No member knows this process, and the next start would run beside it.
        await processes.stop(child, 0)
        throw error
      }
      return child
    })

  const apiMembers = apiNames.map((name): ApiMember => {
    const port = ports[name] ?? 0
    const base = `http://127.0.0.1:${port}`
    return { ...service(name, 'api/main.ts', port, (child) => until(child, () => isLive(base))), base }
  })
  const workerMembers = Array.from({ length: workers }, (_, index) =>
    service(`worker-${index}`, workerScript, 0, (child, logFrom) =>
      until(child, () => readFileSync(child.logFile).subarray(logFrom).includes('worker ready')),
    ),
  )

  const close = async ({ isKept = false } = {}): Promise<void> => {
    processes.close()
    await Promise.all([...apiMembers, ...workerMembers].filter((one) => one.isUp()).map((one) => one.stop()))
    await Promise.all([parts.temporal, parts.postgres].filter((one) => one.isUp()).map((one) => one.stop()))
    await parts.chain.stop()
    // A process that was still starting belongs to no member yet.
    await Promise.all(processes.children().map((child) => processes.stop(child, 0)))
    release()
    if (isKept) return
    removePostgres(files)
    rmSync(dir, { recursive: true, force: true })
  }

  try {
    await Promise.all([parts.postgres.start(), engine === undefined && parts.temporal.start(), parts.chain.start()])
    await seed(parts.databaseUrl(), files)
    await ensureBundle(processes, files.cache)
    if (front !== undefined) chainEnv.CHAIN_FILE = await writeFrontedChain(files, await front(parts.rpcUrl))
    await Promise.all([...apiMembers, ...workerMembers].map((one) => one.start()))
  } catch (error) {
    await close()
    throw error
  }
  return {
    dir,
    files,
    postgres: parts.postgres,
    temporal: parts.temporal,
    chain: parts.chain,
    rpcUrl: parts.rpcUrl,
    databaseUrl: parts.databaseUrl(),
    temporalAddress: parts.temporalAddress(),
    keys: localKeys(),
    /** Throws when a process has ended without `kill` or `stop`, and no later one of its name runs. */
    alive: (): void => {
      const isReplaced = (name: string) => processes.children().some((child) => child.name === name && !child.hasExited())
      const lost = [...dead.values()].find(({ name }) => !isReplaced(name))
      if (lost) throw new Error(`${lost.name} has ended:\n${tail(lost.logFile)}`)
    },
    apis: apiMembers,
    workers: workerMembers,
    close,
  }
}
