import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from '@jest/globals'
import { removeState } from '../../../local/stack.ts'

/** A directory for one test file, open to other users, gone at its end. */
export const useDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'agent-work-local-'))
  chmodSync(directory, 0o755)
  afterAll(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** A state directory for one stack, gone at the end with its database. */
export const useStateDirectory = (): string => {
  const directory = useDirectory()
  afterAll(() => removeState(directory))
  return directory
}
