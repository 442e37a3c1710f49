import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { removePostgres } from '../local/database/place.ts'
import { stateFiles } from '../local/files.ts'
import { readOwner } from '../local/ownership.ts'
import { endLeftovers, endProcess } from '../local/processes.ts'

/** Ends the stack of a directory, if any file started one there. */
const endStack = async (directory: string): Promise<void> => {
  const owner = readOwner(stateFiles(directory).lock)
  if (owner) await endProcess({ ...owner, name: 'a shared stack', stopSignal: 'SIGTERM' }, 10_000)
}

/** Ends what the run shared and clears its places. */
const tearDown = async (): Promise<void> => {
  const { TEST_STACK_DIR: stack, TEST_RUN_DIR: run } = process.env
  const parts = run === undefined ? [] : readdirSync(run).map((name) => join(run, name))
  await Promise.all([stack, ...parts].filter((one) => one !== undefined).map(endStack))
  await Promise.all(parts.map((part) => endLeftovers(stateFiles(part).processes)))
  for (const directory of [stack, ...parts].filter((one) => one !== undefined)) removePostgres(stateFiles(directory))
  for (const directory of [stack, run].filter((one) => one !== undefined)) rmSync(directory, { recursive: true, force: true })
}

// biome-ignore lint/style/noDefaultExport: jest calls the default export
export default tearDown
