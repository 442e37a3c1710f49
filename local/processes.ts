import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import type { Say } from './download.ts'
import { readIfThere, type StateFiles, tail, writePrivate } from './files.ts'

/** A process of the stack. `identity` distinguishes it from a later process with the same id. */
export type ProcessRecord = { name: string; pid: number; identity: string; stopSignal: NodeJS.Signals }
export type Exit = { code: number | null; signal: NodeJS.Signals | null }
export type Child = ProcessRecord & { logFile: string; exited: Promise<Exit>; hasExited(): boolean }

const LOG_LIMIT_BYTES = 10_000_000
const POLL_MS = 25

const readStat = (pid: number): string | undefined => {
  try {
    return readIfThere(`/proc/${pid}/stat`)
  } catch (error) {
    // The process went away between opening and reading.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return undefined
    throw error
  }
}

/** Start time of a process on this boot, undefined when there is none. A zombie counts as none. */
export const processIdentity = (pid: number): string | undefined => {
  if (!existsSync('/proc/self/stat')) {
    const answer = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' })
    const line = answer.stdout.trim()
    return line === '' || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '')
  }
  const stat = readStat(pid)
  // The second field is the command in brackets and may hold spaces; the rest begins with the state, and the start time is field 22.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields === undefined || fields[0] === 'Z') return undefined
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${fields[19]}`
}

/** Whether a process is a zombie: ended, but not reaped by its parent. Known on Linux only. */
export const isZombie = (pid: number): boolean => readStat(pid) !== undefined && processIdentity(pid) === undefined

/** True while the recorded process itself still runs. */
export const isRunning = (record: Pick<ProcessRecord, 'pid' | 'identity'>): boolean => processIdentity(record.pid) === record.identity

const signal = (record: ProcessRecord, name: NodeJS.Signals): void => {
  try {
    process.kill(record.pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

const endedWithin = async (record: ProcessRecord, milliseconds: number): Promise<boolean> => {
  const until = Date.now() + milliseconds
  while (isRunning(record)) {
    if (Date.now() > until) return false
    await sleep(POLL_MS)
  }
  return true
}

/** Sends the stop signal, and SIGKILL after `graceMs`. Resolves when the process has ended. */
export const endProcess = async (record: ProcessRecord, graceMs: number): Promise<void> => {
  if (!isRunning(record)) return
  signal(record, record.stopSignal)
  if (await endedWithin(record, graceMs)) return
  signal(record, 'SIGKILL')
  if (!(await endedWithin(record, 2_000))) throw new Error(`${record.name} (process ${record.pid}) does not end`)
}

/** Polls until servers are ready. Throws with the end of their logs when one of them ends, or when it takes longer than `withinMs`. */
export const untilReady = async (servers: Child[], isReady: () => boolean | Promise<boolean>, withinMs: number): Promise<void> => {
  const until = Date.now() + withinMs
  while (!(await isReady())) {
    const dead = servers.find((child) => child.hasExited())
    if (dead) throw new Error(`${dead.name} ended while starting:\n${tail(dead.logFile)}`)
    if (Date.now() > until)
      throw new Error(servers.map(({ name, logFile }) => `${name} is not ready after ${withinMs / 1000} s:\n${tail(logFile)}`).join('\n'))
    await sleep(POLL_MS)
  }
}

const openLog = (path: string): number => {
  if (existsSync(path) && statSync(path).size > LOG_LIMIT_BYTES) truncateSync(path)
  return openSync(path, 'a')
}

export type SpawnRequest = Pick<SpawnOptions, 'env' | 'cwd' | 'uid' | 'gid'> & {
  name: string
  command: string
  args: string[]
  /** Signal for an orderly shutdown. */
  stopSignal?: NodeJS.Signals
  /** A task: its end is expected. */
  task?: boolean
}

export type ProcessesRequest = {
  logs: string
  recordFile: string
  /** Called when a child ends unexpectedly. */
  onDeath?(child: Child, exit: Exit): void
  /** The children go on after this process, and do not keep it from ending. */
  outlive?: boolean
}

const spawnDetached = async (
  { command, args, ...options }: Omit<SpawnRequest, 'name' | 'stopSignal' | 'task'>,
  logFile: string,
): Promise<ChildProcess> => {
  const log = openLog(logFile)
  try {
    const running = spawn(command, args, { ...options, detached: true, stdio: ['ignore', log, log] })
    await new Promise<void>((resolve, reject) => running.once('spawn', resolve).once('error', reject))
    return running
  } finally {
    closeSync(log)
  }
}

/** Starts processes with their own log and records them on disk, so that a start after a crash finds leftovers. */
export const createProcesses = ({ logs, recordFile, onDeath, outlive = false }: ProcessesRequest) => {
  const children: Child[] = []
  const expectedEnds = new Set<Child>()
  const closing = new AbortController()
  const record = () => {
    const alive = children.filter((child) => !child.hasExited())
    writePrivate(recordFile, JSON.stringify(alive.map(({ name, pid, identity, stopSignal }) => ({ name, pid, identity, stopSignal }))))
  }
  const stop = async (child: Child, graceMs: number, by = child.stopSignal): Promise<void> => {
    expectedEnds.add(child)
    await endProcess({ ...child, stopSignal: by }, graceMs)
    // Until its exit is reported the process is a zombie, and would be recorded as running.
    await child.exited
    record()
  }

  return {
    children: (): readonly Child[] => children,
    /** Aborts with `close`; for commands that are not recorded. */
    closing: closing.signal,

    /** Starts a program detached from the terminal's signals: only the stack ends it. */
    async start({ name, stopSignal = 'SIGTERM', task = false, ...request }: SpawnRequest): Promise<Child> {
      if (closing.signal.aborted) throw new Error(`${name} is not started: the stack is ending`)
      mkdirSync(logs, { recursive: true })
      const logFile = join(logs, `${name}.log`)
      const running = await spawnDetached(request, logFile)
      if (outlive) running.unref()
      const pid = running.pid ?? 0
      let ended = false
      const exited = new Promise<Exit>((resolve) => running.once('exit', (code, signal) => resolve({ code, signal })))
      const child: Child = {
        name,
        pid,
        identity: processIdentity(pid) ?? 'ended at once',
        stopSignal,
        logFile,
        exited,
        hasExited: () => ended,
      }
      if (task) expectedEnds.add(child)
      void exited.then((exit) => {
        ended = true
        if (!expectedEnds.has(child)) onDeath?.(child, exit)
      })
      children.push(child)
      record()
      if (closing.signal.aborted) await stop(child, 0)
      return child
    },

    /** Marks a started task as a server: its end is unexpected from now on. */
    guard(child: Child): void {
      if (closing.signal.aborted) return
      expectedEnds.delete(child)
      if (child.hasExited()) void child.exited.then((exit) => onDeath?.(child, exit))
    },

    /** Stops one child by its signal or `by`, and kills it after `graceMs`. Its end is then expected. */
    stop,

    /** Refuses further starts. */
    close() {
      closing.abort()
      for (const child of children) expectedEnds.add(child)
    },
  }
}
export type Processes = ReturnType<typeof createProcesses>

/** What every part of the stack is started with. */
export type PartRequest = { files: StateFiles; processes: Processes; say: Say }

/** Ends processes that an earlier stack left behind. Returns their names. */
export const endLeftovers = async (recordFile: string): Promise<string[]> => {
  const records = JSON.parse(readIfThere(recordFile) ?? '[]') as ProcessRecord[]
  const found = records.filter(isRunning)
  await Promise.all(found.map((leftover) => endProcess(leftover, 5_000)))
  return found.map((leftover) => leftover.name)
}
