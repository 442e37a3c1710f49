import { chmodSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What is made of the sources once for all stacks of this checkout, and named by its content: the workflow bundle, compiled modules. */
export const STACK_CACHE = fileURLToPath(new URL('../../node_modules/.cache/stacks', import.meta.url))

/** A directory that also the user enters whom root gives the database to. */
export const openDirectory = (name: string): string => {
  const directory = mkdtempSync(join(tmpdir(), `agent-work-${name}-`))
  chmodSync(directory, 0o755)
  return directory
}

/** A state directory for a stack or a fleet of the tests. */
export const makeStateDirectory = (name: string): string => {
  const directory = openDirectory(name)
  mkdirSync(STACK_CACHE, { recursive: true })
  symlinkSync(STACK_CACHE, join(directory, 'cache'))
  return directory
}
