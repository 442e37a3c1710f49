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

/** Follows the descendants of this process, reparented ones too. */
const createFollower = () => {
  const family = new Map<string, { pid: number; orphanTicks: number }>()
  const stacks = new Set<string>()
  const keyOf = ({ pid, startedAt }: Reading): string => `${pid}:${startedAt}`
  /** Adds children of known processes until there are no more: a parent may be listed after its child. */
  const admit = (readings: readonly Reading[]): void => {
    const known = new Set([process.pid, ...readings.filter((one) => family.has(keyOf(one))).map(({ pid }) => pid)])
    for (let added = true; added; ) {
      added = false
      for (const reading of readings) {
        if (family.has(keyOf(reading)) || !known.has(reading.parent)) continue
        family.set(keyOf(reading), { pid: reading.pid, orphanTicks: 0 })
        known.add(reading.pid)
        added = true
      }
    }
  }
  return {
    sample: (): void => {
      const readings = readProcesses()
      admit(readings)
      const alive = readings.filter((one) => family.has(keyOf(one)))
      const pids = new Set([process.pid, ...alive.map(({ pid }) => pid)])
      for (const reading of alive) {
        const stack = stackOf(reading.pid)
        if (stack !== undefined) stacks.add(stack)
        // A parent that waits for its child counts the child's time; an orphan's time is counted here.
        const one = family.get(keyOf(reading))
        if (one !== undefined && !pids.has(reading.parent)) one.orphanTicks = reading.ticks
      }
    },
    orphanTicks: (): number => [...family.values()].reduce((sum, one) => sum + one.orphanTicks, 0),
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
