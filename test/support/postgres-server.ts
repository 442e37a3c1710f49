import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stateFiles } from '../../local/files.ts'
import { choosePorts } from '../../local/ports.ts'
import { startPostgres } from '../../local/postgres.ts'
import { removePostgres } from '../../local/postgres-place.ts'
import { createProcesses } from '../../local/processes.ts'

export interface PostgresServer {
  /** Address of the maintenance database. */
  url: string
  stop(): Promise<void>
}

const STOP_MS = 10_000

/** Starts a PostgreSQL of its own for one test file, the way the stack does; nothing of it outlives `stop`. */
export const startPostgresServer = async (): Promise<PostgresServer> => {
  const directory = mkdtempSync(join(tmpdir(), 'agent-work-test-'))
  // Root hands the server to a user of its own, who must be able to enter.
  chmodSync(directory, 0o755)
  const files = stateFiles(directory)
  const processes = createProcesses({ logs: files.logs, recordFile: files.processes })
  // A test that loses power may lose its data.
  const { ports, release } = await choosePorts({ postgres: 0 })
  const { databaseUrl, child } = await startPostgres(processes, files, ports.postgres, { fsync: 'off' }).finally(release)
  const stop = async (): Promise<void> => {
    await processes.stop(child, STOP_MS)
    removePostgres(files)
    rmSync(directory, { recursive: true, force: true })
  }
  return { url: databaseUrl, stop }
}
