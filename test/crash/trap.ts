// Traps are data that the harness writes into a folder of the fleet, and that the module loaded first into every service reads.
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A place where an effect leaves a service, and whose effect it is. */
export interface Trap {
  /** Kind of service in which it lies. */
  in: 'api' | 'worker'
  /** What leaves there: a statement, a call of the chain's node, a call of the workflow engine, the result of an activity. */
  on: 'sql' | 'rpc' | 'engine' | 'activity'
  /** Before it leaves, or after it was answered. */
  when: 'before' | 'after'
  /** Regular expression on the statement, the node's method, the path of the engine's call, the name of the activity. */
  call: string
  /** Texts that its arguments hold, every one of them; after an activity also its result or failure. */
  of: readonly string[]
  /** Not the statement itself but the commit that ends its transaction. */
  atCommit?: boolean
  /** The node takes the transaction and mines nothing any more; the service receives its acceptance. */
  unmined?: boolean
}

/** A trap that is laid. It springs once, and holds the effect in every process until the harness releases it or kills the process. */
export interface ArmedTrap extends Trap {
  id: string
}

const place = (dir: string, name: string): string => join(dir, name)

const read = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** Lays exactly these traps. Only the harness writes them. */
export const layTraps = (dir: string, traps: readonly ArmedTrap[]): void => {
  writeFileSync(place(dir, 'new'), JSON.stringify(traps))
  renameSync(place(dir, 'new'), place(dir, 'armed'))
}

/** Reads the traps that are laid now; what did not change since the last look is not read again. */
export const createTrapReader = (dir: string): (() => readonly ArmedTrap[]) => {
  const file = place(dir, 'armed')
  let [seen, traps]: [string, readonly ArmedTrap[]] = ['', []]
  return () => {
    const { ino = 0, mtimeMs = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {}
    if (`${ino} ${mtimeMs}` !== seen) {
      seen = `${ino} ${mtimeMs}`
      traps = JSON.parse(read(file) ?? '[]') as ArmedTrap[]
    }
    return traps
  }
}

/** True for the service that springs it: only one can make the file. */
export const spring = (dir: string, { id }: ArmedTrap, service: string): boolean => {
  try {
    writeFileSync(place(dir, `sprung-${id}`), `${service}\n`, { flag: 'wx' })
    return true
  } catch {
    return false
  }
}

/** The service that came into the trap and is held there. */
export const sprungBy = (dir: string, { id }: ArmedTrap): string | undefined => {
  const text = read(place(dir, `sprung-${id}`))
  return text?.endsWith('\n') ? text.trim() : undefined
}

/** A service that may not be held brought about the effect that is held elsewhere. */
export const markPassed = (dir: string, { id }: ArmedTrap): void => writeFileSync(place(dir, `passed-${id}`), '')
export const wasPassed = (dir: string, { id }: ArmedTrap): boolean => existsSync(place(dir, `passed-${id}`))

const upFile = (dir: string, pid: number): string => place(dir, `up-${pid}`)
/** From now on this process is of use, and may be held: one that is held while it starts would never become so. */
export const markUp = (dir: string, pid: number): void => writeFileSync(upFile(dir, pid), '')
export const isMarkedUp = (dir: string, pid: number): boolean => existsSync(upFile(dir, pid))

/** Lets the effect go on that is held in the trap. */
export const release = (dir: string, { id }: ArmedTrap): void => writeFileSync(place(dir, `over-${id}`), '')
export const isReleased = (dir: string, { id }: ArmedTrap): boolean => existsSync(place(dir, `over-${id}`))
