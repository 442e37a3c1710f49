// Limits in seconds that callers and operators rely on. Everywhere else a test asserts what ended a wait, not how long it took.
import { createServer, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { createClock } from '../../activities/common/clock.ts'
import { openDatabase } from '../../activities/database/database.ts'
import { databaseOutage } from '../../activities/database/outages.ts'
import { readFrames } from '../../client/src/sse.ts'
import { createWorkerFigures } from '../../workers/observability/metrics.ts'
import { type Api, type ApiOptions, accounts, startApi } from '../support/api.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let server: TestDatabase
let api: Api | undefined
beforeAll(async () => {
  server = await createTestDatabase()
})
afterEach(async () => {
  await api?.close()
  api = undefined
})
afterAll(() => server.drop())

const start = async (options: Partial<ApiOptions> = {}): Promise<Api> => {
  api = await startApi({ databaseUrl: server.url, ...options })
  return api
}

const millisecondsOf = async (work: () => unknown): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

test('the health report answers within three seconds when a dependency never does', async () => {
  const { call } = await start({ probes: { temporal: () => new Promise(() => undefined) } })
  expect(await millisecondsOf(() => call('/health'))).toBeLessThan(3_000)
})

test('a request that needs a database that is down is refused within two seconds', async () => {
  const { call } = await start({ databaseUrl: 'postgres://postgres:x@127.0.0.1:1/x' })
  expect(await millisecondsOf(() => call('/auth/nonce', { body: { wallet: accounts.worker.address } }))).toBeLessThan(2_000)
})

test('a database that takes a connection and says nothing is down after two seconds, for all who wait', async () => {
  const sockets: Socket[] = []
  const silent = createServer((socket) => sockets.push(socket))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const address = silent.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const database = openDatabase({ url: `postgresql://nobody:x@127.0.0.1:${port}/none`, poolSize: 20 })
  const ask = () => sql`select 1`.execute(database.rows).catch((error: unknown) => error)
  let failures: unknown[] = []
  const took = await millisecondsOf(async () => {
    failures = await Promise.all(Array.from({ length: 20 }, ask))
  })
  for (const socket of sockets) socket.destroy()
  silent.close()
  await database.close()
  expect(took).toBeLessThan(2_900)
  expect(failures.map((failure) => databaseOutage(failure)?.code)).toEqual(Array(20).fill('state_store_unavailable'))
})

test('the figures of a worker answer within two and a half seconds when the database hangs', async () => {
  const database = openDatabase({ url: server.url, poolSize: 5 })
  const nothing = { metrics: [], readSamples: () => [], engine: async () => '' }
  const page = createWorkerFigures({ registry: new Registry(), chainId: 1, database, clock: createClock(), ...nothing })
  await database.transaction(async (rows) => {
    await sql`lock table claim_intent in access exclusive mode`.execute(rows)
    expect(await millisecondsOf(page)).toBeLessThan(2_500)
  })
  await database.close()
})

test('the client reads a line of nearly a megabyte that comes in small pieces in less than a second', async () => {
  const pieces = ['data: ', ...Array.from({ length: 99_000 }, () => '0123456789'), '\n\n'].map((text) => new TextEncoder().encode(text))
  const frames = readFrames(ReadableStream.from(pieces) as ReadableStream<Uint8Array>)
  let length: number | undefined
  const took = await millisecondsOf(async () => {
    length = (await frames.next()).value?.data?.length
  })
  expect(length).toBe(990_000)
  expect(took).toBeLessThan(1_000)
})
