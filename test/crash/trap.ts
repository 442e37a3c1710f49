// A trap is data that the harness writes into a folder of the fleet, and that the module loaded first into every service reads.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A place where an effect leaves a service, and whose effect it is. */
export interface Trap {
  /** Kind of service in which it lies. */
  in: 'api' | 'worker'
  /** What leaves there: a statement, a call of the chain's node, a call of the workflow engine. */
  on: 'sql' | 'rpc' | 'engine'
  /** Before it leaves, or after it was answered. */
  when: 'before' | 'after'
  /** Regular expression on the statement, the node's method, the path of the engine's call. */
  call: string
  /** Texts that its arguments hold, every one of them. */
  of: readonly string[]
  /** Not the statement itself but the commit that ends its transaction. */
  atCommit?: boolean
  /** The node takes the transaction and mines nothing any more; the service hears that it was taken. */
  unmined?: boolean
}

/** As it is laid out. `dies`: the service kills itself; else it stands still until others were killed. */
export interface ArmedTrap extends Trap {
  dies: boolean
}

const place = (dir: string, name: string): string => join(dir, `trap-${name}`)

/** Lays a trap. It springs once, in whichever process comes first. */
export const arm = (dir: string, trap: ArmedTrap): void => {
  for (const name of ['sprung', 'by', 'over']) rmSync(place(dir, name), { force: true })
  writeFileSync(place(dir, 'new'), JSON.stringify(trap))
  renameSync(place(dir, 'new'), place(dir, 'armed'))
}

/** Takes away a trap that did not spring. */
export const disarm = (dir: string): void => rmSync(place(dir, 'armed'), { force: true })

const read = (dir: string, name: string): string | undefined => {
  try {
    return readFileSync(place(dir, name), 'utf8')
  } catch {
    return undefined
  }
}

/** The trap that is laid now. */
export const armed = (dir: string): ArmedTrap | undefined => {
  const text = read(dir, 'armed')
  return text === undefined ? undefined : (JSON.parse(text) as ArmedTrap)
}

/** True for the service that springs it: the file system lets only one move the file. */
export const spring = (dir: string, service: string): boolean => {
  try {
    renameSync(place(dir, 'armed'), place(dir, 'sprung'))
  } catch {
    return false
  }
  writeFileSync(place(dir, 'by.new'), service)
  renameSync(place(dir, 'by.new'), place(dir, 'by'))
  return true
}

/** The service that came into the trap. */
export const sprungBy = (dir: string): string | undefined => read(dir, 'by')

/** Lets a service go on that stands still in the trap. */
export const release = (dir: string): void => writeFileSync(place(dir, 'over'), '')
export const isReleased = (dir: string): boolean => existsSync(place(dir, 'over'))
