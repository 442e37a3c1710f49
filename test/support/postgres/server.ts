import { rmSync } from 'node:fs'
import { removePostgres } from '../../../local/database/place.ts'
import { type LocalPostgres, startPostgres } from '../../../local/database/start.ts'
import { type StateFiles, stateFiles } from '../../../local/files.ts'
import { choosePorts } from '../../../local/ports.ts'
import { createProcesses, type Processes } from '../../../local/processes.ts'
import { openDirectory } from '../state-directory.ts'

export interface PostgresServer {
  /** Address of the maintenance database. */
  url: string
  stop(): Promise<void>
}

const STOP_MS = 10_000

/** Starts a PostgreSQL on a free port, the way the stack does, but without its care for a loss of power: a test may lose its data. */
export const startPostgresIn = async (files: StateFiles, processes: Processes): Promise<LocalPostgres> => {
  const { ports, release } = await choosePorts({ postgres: 0 })
  return startPostgres(processes, files, ports.postgres, { fsync: 'off' }).finally(release)
}

/** Starts a PostgreSQL for one caller alone; nothing of it outlives `stop`. */
export const startPostgresServer = async (): Promise<PostgresServer> => {
  const directory = openDirectory('test')
  const files = stateFiles(directory)
  const processes = createProcesses({ logs: files.logs, recordFile: files.processes })
  const { databaseUrl, child } = await startPostgresIn(files, processes)
  const stop = async (): Promise<void> => {
    await processes.stop(child, STOP_MS)
    removePostgres(files)
    rmSync(directory, { recursive: true, force: true })
  }
  return { url: databaseUrl, stop }
}
