// A PostgreSQL and a streaming replica of it, without a client program: the package has none.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Database, openDatabase } from '../../../activities/database/database.ts'
import { placePostgres, removePostgres } from '../../../local/database/place.ts'
import { stateFiles } from '../../../local/files.ts'
import { choosePorts } from '../../../local/ports.ts'
import { createProcesses, untilReady } from '../../../local/processes.ts'
import { migrate } from '../../../migrations/migrate.ts'
import { openDirectory } from '../state-directory.ts'
import { ownPath, takeBaseBackup } from './backup.ts'
import { startPostgresIn } from './server.ts'

const READY_MS = 30_000
const STOP_MS = 10_000

const run = (database: Database, statement: string) => sql.raw<Record<string, unknown>>(statement).execute(database.rows)

/** Starts a migrated database and its replica. */
export const startReplicated = async () => {
  const directory = openDirectory('replicated')
  const files = stateFiles(directory)
  const processes = createProcesses({ logs: files.logs, recordFile: files.processes })
  const { databaseUrl: url, child: server } = await startPostgresIn(files, processes)
  await migrate(url)
  const place = placePostgres(files)
  const copy = join(directory, 'replica')
  const primary = openDatabase({ url, poolSize: 1, connectMs: 20_000 })
  await takeBaseBackup(place, url, copy)
  const standby = join(copy, 'standby.signal')
  writeFileSync(standby, '')
  ownPath(place, standby)
  const { ports, release } = await choosePorts({ replica: 0 })
  const { hostname, port, username, password } = new URL(url)
  const source = `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`
  const settings = {
    port: ports.replica,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    primary_conninfo: source,
  }
  const child = await processes.start({
    name: 'replica',
    command: join(place.bin, 'postgres'),
    args: ['-D', copy, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    ...place.user,
    cwd: directory,
    stopSignal: 'SIGINT',
  })
  const address = new URL(url)
  address.port = String(ports.replica)
  const replica = openDatabase({ url: address.href, poolSize: 1, connectMs: 20_000 })
  const follows = () =>
    run(replica, 'select 1 where pg_is_in_recovery()').then(
      ({ rows }) => rows.length === 1,
      () => false,
    )
  await untilReady([child], follows, READY_MS).finally(release)
  return {
    url,
    replicaUrl: address.href,
    primary,
    /** The replica falls behind from now on, or catches up. */
    lag: (isLagging: boolean) => run(replica, `select pg_wal_replay_${isLagging ? 'pause' : 'resume'}()`),
    stopReplica: () => processes.stop(child, STOP_MS),
    stop: async (): Promise<void> => {
      await Promise.all([primary.close(), replica.close()])
      await Promise.all([processes.stop(child, STOP_MS), processes.stop(server, STOP_MS)])
      removePostgres(files)
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
