import { rmSync } from 'node:fs'
import { stateFiles } from '../../local/files.ts'
import { createProcesses } from '../../local/processes.ts'
import { ensureBundle } from '../../local/temporal/bundle.ts'
import { openDirectory, STACK_CACHE } from './state-directory.ts'

/** The workflow code of these sources as a worker takes it; bundled by the first who asks, for all runs until the sources change. */
export const workflowBundle = async (): Promise<{ codePath: string }> => {
  const directory = openDirectory('bundle')
  const { logs, processes: recordFile } = stateFiles(directory)
  try {
    return { codePath: await ensureBundle(createProcesses({ logs, recordFile }), STACK_CACHE) }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
