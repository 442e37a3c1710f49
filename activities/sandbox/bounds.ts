import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { SandboxEnvironment, SandboxLimits } from '../../schemas/sandbox/spec.ts'

/** What the kernel counted for a run. */
export interface BoundReading {
  /** Processes that it ended for their memory. */
  readonly memoryKills: number
  readonly peakBytes: number | null
  readonly cpuMs: number | null
}

/** A group of the kernel that holds the processes of one run. */
export interface Group {
  /** Files to which a process writes 0 to join. */
  readonly entries: readonly string[]
  readonly read: () => BoundReading
  /** Ends what is left in it and removes it. Throws if its folder stays. */
  readonly remove: () => Promise<void>
}

/** Makes groups; null where none that bounds both memory and processes can be made. */
export interface Groups {
  readonly kind: SandboxEnvironment['bounds']
  readonly open: (limits: SandboxLimits) => Group
  /** Removes groups of processes that have ended without removing theirs. */
  readonly sweep: () => Promise<void>
}

const CPU_PERIOD_US = 100_000
const REMOVAL_ATTEMPTS = 200
const REMOVAL_DELAY_MS = 20
const NAME = /^agent-work-sandbox-(\d+)-\d+$/

let opened = 0
const nextName = (): string => {
  opened += 1
  return `agent-work-sandbox-${process.pid}-${opened}`
}

const readNumber = (path: string): number | null => {
  try {
    const value = Number(readFileSync(path, 'utf8').trim())
    return Number.isFinite(value) ? value : null
  } catch {
    return null
  }
}

/** A number that stands behind a name in a file of lines. */
const readField = (path: string, name: string): number | null => {
  try {
    const line = readFileSync(path, 'utf8')
      .split('\n')
      .find((one) => one.startsWith(`${name} `))
    return line === undefined ? null : Number(line.slice(name.length + 1))
  } catch {
    return null
  }
}

const killMembers = (folder: string): void => {
  const members = existsSync(join(folder, 'cgroup.procs')) ? readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n') : []
  for (const pid of members.filter((line) => line !== '' && line !== '0')) {
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** A group's folder can be removed once its last process is gone, which the kernel does after the kill. */
const removeFolder = async (folder: string): Promise<void> => {
  for (let attempt = 1; existsSync(folder); attempt += 1) {
    killMembers(folder)
    try {
      rmdirSync(folder)
    } catch (error) {
      if (attempt >= REMOVAL_ATTEMPTS) throw error
      await delay(REMOVAL_DELAY_MS)
    }
  }
}

/** A setting that not every kernel has. */
const writeIfThere = (path: string, value: string): void => {
  if (existsSync(path)) writeFileSync(path, value)
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

const sweepFolders = async (parents: readonly string[]): Promise<void> => {
  for (const parent of new Set(parents)) {
    const abandoned = readdirSync(parent).filter((name) => {
      const pid = NAME.exec(name)?.[1]
      return pid !== undefined && Number(pid) !== process.pid && !isAlive(Number(pid))
    })
    for (const name of abandoned) await removeFolder(join(parent, name))
  }
}

/** Makes a group in each parent, and leaves none behind when one cannot be set up. */
const openFolders = (parents: readonly string[], setUp: (folders: readonly string[]) => void): string[] => {
  const name = nextName()
  const folders = [...new Set(parents)].map((parent) => join(parent, name))
  const made: string[] = []
  try {
    for (const folder of folders) {
      mkdirSync(folder)
      made.push(folder)
    }
    setUp(parents.map((parent) => join(parent, name)))
    return folders
  } catch (error) {
    for (const folder of made) rmdirSync(folder)
    throw error
  }
}

const removeAll = async (folders: readonly string[]): Promise<void> => {
  for (const folder of folders) await removeFolder(folder)
}

/** Own folder of each controller of version 1; the root of the controller where ours is not mounted. */
const versionOneParents = (root: string, own: string): Record<string, string> | null => {
  const parents = Object.fromEntries(
    own
      .split('\n')
      .map((line) => line.split(':'))
      .flatMap(([, names = '', path = '/']) => names.split(',').map((name) => [name, path] as const))
      .filter(([name]) => ['memory', 'pids', 'cpu', 'cpuacct'].includes(name) && existsSync(join(root, name, 'cgroup.procs')))
      .map(([name, path]) => [name, existsSync(join(root, name, path, 'cgroup.procs')) ? join(root, name, path) : join(root, name)]),
  )
  return 'memory' in parents && 'pids' in parents ? parents : null
}

const createVersionOne = (parents: Record<string, string>): Groups => {
  const names = Object.keys(parents)
  const paths = Object.values(parents)
  return {
    kind: 'cgroup1',
    sweep: () => sweepFolders(paths),
    open: (limits) => {
      let at: Record<string, string> = {}
      const folders = openFolders(paths, (made) => {
        at = Object.fromEntries(names.map((name, index) => [name, made[index] ?? '']))
        const file = (controller: string, name: string) => join(at[controller] ?? '', name)
        writeFileSync(file('memory', 'memory.limit_in_bytes'), String(limits.memoryBytes))
        writeIfThere(file('memory', 'memory.memsw.limit_in_bytes'), String(limits.memoryBytes))
        writeFileSync(file('pids', 'pids.max'), String(limits.pids))
        if (!('cpu' in at)) return
        writeIfThere(file('cpu', 'cpu.cfs_period_us'), String(CPU_PERIOD_US))
        writeIfThere(file('cpu', 'cpu.cfs_quota_us'), String(CPU_PERIOD_US * limits.cpus))
      })
      const file = (controller: string, name: string) => join(at[controller] ?? '', name)
      return {
        entries: folders.map((folder) => join(folder, 'cgroup.procs')),
        read: () => {
          const cpuNs = readNumber(file('cpuacct', 'cpuacct.usage'))
          return {
            memoryKills: readField(file('memory', 'memory.oom_control'), 'oom_kill') ?? 0,
            peakBytes: readNumber(file('memory', 'memory.max_usage_in_bytes')),
            cpuMs: cpuNs === null ? null : Math.round(cpuNs / 1e6),
          }
        },
        remove: () => removeAll(folders),
      }
    },
  }
}

/** Own folder of version 2, if it may have groups of its own that bound memory and processes. */
const versionTwoParent = (root: string, own: string): string | null => {
  const path = own
    .split('\n')
    .find((line) => line.startsWith('0::'))
    ?.slice('0::'.length)
  const parent = [join(root, path ?? '/'), root].find((folder) => existsSync(join(folder, 'cgroup.controllers')))
  if (parent === undefined) return null
  const offered = readFileSync(join(parent, 'cgroup.controllers'), 'utf8').trim().split(' ')
  if (!offered.includes('memory') || !offered.includes('pids')) return null
  const wanted = ['memory', 'pids', 'cpu'].filter((name) => offered.includes(name))
  // The kernel refuses this in a group that has processes of its own, its root excepted.
  writeFileSync(join(parent, 'cgroup.subtree_control'), wanted.map((name) => `+${name}`).join(' '))
  return parent
}

const createVersionTwo = (parent: string): Groups => ({
  kind: 'cgroup2',
  sweep: () => sweepFolders([parent]),
  open: (limits) => {
    const [folder = ''] = openFolders([parent], ([made = '']) => {
      writeFileSync(join(made, 'memory.max'), String(limits.memoryBytes))
      writeIfThere(join(made, 'memory.swap.max'), '0')
      writeFileSync(join(made, 'pids.max'), String(limits.pids))
      writeIfThere(join(made, 'cpu.max'), `${CPU_PERIOD_US * limits.cpus} ${CPU_PERIOD_US}`)
    })
    return {
      entries: [join(folder, 'cgroup.procs')],
      read: () => {
        const cpuUs = readField(join(folder, 'cpu.stat'), 'usage_usec')
        return {
          memoryKills: readField(join(folder, 'memory.events'), 'oom_kill') ?? 0,
          peakBytes: readNumber(join(folder, 'memory.peak')),
          cpuMs: cpuUs === null ? null : Math.round(cpuUs / 1000),
        }
      },
      remove: () => removeAll([folder]),
    }
  },
})

/** Limits small enough for every machine, to find out whether a group can be made. */
const TRIAL: SandboxLimits = {
  wallMs: 1000,
  cpuMs: 1000,
  cpus: 1,
  memoryBytes: 64 * 1024 ** 2,
  pids: 16,
  diskBytes: 4096,
  fileBytes: 4096,
  outputBytes: 4096,
}

/**
 * Groups of the kernel that this process may make: version 1, or version 2. Null where it may make none, as an ordinary user mostly.
 * `own` is the text of `/proc/self/cgroup`.
 */
export const findGroups = async (root = '/sys/fs/cgroup', own = readFileSync('/proc/self/cgroup', 'utf8')): Promise<Groups | null> => {
  const candidates = [
    () => {
      const parents = versionOneParents(root, own)
      return parents === null ? null : createVersionOne(parents)
    },
    () => {
      const parent = versionTwoParent(root, own)
      return parent === null ? null : createVersionTwo(parent)
    },
  ]
  for (const candidate of candidates) {
    try {
      const groups = candidate()
      if (groups === null) continue
      await groups.open(TRIAL).remove()
      return groups
    } catch {
      // Not ours to use: the next kind.
    }
  }
  return null
}
