import { readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bringUp, endAll } from './bring-up.ts'
import type { LocalChain } from './chain.ts'
import type { LocalCodehost } from './codehost.ts'
import type { Say } from './download.ts'
import { type StateFiles, stateFiles, tail, writePrivate } from './files.ts'
import { readRunning, type StackInfo } from './info.ts'
import { readOwner, takeOwnership } from './ownership.ts'
import { type Ports, USUAL_PORTS } from './ports.ts'
import { removePostgres } from './postgres-place.ts'
import { type Child, createProcesses, type Exit, endLeftovers } from './processes.ts'
import { type MoveReport, moveTime } from './time.ts'
import type { TimeTarget } from './time-expression.ts'

export type StackOptions = {
  /** State directory; `.local` of this checkout by default. */
  dir?: string | undefined
  /** Remove all state first, except that of servers that `DATABASE_URL` and `TEMPORAL_ADDRESS` name. */
  fresh?: boolean
  /** Whether API and worker run (the default), or the infrastructure only. */
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
  /** Moves chain, service clock and running workflows to the same later instant. */
  moveTime(target: TimeTarget): Promise<MoveReport>
  /** Ends the stack if this process started it; an attached one keeps running. */
  stop(): Promise<void>
  /** Resolves with the reason when a process of the stack ends by itself; never for an attached stack. */
  died: Promise<string>
}

/** State directory of this checkout. */
export const STATE_DIRECTORY = fileURLToPath(new URL('../.local', import.meta.url))
const ATTACH_MS = 120_000

const sleep = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds))

const forget = (dir: string, files: StateFiles): void => {
  removePostgres(files)
  for (const name of readdirSync(dir)) if (join(dir, name) !== files.lock) rmSync(join(dir, name), { recursive: true, force: true })
}

/** Removes the state directory of a stack that does not run, and its database outside of it. */
export const removeState = (dir: string): void => {
  const files = stateFiles(resolve(dir))
  if (readOwner(files.lock)) throw new Error(`the stack of ${dir} runs: end it first`)
  removePostgres(files)
  rmSync(dir, { recursive: true, force: true })
}

type Ending = { stop(): Promise<void>; begun(): boolean }

/** Runs the end once for all callers. */
const endOnce = (end: () => Promise<void>): Ending => {
  let ending: Promise<void> | undefined
  return {
    stop: () => {
      ending ??= end()
      return ending
    },
    begun: () => ending !== undefined,
  }
}

const run = async (dir: string, release: () => void, options: StackOptions): Promise<Stack> => {
  const { say = () => undefined, ports: wishes = USUAL_PORTS, services = true, env = {}, signal } = options
  const files = stateFiles(dir)
  const left = await endLeftovers(files.processes)
  if (left.length > 0) say(`The last run left ${left.join(', ')} behind; ended`)
  if (options.fresh) forget(dir, files)

  const death = Promise.withResolvers<string>()
  const onDeath = ({ name, logFile }: Child, { code, signal: by }: Exit) =>
    death.resolve(`${name} ended by itself (${by ?? `code ${code}`}). ${logFile} ends with:\n${tail(logFile)}`)
  const processes = createProcesses({ logs: files.logs, recordFile: files.processes, onDeath })
  let chain: LocalChain | undefined
  const onChain = (started: LocalChain) => {
    chain = started
  }
  let codehost: LocalCodehost | undefined
  const onCodehost = (started: LocalCodehost) => {
    codehost = started
  }
  const ending = endOnce(async () => {
    await endAll(processes, chain, codehost)
    for (const file of [files.info, files.serviceEnv]) rmSync(file, { force: true })
    release()
  })
  signal?.addEventListener('abort', () => void ending.stop(), { once: true })
  try {
    const info = await bringUp({ files, processes, say, wishes, services, env, onChain, onCodehost })
    if (ending.begun()) throw new Error('the stack was ended while it started')
    writePrivate(files.info, `${JSON.stringify(info, null, 2)}\n`)
    return { info, moveTime: (target) => moveTime(info, target), stop: ending.stop, died: death.promise }
  } catch (error) {
    await ending.stop()
    await endAll(processes, chain, codehost)
    throw error
  }
}

/** Starts a stack. Throws an error with the `pid` of the owner when a stack runs on this state directory. */
export const startStack = async (options: StackOptions = {}): Promise<Stack> => {
  const dir = resolve(options.dir ?? STATE_DIRECTORY)
  const taken = takeOwnership(stateFiles(dir).lock)
  if ('owner' in taken) throw Object.assign(new Error(`the stack already runs (process ${taken.owner.pid})`), { pid: taken.owner.pid })
  try {
    options.signal?.throwIfAborted()
    rmSync(stateFiles(dir).info, { force: true })
    return await run(dir, taken.release, options)
  } catch (error) {
    taken.release()
    throw error
  }
}

const attachedStack = (info: StackInfo): Stack => ({
  info,
  moveTime: (target) => moveTime(info, target),
  stop: async () => undefined,
  died: new Promise(() => undefined),
})

/** Attaches to the stack on a state directory and waits while it starts; undefined without one. */
export const attach = async (dir: string = STATE_DIRECTORY): Promise<Stack | undefined> => {
  const files = stateFiles(resolve(dir))
  const until = Date.now() + ATTACH_MS
  while (readOwner(files.lock)) {
    const info = readRunning(files)
    if (info) return attachedStack(info)
    if (Date.now() > until) throw new Error(`the stack of ${dir} does not become ready; see ${files.logs}`)
    await sleep(200)
  }
  return undefined
}

/** Attaches to a running stack, or starts one. */
export const attachOrStart = async (options: StackOptions = {}): Promise<Stack> => (await attach(options.dir)) ?? startStack(options)
