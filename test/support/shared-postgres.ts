// The one PostgreSQL of a test run: the first file that needs it starts it, the run's teardown ends it.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { openDatabase } from '../../activities/database/database.ts'
import { readIfThere, stateFiles, writePrivate } from '../../local/files.ts'
import { takeOwnership } from '../../local/ownership.ts'
import { migrate } from '../../migrations/migrate.ts'
import { startPostgresIn } from './postgres-server.ts'

export interface SharedPostgres {
  /** Address of the maintenance database. */
  maintenance: string
  /** Name of a migrated database that nobody is connected to: a new one is its copy. */
  template: string
}

const TEMPLATE = 'migrated'
const START_MS = 60_000
const STOP_MS = 5_000

const makeTemplate = async (maintenance: string): Promise<void> => {
  const database = openDatabase({ url: maintenance, poolSize: 1, connectMs: 20_000 })
  try {
    for (const statement of [`drop database if exists ${TEMPLATE}`, `create database ${TEMPLATE}`])
      await sql.raw(statement).execute(database.rows)
  } finally {
    await database.close()
  }
  const url = new URL(maintenance)
  url.pathname = `/${TEMPLATE}`
  await migrate(url.href)
}

const start = async (directory: string): Promise<SharedPostgres> => {
  const { databaseUrl: maintenance, processes, child } = await startPostgresIn(stateFiles(directory))
  try {
    await makeTemplate(maintenance)
  } catch (error) {
    // The next file that needs a server starts one on the same data.
    await processes.stop(child, STOP_MS)
    throw error
  }
  return { maintenance, template: TEMPLATE }
}

const placeOf = (): string => {
  const directory = process.env.TEST_POSTGRES_DIR
  if (directory === undefined) throw new Error('the shared database server needs test/global-setup.ts in the jest configuration')
  return directory
}

/** The server of this run, started now when no file has needed it before. */
export const sharedPostgres = async (): Promise<SharedPostgres> => {
  const directory = placeOf()
  const note = join(directory, 'shared.json')
  for (const until = Date.now() + START_MS; ; await sleep(50)) {
    const known = readIfThere(note)
    if (known !== undefined) return JSON.parse(known) as SharedPostgres
    if (Date.now() > until) throw new Error(`the shared database server was not started within ${START_MS / 1000} s`)
    const claim = takeOwnership(join(directory, 'start.lock'))
    if ('owner' in claim) continue
    try {
      // Who had the lock a moment ago may have finished.
      if (readIfThere(note) === undefined) writePrivate(note, JSON.stringify(await start(directory)))
    } finally {
      claim.release()
    }
  }
}
