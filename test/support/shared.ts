// What the files of a test run share: the first file that needs it starts it, the run's teardown ends it.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readIfThere, type StateFiles, stateFiles, writePrivate } from '../../local/files.ts'
import { takeOwnership } from '../../local/ownership.ts'
import { createProcesses, type Processes } from '../../local/processes.ts'

/** Where a shared part is started: its state files, and the processes that the run's teardown ends. */
export interface SharedPlace {
  directory: string
  files: StateFiles
  processes: Processes
}

const START_MS = 180_000
const STOP_MS = 5_000

/** Directory of the run for its shared parts. */
export const runDirectory = (): string => {
  const directory = process.env.TEST_RUN_DIR
  if (directory === undefined) throw new Error('shared parts need test/global-setup.ts in the jest configuration')
  return directory
}

/** Number of this jest worker, from 1. Two files of one worker never run at once, so they may share what two workers may not. */
export const workerNumber = (): string => process.env.JEST_WORKER_ID ?? '1'

const startIn = async <T>(directory: string, start: (place: SharedPlace) => Promise<T>): Promise<T> => {
  mkdirSync(directory, { recursive: true, mode: 0o755 })
  const files = stateFiles(directory)
  const processes = createProcesses({ logs: files.logs, recordFile: files.processes, outlive: true })
  try {
    return await start({ directory, files, processes })
  } catch (error) {
    // The next file that needs this part starts it again on the same state.
    await Promise.all(processes.children().map((child) => processes.stop(child, STOP_MS)))
    throw error
  }
}

/**
 * A part of the run by its name: started by `start` when no file needed it before, known by what `start` returned otherwise. That is JSON.
 * Processes that it starts through `place.processes` outlive this file.
 */
export const sharedInRun = async <T>(name: string, start: (place: SharedPlace) => Promise<T>): Promise<T> => {
  const directory = join(runDirectory(), name)
  const note = join(directory, 'shared.json')
  for (const until = Date.now() + START_MS; ; await sleep(50)) {
    const known = readIfThere(note)
    if (known !== undefined) return JSON.parse(known) as T
    if (Date.now() > until) throw new Error(`${name} was not started within ${START_MS / 1000} s`)
    mkdirSync(directory, { recursive: true, mode: 0o755 })
    const claim = takeOwnership(join(directory, 'start.lock'))
    if ('owner' in claim) continue
    try {
      // The file that held the lock a moment ago may have finished.
      if (readIfThere(note) === undefined) writePrivate(note, JSON.stringify(await startIn(directory, start)))
    } finally {
      claim.release()
    }
  }
}

/** The same for the files of this jest worker only. */
export const sharedInWorker = <T>(name: string, start: (place: SharedPlace) => Promise<T>): Promise<T> =>
  sharedInRun(`${name}-${workerNumber()}`, start)
