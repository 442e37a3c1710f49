import { createRequire } from 'node:module'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { type Database, openDatabase } from '../../../activities/database/database.ts'
import { emit } from '../../../activities/events/outbox.ts'
import { EVENTS_CHANNEL, relayEvents } from '../../../activities/events/relay.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'

/** The part of the driver that receives a notification. */
interface Listener {
  connect(): Promise<void>
  query(text: string): Promise<unknown>
  once(event: 'notification', receive: (message: { payload?: string }) => void): void
  end(): Promise<void>
}
const { Client } = createRequire(import.meta.url)('pg') as { Client: new (options: { connectionString: string }) => Listener }

let server: TestDatabase
let database: Database
let other: Database
beforeAll(async () => {
  server = await createTestDatabase()
  database = openDatabase({ url: server.url, poolSize: 30 })
  other = openDatabase({ url: server.url, poolSize: 5 })
})
afterAll(async () => {
  await Promise.all([database.close(), other.close()])
  await server.drop()
})

const write = (name: string, mayCommit: () => Promise<unknown> = async () => undefined): Promise<unknown> =>
  database.transaction(async (rows) => {
    await emit(rows, { topic: 'session.claimed', wallets: [], jobId: name, at: 0, data: {} })
    await mayCommit()
  })

const numbers = async (): Promise<number[]> => {
  const { rows } = await sql<{ seq: string }>`select seq from event where seq is not null order by seq`.execute(database.rows)
  return rows.map(({ seq }) => Number(seq))
}

test('two relays beside many writers that commit out of order give each event one number, without a gap and never below one that was seen', async () => {
  let writing = true
  let rounds = 0
  const relays = [database, other].map(async (one) => {
    while (writing) {
      await relayEvents(one)
      rounds += 1
    }
  })
  /** Holds a transaction open while the relays run some rounds. */
  const awaitRounds = (count: number) => {
    const due = rounds + count
    return eventually(
      `round ${due} of the relays`,
      () => rounds,
      (done) => done >= due,
    )
  }
  const seen: number[] = []
  const reader = (async () => {
    while (writing) {
      const [last = 0] = [seen.at(-1)]
      for (const number of await numbers()) if (number > last) seen.push(number)
    }
  })()
  await Promise.all(Array.from({ length: 120 }, (_, index) => write(`job-${index}`, () => awaitRounds((index * 37) % 60))))
  writing = false
  await Promise.all([...relays, reader])
  while ((await relayEvents(database)) > 0);
  const all = await numbers()
  expect(all).toEqual(Array.from({ length: 120 }, (_, index) => index + 1))
  // A reader that asks for what is above its last number has missed nothing.
  for (const number of all) if (number > (seen.at(-1) ?? 0)) seen.push(number)
  expect(seen).toEqual(all)
})

test('an event that was rolled back takes no number, and the streams are woken with the newest one', async () => {
  const listener = new Client({ connectionString: server.url })
  await listener.connect()
  const notified = new Promise<string | undefined>((resolve) => listener.once('notification', ({ payload }) => resolve(payload)))
  await listener.query(`listen ${EVENTS_CHANNEL}`)
  const before = (await numbers()).length
  await database
    .transaction(async (rows) => {
      await emit(rows, { topic: 'session.closed', wallets: [], jobId: 'gone', at: 0, data: {} })
      throw new Error('rolled back')
    })
    .catch(() => undefined)
  expect(await relayEvents(database)).toBe(0)
  await write('after')
  expect(await relayEvents(other)).toBe(1)
  expect([(await numbers()).at(-1), await notified]).toEqual([before + 1, String(before + 1)])
  await listener.end()
})
