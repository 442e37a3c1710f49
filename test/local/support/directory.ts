import { rmSync } from 'node:fs'
import { afterAll } from '@jest/globals'
import { makeStateDirectory, openDirectory, removeState } from '../../support/state-directory.ts'

/** A directory for one test file, open to other users, gone at its end. */
export const useDirectory = (): string => {
  const directory = openDirectory('local')
  afterAll(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** A state directory for one stack: at the end `end` ends what runs there, and it goes with its database. */
export const useStateDirectory = (end: () => Promise<void> = async () => undefined): string => {
  const directory = makeStateDirectory('local')
  // In one hook, since jest runs them in the order of their definition.
  afterAll(async () => {
    await end()
    removeState(directory)
  })
  return directory
}
