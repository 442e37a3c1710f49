import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

const parentByProc = (pid: string): string | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command in brackets may hold spaces; state and parent follow it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]
  } catch {
    return undefined
  }
}

const parents = (): (string | undefined)[][] => {
  if (existsSync('/proc/self/stat'))
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => [pid, parentByProc(pid)])
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  return stdout.split('\n').map((line) => line.trim().split(/\s+/))
}

/** Processes whose parent is `pid`. */
export const childrenOf = (pid: number): number[] =>
  parents()
    .filter(([, parent]) => Number(parent) === pid)
    .map(([child]) => Number(child))
