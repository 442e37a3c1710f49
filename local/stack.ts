import { readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bringUp, endAll } from './bring-up.ts'
import { removePostgres } from './database/place.ts'
import type { Say } from './download.ts'
import { type StateFiles, stateFiles, writePrivate } from './files.ts'
import { readRunning, type StackInfo } from './info.ts'
import type { StartedParts } from './infrastructure.ts'
import { readOwner, takeOwnership } from './ownership.ts'
import { type Ports, USUAL_PORTS } from './ports.ts'
import { createProcesses, endLeftovers } from './processes.ts'
import { createSupervisor } from './supervisor.ts'

export type StackOptions = {
  /** State directory. */
  dir: string
  /** Remove all state first, except that of servers that `DATABASE_URL` and `TEMPORAL_ADDRESS` name. */
  fresh?: boolean
  /** Whether API, worker, runner and console run (the default), or the infrastructure only. */
  services?: boolean
  /** Ports to use when free. */
  ports?: Ports
  /** Settings of API and worker that differ from the local ones. */
  env?: Record<string, string>
  say?: Say
  /** Ends the stack, also in the middle of its start. */
  signal?: AbortSignal
}

export type Stack = {
  info: StackInfo
  /** Ends the stack if this process started it; an attached one keeps running. */
  stop(): Promise<void>
  /** Resolves with the reason when a process of the stack ends by itself again and again; never for an attached stack. */
  died: Promise<string>
}

/** State directory of this checkout. */
export const STATE_DIRECTORY = fileURLToPath(new URL('../.local', import.meta.url))
const ATTACH_MS = 120_000
/** Longer than a whole stop takes; a process that hangs must not block the terminal. */
export const END_MS = 9_500

/** Prints a notice at the first request to end this process, then resolves and aborts. Exits if the end takes too long. */
export const onStopSignal = (notice: string): { stopped: Promise<undefined>; signal: AbortSignal } => {
  const ending = new AbortController()
  const stopped = new Promise<undefined>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(name, () => {
        // npm forwards a Ctrl-C that the terminal has sent already: both are one request.
        if (ending.signal.aborted) return
        console.log(`\n${notice}`)
        setTimeout(() => process.exit(1), END_MS).unref()
        ending.abort()
        resolve(undefined)
      })
  })
  return { stopped, signal: ending.signal }
}

const forget = (dir: string, files: StateFiles): void => {
  removePostgres(files)
  // The cache too: it may be what is damaged.
  for (const path of readdirSync(dir).map((name) => join(dir, name)))
    if (path !== files.lock) rmSync(path, { recursive: true, force: true })
}

const run = async (dir: string, release: () => void, options: StackOptions): Promise<Stack> => {
  const { say = () => undefined, ports: wishes = USUAL_PORTS, services = true, env = {}, signal } = options
  const files = stateFiles(dir)
  const left = await endLeftovers(files.processes)
  if (left.length > 0) say(`The last run left ${left.join(', ')} behind; ended`)
  if (options.fresh) forget(dir, files)

  const death = Promise.withResolvers<string>()
  const processes = createProcesses({
    logs: files.logs,
    recordFile: files.processes,
    onDeath: (child, exit) => supervisor.ended(child, exit),
  })
  const supervisor = createSupervisor({ say, closing: processes.closing, giveUp: death.resolve })
  const started: StartedParts = {}
  const end = async () => {
    await endAll(processes, started)
    for (const file of [files.info, files.serviceEnv, files.consoleEnv]) rmSync(file, { force: true })
    release()
  }
  let ending: Promise<void> | undefined
  const stop = (): Promise<void> => {
    ending ??= end()
    return ending
  }
  // What waits for a server that was ended meanwhile may wait for ever, so the start ends with the servers and not after them.
  const abandoned = Promise.withResolvers<never>()
  const abandon = () => stop().then(() => Promise.reject(new Error('the stack was ended while it started')))
  signal?.addEventListener('abort', () => void abandon().catch(abandoned.reject), { once: true })
  try {
    const info = await Promise.race([
      bringUp({ files, processes, say, wishes, services, env, started, supervise: supervisor.supervise }),
      abandoned.promise,
    ])
    if (signal?.aborted) throw new Error('the stack was ended while it started')
    writePrivate(files.info, `${JSON.stringify(info, null, 2)}\n`)
    return { info, stop, died: death.promise }
  } catch (error) {
    await stop()
    await endAll(processes, started)
    throw error
  }
}

/** Starts a stack. Throws when one runs on this state directory. */
export const startStack = async (options: StackOptions): Promise<Stack> => {
  const dir = resolve(options.dir)
  const taken = takeOwnership(stateFiles(dir).lock)
  if ('owner' in taken) throw new Error(`the stack already runs (process ${taken.owner.pid})`)
  try {
    options.signal?.throwIfAborted()
    rmSync(stateFiles(dir).info, { force: true })
    return await run(dir, taken.release, options)
  } catch (error) {
    taken.release()
    throw error
  }
}

/** Attaches to the stack on a state directory and waits while it starts; undefined without one. */
export const attach = async (dir: string): Promise<Stack | undefined> => {
  const files = stateFiles(resolve(dir))
  const until = Date.now() + ATTACH_MS
  while (readOwner(files.lock)) {
    const info = readRunning(files)
    if (info) return { info, stop: async () => undefined, died: new Promise(() => undefined) }
    if (Date.now() > until) throw new Error(`the stack of ${dir} does not become ready; see ${files.logs}`)
    await new Promise((done) => setTimeout(done, 200))
  }
  return undefined
}
