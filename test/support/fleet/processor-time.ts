import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Clock ticks of the kernel in a second, as every Linux states them to programs. */
const TICKS = 100

const byProc = (pid: number): number | undefined => {
  try {
    const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?=[A-Z] )/)
    const fields = rest.split(' ')
    // After the state: field 14 is the time as the program, field 15 as the kernel.
    return (Number(fields[11]) + Number(fields[12])) / TICKS
  } catch {
    return undefined
  }
}

const byPs = (pid: number): number =>
  spawnSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' })
    .stdout.trim()
    .split(/[:-]/)
    .reduce((seconds, part) => seconds * 60 + Number(part), 0)

/** Processor time that a process has used, seconds. */
export const processorSeconds = (pid: number): number => byProc(pid) ?? byPs(pid)
