import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { openDatabase } from '../../activities/database/database.ts'
import { sharedPostgres } from './postgres/shared.ts'

export interface TestDatabase {
  url: string
  drop(): Promise<void>
}

const run = async (url: string, statement: string): Promise<void> => {
  const database = openDatabase({ url, poolSize: 1, connectMs: 20_000 })
  try {
    await sql.raw(statement).execute(database.rows)
  } finally {
    await database.close()
  }
}

/** A migrated database for one test file, on the server that all files share. */
export const createTestDatabase = async (): Promise<TestDatabase> => {
  const { maintenance, template } = await sharedPostgres()
  const name = `test_${randomBytes(6).toString('hex')}`
  await run(maintenance, `create database ${name} template ${template}`)
  const url = new URL(maintenance)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => run(maintenance, `drop database if exists ${name} with (force)`) }
}
