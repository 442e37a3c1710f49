import { readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureBundle } from './bundle.ts'
import type { Say } from './download.ts'
import { type StateFiles, stateFiles, tail, writePrivate } from './files.ts'
import { readRunning, type StackInfo } from './info.ts'
import { type Infrastructure, startInfrastructure } from './infrastructure.ts'
import { ensureSigningKey, localKeys } from './keys.ts'
import { readOwner, takeOwnership } from './ownership.ts'
import { type Ports, rememberedPorts, USUAL_PORTS } from './ports.ts'
import { removePostgres } from './postgres-place.ts'
import { createProcesses, endLeftovers, type Processes } from './processes.ts'
import { seed } from './seeds.ts'
import { startServices } from './services.ts'
import { type MoveReport, moveTime } from './time.ts'
import type { TimeTarget } from './time-expression.ts'

export type StackOptions = {
  /** Where all state lies; `.local` of this checkout unless said otherwise. */
  dir?: string | undefined
  /** Forget everything first. A database that `DATABASE_URL` names, and a server that `TEMPORAL_ADDRESS` names, are left alone. */
  fresh?: boolean
  /** API and worker too (the default), or the infrastructure only. */
  services?: boolean
  /** Ports to take when free. */
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
  /** Ends the stack if this process started it; one that was only attached to goes on. */
  stop(): Promise<void>
  /** Resolves with the reason when a process of the stack ends by itself; never for a stack that was only attached to. */
  died: Promise<string>
}

/** State directory of this checkout. */
export const STATE_DIRECTORY = fileURLToPath(new URL('../.local', import.meta.url))
const SERVICE_STOP_MS = 3_500
const ENGINE_STOP_MS = 3_500
const ATTACH_MS = 120_000

const sleep = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds))

const forget = (dir: string, files: StateFiles): void => {
  removePostgres(files)
  for (const name of readdirSync(dir)) if (join(dir, name) !== files.lock) rmSync(join(dir, name), { recursive: true, force: true })
}

/** In reverse order of the start: first who uses, then who is used. */
const endAll = async (processes: Processes, chain: Infrastructure['chain'] | undefined): Promise<void> => {
  processes.close()
  const named = (...names: string[]) => processes.children().filter(({ name }) => names.includes(name))
  await Promise.all(named('api', 'worker').map((child) => processes.stop(child, SERVICE_STOP_MS)))
  await chain?.stop()
  await Promise.all(named('bundle', 'chain', 'temporal', 'postgres').map((child) => processes.stop(child, ENGINE_STOP_MS)))
}

const infoOf = (files: StateFiles, { databaseUrl, temporal, chain }: Infrastructure, api: string | undefined): StackInfo => {
  const { admin, verifier, arbitrator, operator } = localKeys()
  return {
    pid: process.pid,
    ...(api === undefined ? {} : { api, docs: `${api}/docs` }),
    temporalAddress: temporal.address,
    ...(temporal.ui === undefined ? {} : { temporalUi: temporal.ui }),
    databaseUrl,
    rpcUrl: chain.rpcUrl,
    chainFile: files.chainFile,
    clockOffsetFile: files.clockOffset,
    logs: files.logs,
    keys: { admin: admin.privateKey, verifier: verifier.privateKey, arbitrator: arbitrator.privateKey, operator: operator.privateKey },
  }
}

type Run = { files: StateFiles; processes: Processes; options: StackOptions; say: Say }

const bringUp = async ({ files, processes, options, say }: Run, keep: (chain: Infrastructure['chain']) => void): Promise<StackInfo> => {
  const { ports: wishes = USUAL_PORTS, services = true, env = {} } = options
  const left = await endLeftovers(files.processes)
  if (left.length > 0) say(`The last run left ${left.join(', ')} behind; ended`)
  for (const key of [files.jwtKey, files.receiptKey]) ensureSigningKey(key)
  const ports = await rememberedPorts(files.ports, wishes)
  const building = services ? ensureBundle(processes, files.cache) : undefined
  const request = { files, processes, ports, say, env: process.env }
  const [started, bundled] = await Promise.allSettled([startInfrastructure(request), building])
  if (started.status === 'rejected') throw started.reason
  keep(started.value.chain)
  if (bundled.status === 'rejected') throw bundled.reason
  const infrastructure = started.value
  if (!services) return infoOf(files, infrastructure, undefined)

  const { databaseUrl, temporal } = infrastructure
  await seed(databaseUrl, files)
  const place = { processes, files, port: ports.api, databaseUrl, temporalAddress: temporal.address }
  return infoOf(files, infrastructure, await startServices({ ...place, env, bundle: bundled.value }))
}

const owned = (dir: string, lock: { release(): void }, options: StackOptions): Promise<Stack> => {
  const files = stateFiles(dir)
  const say = options.say ?? (() => undefined)
  let tell: (reason: string) => void = () => undefined
  const died = new Promise<string>((resolveDeath) => {
    tell = resolveDeath
  })
  if (options.fresh) forget(dir, files)
  const processes = createProcesses({
    logs: files.logs,
    recordFile: files.processes,
    onDeath: ({ name, logFile }, { code, signal }) =>
      tell(`${name} ended by itself (${signal ?? `code ${code}`}). ${logFile} ends with:\n${tail(logFile)}`),
  })
  return run({ files, processes, options, say }, lock, died)
}

const run = async (parts: Run, lock: { release(): void }, died: Promise<string>): Promise<Stack> => {
  const { files, processes, options } = parts
  let chain: Infrastructure['chain'] | undefined
  let ending: Promise<void> | undefined
  const stop = (): Promise<void> => {
    ending ??= endAll(processes, chain).finally(() => {
      rmSync(files.info, { force: true })
      lock.release()
    })
    return ending
  }
  const abort = () => void stop()
  options.signal?.addEventListener('abort', abort, { once: true })
  try {
    rmSync(files.info, { force: true })
    if (options.signal?.aborted) throw new Error('the start was ended')
    const info = await bringUp(parts, (started) => {
      chain = started
    })
    if (ending) throw new Error('the start was ended')
    writePrivate(files.info, `${JSON.stringify(info, null, 2)}\n`)
    return { info, moveTime: (target) => moveTime(info, target), stop, died }
  } catch (error) {
    await stop()
    await endAll(processes, undefined)
    throw options.signal?.aborted ? new Error('the start was ended', { cause: error }) : error
  }
}

/** Starts a stack. Throws, with `pid` of the owner, when somebody runs one on this state directory. */
export const startStack = async (options: StackOptions = {}): Promise<Stack> => {
  const dir = resolve(options.dir ?? STATE_DIRECTORY)
  const taken = takeOwnership(stateFiles(dir).lock)
  if ('owner' in taken) throw Object.assign(new Error(`the stack already runs (process ${taken.owner.pid})`), { pid: taken.owner.pid })
  try {
    return await owned(dir, taken, options)
  } catch (error) {
    taken.release()
    throw error
  }
}

const attached = (info: StackInfo): Stack => ({
  info,
  moveTime: (target) => moveTime(info, target),
  stop: async () => undefined,
  died: new Promise(() => undefined),
})

/** The stack that runs on a state directory, awaited when it is still starting; undefined when none does. */
export const attach = async (dir: string = STATE_DIRECTORY): Promise<Stack | undefined> => {
  const files = stateFiles(resolve(dir))
  const until = Date.now() + ATTACH_MS
  while (readOwner(files.lock)) {
    const info = readRunning(files)
    if (info) return attached(info)
    if (Date.now() > until) throw new Error(`the stack of ${dir} does not become ready; see ${files.logs}`)
    await sleep(200)
  }
  return undefined
}

/** Attaches to a running stack, else starts one. */
export const attachOrStart = async (options: StackOptions = {}): Promise<Stack> => (await attach(options.dir)) ?? startStack(options)

// Not awaited: the command line imports this module, which must have ended its own evaluation first.
if (import.meta.main) void import('./stack-cli.ts').then(({ runCli }) => runCli(process.argv.slice(2)))
