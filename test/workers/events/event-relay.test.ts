import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { type Database, openDatabase } from '../../../activities/database/database.ts'
import { emit } from '../../../activities/events/outbox.ts'
import { startEventRelay } from '../../../workers/events/event-relay.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { collectLog } from '../../support/log.ts'
import { untilLocksWait } from '../../support/postgres/waiting-locks.ts'

let server: TestDatabase
let database: Database
beforeAll(async () => {
  server = await createTestDatabase()
  database = openDatabase({ url: server.url, poolSize: 5 })
})
afterAll(async () => {
  await database.close()
  await server.drop()
})
beforeEach(async () => {
  await sql`truncate event`.execute(database.rows)
})

const write = (count: number): Promise<void> =>
  database.transaction(async (rows) => {
    for (let place = 0; place < count; place += 1) await emit(rows, { topic: 'session.claimed', wallets: [], at: 0, data: { place } })
  })
const countNumbered = async (): Promise<number> =>
  Number((await sql<{ count: string }>`select count(seq) as count from event`.execute(database.rows)).rows[0]?.count)

test('the relay numbers the events of now in a round that is requested', async () => {
  const { logger, lines } = collectLog()
  const relay = startEventRelay({ database, logger })
  await relay.first
  await write(3)
  await relay.round()
  expect(await countNumbered()).toBe(3)
  await relay.stop()
  expect(lines).toEqual([])
})

test('the relay ends its running round before the database of its process is closed', async () => {
  await write(1)
  const { logger, lines } = collectLog()
  const own = openDatabase({ url: server.url, poolSize: 2 })
  const locked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const holding = database.transaction(async (rows) => {
    await sql`lock table event in access exclusive mode`.execute(rows)
    locked.resolve()
    await release.promise
  })
  await locked.promise
  const relay = startEventRelay({ database: own, logger })
  await untilLocksWait(database)
  const closing = relay.stop().then(() => own.close())
  release.resolve()
  await Promise.all([holding, closing])
  expect(await countNumbered()).toBe(1)
  expect(lines).toEqual([])
})
