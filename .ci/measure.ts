import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

/** What a command used, with everything that it started, also what outlived its parent. */
export interface Usage {
  /** Clock time. */
  seconds: number
  processorSeconds: number
  /** State directories of local stacks whose engine was started. */
  stacks: number
}

const SAMPLE_MS = 200
/** Linux counts processor time in hundredths of a second for every reader. */
const TICKS_PER_SECOND = 100

interface Reading {
  pid: number
  parent: number
  /** Tells a process from a later one with its number. */
  startedAt: string
  /** Processor time of itself and of the children that it has waited for, ticks. */
  ticks: number
}

const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // The process has ended since it was listed.
    return ''
  }
}

const readProcess = (pid: number): Reading[] => {
  const stat = readText(`/proc/${pid}/stat`)
  // The command in brackets may hold spaces; the state follows it as field 3.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (stat === '') return []
  const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0)
  return [{ pid, parent: Number(fields[1]), startedAt: fields[19] ?? '', ticks }]
}

const readProcesses = (): Reading[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0)
    .flatMap(readProcess)

/** State directory of the local stack whose engine this process is. */
const stackOf = (pid: number): string | undefined => /\0--db-filename\0([^\0]+)/.exec(readText(`/proc/${pid}/cmdline`))?.[1]

/** Whether an ancestor that still runs, or this process, has counted the time of a process that ended since the last sample. */
const isWaitedFor = ({ parent }: Pick<Reading, 'parent'>, parents: ReadonlyMap<number, number>, running: ReadonlySet<number>): boolean => {
  if (running.has(parent)) return true
  const above = parents.get(parent)
  return above !== undefined && isWaitedFor({ parent: above }, parents, running)
}

/** Follows the descendants of this process, reparented ones too. */
const createFollower = () => {
  const family = new Set<string>()
  const stacks = new Set<string>()
  /** The family as the last sample found it, by key. */
  let last = new Map<string, Reading>()
  /** Ticks of processes that ended without a parent that waits for them. */
  let unwaited = 0
  const keyOf = ({ pid, startedAt }: Reading): string => `${pid}:${startedAt}`
  /** Adds children of known processes until there are no more: a parent may be listed after its child. */
  const admit = (readings: readonly Reading[]): void => {
    const known = new Set([process.pid, ...readings.filter((one) => family.has(keyOf(one))).map(({ pid }) => pid)])
    for (let added = true; added; ) {
      added = false
      for (const reading of readings) {
        if (family.has(keyOf(reading)) || !known.has(reading.parent)) continue
        family.add(keyOf(reading))
        known.add(reading.pid)
        added = true
      }
    }
  }
  return {
    sample: (): void => {
      const readings = readProcesses()
      admit(readings)
      const alive = new Map(readings.filter((one) => family.has(keyOf(one))).map((one) => [keyOf(one), one]))
      const pids = new Set([process.pid, ...[...alive.values()].map(({ pid }) => pid)])
      for (const { pid } of alive.values()) {
        const stack = stackOf(pid)
        if (stack !== undefined) stacks.add(stack)
      }
      const parents = new Map([...last.values()].map(({ pid, parent }) => [pid, parent]))
      for (const [key, one] of last) if (!alive.has(key) && !isWaitedFor(one, parents, pids)) unwaited += one.ticks
      last = alive
    },
    /** Ticks of processes that ended without a parent that waits for them, and of those that have outlived the command. */
    orphanTicks: (): number => [...last.values()].reduce((sum, { ticks }) => sum + ticks, unwaited),
    stacks: (): number => stacks.size,
  }
}

/** Time of the children that this process has waited for, ticks. */
const waitedTicks = (): number => {
  const fields = readText('/proc/self/stat')
    .replace(/^.*\) /s, '')
    .split(' ')
  return Number(fields[13]) + Number(fields[14])
}

/** Runs a command and writes what it used to a file; without `/proc` it only runs it. */
const measure = async (file: string, [command = '', ...given]: readonly string[]): Promise<number> => {
  const began = Date.now()
  const child = spawn(command, given, { stdio: 'inherit' })
  const exited = new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, () => child.kill(name))
  if (readText('/proc/self/stat') === '') return exited
  const follower = createFollower()
  const sampling = setInterval(follower.sample, SAMPLE_MS)
  const code = await exited
  clearInterval(sampling)
  follower.sample()
  const usage: Usage = {
    seconds: (Date.now() - began) / 1000,
    processorSeconds: (waitedTicks() + follower.orphanTicks()) / TICKS_PER_SECOND,
    stacks: follower.stacks(),
  }
  writeFileSync(file, JSON.stringify(usage))
  return code
}

if (import.meta.main) {
  const [file = '', ...command] = process.argv.slice(2)
  process.exitCode = await measure(file, command)
}
