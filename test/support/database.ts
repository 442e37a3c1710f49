import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { openDatabase } from '../../activities/records/database.ts'
import { migrate } from '../../migrations/migrate.ts'
import { type PostgresServer, startPostgresServer } from './postgres-server.ts'

export interface TestDatabase {
  url: string
  drop(): Promise<void>
}

let server: { running: Promise<PostgresServer>; users: number } | undefined

/** The server that TEST_DATABASE_URL names, or one that the first user of this test file starts and the last one stops. */
const borrowServer = async (): Promise<PostgresServer> => {
  const given = process.env.TEST_DATABASE_URL
  if (given !== undefined) return { url: given, stop: async () => undefined }
  server ??= { running: startPostgresServer(), users: 0 }
  const borrowed = server
  borrowed.users += 1
  const { url, stop } = await borrowed.running
  return {
    url,
    async stop() {
      borrowed.users -= 1
      if (borrowed.users > 0) return
      server = undefined
      await stop()
    },
  }
}

const run = async (url: string, statement: string): Promise<void> => {
  const database = openDatabase({ url, poolSize: 1 })
  try {
    await sql.raw(statement).execute(database.rows)
  } finally {
    await database.close()
  }
}

/** A migrated database for one test file. */
export const createTestDatabase = async (): Promise<TestDatabase> => {
  const { url: maintenance, stop } = await borrowServer()
  const name = `test_${randomBytes(6).toString('hex')}`
  await run(maintenance, `create database ${name}`)
  const url = new URL(maintenance)
  url.pathname = `/${name}`
  await migrate(url.href)
  return {
    url: url.href,
    async drop() {
      await run(maintenance, `drop database if exists ${name} with (force)`)
      await stop()
    },
  }
}
