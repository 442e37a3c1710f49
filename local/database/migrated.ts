import { migrate } from '../../migrations/migrate.ts'
import type { PartRequest } from '../processes.ts'
import { type Snapshot, saveSnapshot, snapshotOf } from '../snapshots.ts'
import { copyData, ensurePassword, isInitialised, restoreData } from './data.ts'
import { placePostgres } from './place.ts'
import { type LocalPostgres, startPostgres } from './start.ts'

export type MigratedPostgresRequest = PartRequest & {
  port: number
  /** Settings of the server that differ from the usual ones. */
  settings?: Record<string, string>
}

/** What determines a new data directory; the lock file pins PostgreSQL and the migration library. */
const SOURCES = ['local/database/*.ts', 'migrations/*.ts', 'package-lock.json']
const STOP_MS = 10_000

/** Creates a migrated data directory, and saves its snapshot once the server has stopped. */
const createData = async ({ processes, files, port, say }: MigratedPostgresRequest, snapshot: Snapshot): Promise<void> => {
  say('Creating a new local database')
  const { databaseUrl, child } = await startPostgres(processes, files, port, { fsync: 'off' })
  await migrate(databaseUrl)
  await processes.stop(child, STOP_MS)
  await saveSnapshot(snapshot, say, (directory) => copyData(placePostgres(files), directory))
}

/** Starts PostgreSQL with every migration. New data is a copy of the cached data where there is some. */
export const startMigratedPostgres = async (request: MigratedPostgresRequest): Promise<LocalPostgres> => {
  const { processes, files, port, settings } = request
  const place = placePostgres(files)
  if (!isInitialised(place)) {
    const password = ensurePassword(files.postgresPassword)
    // Named before the migrations run: a migration that is edited meanwhile gives its name to no older data.
    const snapshot = snapshotOf(files.cache, 'database', SOURCES)
    if (!(await restoreData(place, password, snapshot, processes.closing))) await createData(request, snapshot)
  }
  const postgres = await startPostgres(processes, files, port, settings)
  await migrate(postgres.databaseUrl)
  return postgres
}
