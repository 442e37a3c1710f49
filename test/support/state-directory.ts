import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { removePostgres } from '../../local/database/place.ts'
import { stateFiles } from '../../local/files.ts'
import { readOwner } from '../../local/ownership.ts'

/** What is made of the sources once for all stacks of this checkout, and named by its content: the workflow bundle, compiled modules. */
export const STACK_CACHE = fileURLToPath(new URL('../../node_modules/.cache/stacks', import.meta.url))

/** A directory that also the user enters whom root gives the database to. */
export const openDirectory = (name: string): string => {
  const directory = mkdtempSync(join(tmpdir(), `agent-work-${name}-`))
  chmodSync(directory, 0o755)
  return directory
}

/** Gives a state directory the cache of this checkout. */
export const linkCache = (directory: string): void => {
  mkdirSync(STACK_CACHE, { recursive: true })
  symlinkSync(STACK_CACHE, join(directory, 'cache'))
}

/** A state directory for a stack or a fleet of the tests. */
export const makeStateDirectory = (name: string): string => {
  const directory = openDirectory(name)
  linkCache(directory)
  return directory
}

/** Removes the state directory of a stack that does not run, and its database outside of it. */
export const removeState = (dir: string): void => {
  const files = stateFiles(resolve(dir))
  if (readOwner(files.lock)) throw new Error(`the stack of ${dir} runs: end it first`)
  removePostgres(files)
  rmSync(dir, { recursive: true, force: true })
}
