import { linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { readIfThere } from './files.ts'
import { isRunning, processIdentity } from './processes.ts'

/** The process that runs a stack. */
export type Owner = { pid: number; identity: string }

/** Who runs the stack of this state directory now; undefined when nobody does, also after a crash. */
export const readOwner = (lockFile: string): Owner | undefined => {
  const text = readIfThere(lockFile)
  if (text === undefined) return undefined
  const owner = JSON.parse(text) as Owner
  return isRunning(owner) ? owner : undefined
}

/** Takes the state directory for this process. Answers the owner instead when somebody alive has it. */
export const takeOwnership = (lockFile: string): { release(): void } | { owner: Owner } => {
  mkdirSync(dirname(lockFile), { recursive: true })
  const mine = `${lockFile}.${process.pid}`
  writeFileSync(mine, JSON.stringify({ pid: process.pid, identity: processIdentity(process.pid) }), {
    mode: 0o600,
  })
  try {
    return take(lockFile, mine)
  } finally {
    rmSync(mine)
  }
}

/** A second release must not take the lock away from whoever has it by then. */
const releaseOnce = (lockFile: string): (() => void) => {
  let held = true
  return () => {
    if (held) rmSync(lockFile, { force: true })
    held = false
  }
}

/** A hard link appears whole or not at all, so a lock file is never seen half written. */
const take = (lockFile: string, mine: string): { release(): void } | { owner: Owner } => {
  for (;;) {
    try {
      linkSync(mine, lockFile)
      return { release: releaseOnce(lockFile) }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const owner = readOwner(lockFile)
    if (owner) return { owner }
    rmSync(lockFile, { force: true })
  }
}
