import { readdirSync, readFileSync } from 'node:fs'

interface ProcessMemory {
  readonly pid: number
  readonly parent: number
  /** Resident memory that no file backs. */
  readonly bytes: number
}

const KIB = 1024

const field = (status: string, name: string): number => {
  const value = new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]
  return value === undefined ? 0 : Number(value)
}

const readProcess = (pid: string): ProcessMemory[] => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const bytes = (field(status, 'RssAnon') + field(status, 'RssShmem')) * KIB
    return [{ pid: Number(pid), parent: field(status, 'PPid'), bytes }]
  } catch {
    // It has ended meanwhile.
    return []
  }
}

/**
 * Resident memory of a process and of everything that it started, in bytes. A process of the sandbox whose parent has ended has the first
 * process of the sandbox as its parent, so that none is missed.
 */
export const readTreeMemory = (root: number): number => {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(readProcess)
  const children = Map.groupBy(processes, ({ parent }) => parent)
  const sum = (pid: number): number => (children.get(pid) ?? []).reduce((total, child) => total + child.bytes + sum(child.pid), 0)
  return (processes.find(({ pid }) => pid === root)?.bytes ?? 0) + sum(root)
}
