import { rmSync } from 'node:fs'
import { stateFiles } from '../local/files.ts'
import { readOwner } from '../local/ownership.ts'
import { removePostgres } from '../local/postgres-place.ts'
import { endProcess } from '../local/processes.ts'

/** Ends the shared stack, if any file started it, and clears its place. */
const tearDown = async (): Promise<void> => {
  const directory = process.env.TEST_STACK_DIR
  if (directory === undefined) return
  const files = stateFiles(directory)
  const owner = readOwner(files.lock)
  if (owner) await endProcess({ ...owner, name: 'the shared stack', stopSignal: 'SIGTERM' }, 10_000)
  removePostgres(files)
  rmSync(directory, { recursive: true, force: true })
}

// biome-ignore lint/style/noDefaultExport: jest calls the default export
export default tearDown
