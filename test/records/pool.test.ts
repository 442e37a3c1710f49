import { createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { openDatabase } from '../../activities/records/database.ts'
import { databaseOutage } from '../../api/outages.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let server: TestDatabase
beforeAll(async () => {
  server = await createTestDatabase()
})
afterAll(() => server?.drop())

test('a statement waits for a busy pool longer than for a connection: a crowd is no outage', async () => {
  const database = openDatabase({ url: server.url, poolSize: 2 })
  try {
    const held = [1, 2].map(() => sql`select pg_sleep(3)`.execute(database.rows))
    await new Promise((resolve) => setTimeout(resolve, 200))
    const { rows } = await sql<{ one: number }>`select 1 as one`.execute(database.rows)
    expect(rows).toEqual([{ one: 1 }])
    await Promise.all(held)
  } finally {
    await database.close()
  }
})

test('a database that takes a connection and says nothing is down after two seconds', async () => {
  const sockets: Socket[] = []
  const silent = createServer((socket) => sockets.push(socket))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const address = silent.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const database = openDatabase({ url: `postgresql://nobody:x@127.0.0.1:${port}/none`, poolSize: 2 })
  const began = performance.now()
  const failure = await sql`select 1`.execute(database.rows).catch((error: unknown) => error)
  for (const socket of sockets) socket.destroy()
  silent.close()
  await database.close()
  expect(performance.now() - began).toBeLessThan(2_900)
  expect(databaseOutage(failure)?.code).toBe('state_store_unavailable')
})
