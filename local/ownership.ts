import { linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { readIfThere } from './files.ts'
import { isRunning, processIdentity } from './processes.ts'

/** The process that runs a stack. */
export type Owner = { pid: number; identity: string }

/** The live process that owns the state directory; undefined without one, also after a crash. */
export const readOwner = (lockFile: string): Owner | undefined => {
  const text = readIfThere(lockFile)
  if (text === undefined) return undefined
  const owner = JSON.parse(text) as Owner
  return isRunning(owner) ? owner : undefined
}

/** Locks the state directory for this process. Returns the owner when a live process has it. */
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

/** Releases once: a second release must not remove the lock of a later owner. */
const releaseOnce = (lockFile: string): (() => void) => {
  let isHeld = true
  return () => {
    if (isHeld) rmSync(lockFile, { force: true })
    isHeld = false
  }
}

/** Removes the lock of a dead process. Another process may have replaced it since it was read; that one is put back. */
const removeStale = (lockFile: string, mine: string): void => {
  const taken = `${mine}.stale`
  try {
    renameSync(lockFile, taken)
    if (readOwner(taken)) linkSync(taken, lockFile)
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    rmSync(taken, { force: true })
  }
}

/** Creates the lock file by a hard link, which is atomic: no reader sees a partly written file. */
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
    removeStale(lockFile, mine)
  }
}
