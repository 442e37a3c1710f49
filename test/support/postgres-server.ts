import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stateFiles } from '../../local/files.ts'
import { startPostgres } from '../../local/postgres.ts'
import { removePostgres } from '../../local/postgres-place.ts'
import { createProcesses } from '../../local/processes.ts'

export interface PostgresServer {
  /** Address of the maintenance database. */
  url: string
  stop(): Promise<void>
}

const STOP_MS = 10_000

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => (typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no port'))))
    })
  })

/** Starts a PostgreSQL of its own for one test file, the way the stack does; nothing of it outlives `stop`. */
export const startPostgresServer = async (): Promise<PostgresServer> => {
  const directory = mkdtempSync(join(tmpdir(), 'agent-work-test-'))
  // Root hands the server to a user of its own, who must be able to enter.
  chmodSync(directory, 0o755)
  const files = stateFiles(directory)
  const processes = createProcesses({ logs: files.logs, recordFile: files.processes })
  // A test that loses power may lose its data.
  const { databaseUrl, child } = await startPostgres(processes, files, await freePort(), { fsync: 'off' })
  const stop = async (): Promise<void> => {
    await processes.stop(child, STOP_MS)
    removePostgres(files)
    rmSync(directory, { recursive: true, force: true })
  }
  return { url: databaseUrl, stop }
}
