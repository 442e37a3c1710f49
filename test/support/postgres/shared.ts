// The one PostgreSQL of a test run.
import { sql } from 'kysely'
import { openDatabase } from '../../../activities/database/database.ts'
import { migrate } from '../../../migrations/migrate.ts'
import { sharedInRun } from '../shared.ts'
import { startPostgresIn } from './server.ts'

export interface SharedPostgres {
  /** Address of the maintenance database. */
  maintenance: string
  /** Name of a migrated database that nothing is connected to: a new one is its copy. */
  template: string
}

const TEMPLATE = 'migrated'

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

/** The server of this run, started now when no file has needed it before. */
export const sharedPostgres = (): Promise<SharedPostgres> =>
  sharedInRun('postgres', async ({ files, processes }) => {
    const { databaseUrl: maintenance } = await startPostgresIn(files, processes)
    await makeTemplate(maintenance)
    return { maintenance, template: TEMPLATE }
  })
