import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { type Database, openDatabase, type Rows } from '../../../activities/database/database.ts'
import { databaseOutage } from '../../../activities/database/outages.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'

let server: TestDatabase
/** Ends connections of the pool under test. */
let killer: Database
beforeAll(async () => {
  server = await createTestDatabase()
  killer = openDatabase({ url: server.url, poolSize: 1 })
})
afterAll(async () => {
  await killer?.close()
  await server?.drop()
})

const readPid = async (rows: Rows): Promise<number> =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(rows)).rows[0]?.pid ?? 0
const kill = (pid: number) => sql`select pg_terminate_backend(${pid}::integer, 5000)`.execute(killer.rows)
const killOwn = (rows: Rows) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(rows)

/** Uses of a pool whose connection is lost. */
const LOSSES: Record<string, (database: Database) => Promise<unknown>> = {
  'a statement': ({ rows }) => killOwn(rows),
  'a statement of a transaction': ({ transaction }) => transaction(killOwn),
  'a transaction between two statements': ({ transaction }) =>
    transaction(async (rows) => {
      await kill(await readPid(rows))
      await readPid(rows)
    }),
  'a transaction before its commit': ({ transaction }) => transaction(async (rows) => void (await kill(await readPid(rows)))),
}

test.each(Object.keys(LOSSES))('%s that loses its connection fails as an outage, and its place in the pool is free again', async (name) => {
  const database = openDatabase({ url: server.url, poolSize: 2 })
  try {
    for (let time = 1; time <= 3; time += 1) {
      const error = await LOSSES[name]?.(database).then(
        () => null,
        (thrown: unknown) => thrown,
      )
      expect(databaseOutage(error)?.code).toBe('state_store_unavailable')
    }
    await eventually('no place of the pool is taken', () => database.pool().inUse === 0)
    await eventually('the pool serves again', () => database.transaction(readPid).catch(() => 0))
  } finally {
    await database.close()
  }
})
