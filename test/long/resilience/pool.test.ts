import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals'
import { sql } from 'kysely'
import { type Database, openDatabase } from '../../../activities/database/database.ts'
import { databaseOutage } from '../../../activities/database/outages.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'
import { openProxy } from '../../support/fleet/proxy.ts'
import { openVanisher } from '../../support/fleet/vanisher.ts'

/** A session that holds the lock for which the statements of `waitForLock` wait. */
let holder: Database
let server: TestDatabase
beforeAll(async () => {
  server = await createTestDatabase()
  holder = openDatabase({ url: server.url, poolSize: 1 })
})
afterEach(async () => {
  jest.useRealTimers()
  await sql`select pg_advisory_unlock_all()`.execute(holder.rows)
})
afterAll(async () => {
  await holder?.close()
  await server?.drop()
})

const holdLock = () => sql`select pg_advisory_lock(1)`.execute(holder.rows)
const releaseLock = () => sql`select pg_advisory_unlock(1)`.execute(holder.rows)
const waitForLock = ({ rows }: Database) => sql<{ done: number }>`select 1 as done from pg_advisory_xact_lock_shared(1)`.execute(rows)

/** Makes only the time-outs of the pool and its driver end by \`advanceTimersByTimeAsync\`. */
const fakeTimeouts = (): void => {
  const others = [
    'Date',
    'hrtime',
    'nextTick',
    'performance',
    'queueMicrotask',
    'setImmediate',
    'clearImmediate',
    'setInterval',
    'clearInterval',
  ]
  jest.useFakeTimers({ doNotFake: others as never })
}

test('a watched statement may take its time as long as the database answers its probes', async () => {
  const database = openDatabase({ url: server.url, poolSize: 1, detectFreezes: true })
  const answeredAt = new Set<string>()
  const countProbes = async (): Promise<number> => {
    const { rows } = await sql<{ at: string }>`select query_start::text as at from pg_stat_activity
      where datname = current_database() and query = 'select 1' and state = 'idle'`.execute(holder.rows)
    for (const { at } of rows) answeredAt.add(at)
    return answeredAt.size
  }
  try {
    await holdLock()
    const slow = waitForLock(database)
    // Within the time of ten probes a statement of a frozen database has ended.
    await Promise.race([slow, eventually('ten probes are answered', countProbes, (count) => count >= 10)])
    await releaseLock()
    expect((await slow).rows).toEqual([{ done: 1 }])
  } finally {
    await database.close()
  }
})

test('a statement waits for a busy pool longer than for a connection: high load is no outage', async () => {
  const database = openDatabase({ url: server.url, poolSize: 2, connectMs: 2_000 })
  try {
    await holdLock()
    const held = [1, 2].map(() => waitForLock(database))
    await eventually('both connections are in use', () => database.pool().inUse === 2)
    fakeTimeouts()
    const answer = sql<{ one: number }>`select 1 as one`.execute(database.rows)
    await eventually('the statement waits for a connection', () => database.pool().waiting === 1)
    await Promise.race([answer, jest.advanceTimersByTimeAsync(4_000)])
    await releaseLock()
    expect((await answer).rows).toEqual([{ one: 1 }])
    await Promise.all(held)
  } finally {
    await database.close()
  }
})

/** A proxy in front of the database. It carries nothing of a connection until the test releases it. */
const openHoldingProxy = async (url: string) => {
  let held: (() => void)[] = []
  let most = 0
  let isHolding = true
  const { sockets, ...proxy } = await openProxy(url, (near, far) => {
    const carry = () => void near.pipe(far).pipe(near)
    near.on('close', () => far.destroy())
    if (!isHolding) return carry()
    most = Math.max(most, held.push(carry))
  })
  const release = (): void => {
    for (const carry of held) carry()
    held = []
  }
  return {
    ...proxy,
    /** Connections that are held now, and the most at one time. */
    counts: () => ({ held: held.length, most }),
    /** Carries the connections that are held now. */
    release,
    /** Carries these and every later one. */
    releaseAll: () => {
      isHolding = false
      release()
    },
    /** Sockets that are open, of both sides. */
    open: () => sockets().filter((socket) => !socket.destroyed).length,
  }
}

test('a new pool opens four connections at a time, each with its own time limit, and answers all of forty callers', async () => {
  const proxy = await openHoldingProxy(server.url)
  const database = openDatabase({ url: proxy.url, poolSize: 20, connectMs: 2_500 })
  fakeTimeouts()
  try {
    const answers = Promise.all(Array.from({ length: 40 }, () => sql<{ one: number }>`select 1 as one`.execute(database.rows)))
    await eventually('every connection of the pool is asked for', () => database.pool().inUse === 20)
    for (let opened = 0; opened < 20; opened += 4) {
      await Promise.race([answers, eventually('four connections are held', () => proxy.counts().held >= 4)])
      // Twenty connections take longer than the time limit of one.
      await jest.advanceTimersByTimeAsync(600)
      proxy.release()
    }
    expect((await answers).flatMap(({ rows }) => rows)).toEqual(Array(40).fill({ one: 1 }))
    expect(proxy.counts()).toEqual({ held: 0, most: 4 })
    expect(database.pool()).toMatchObject({ max: 20, inUse: 0, waiting: 0 })
  } finally {
    await database.close()
    proxy.close()
  }
})

test.each<[string, boolean, number[]]>([
  ['the first connection opens', false, [1]],
  ['the first connection and the probe open', true, [1]],
  ['connections open and others wait for their turn', true, Array(8).fill(1)],
])(
  'a pool that is closed while %s answers its statements and keeps no connection',
  async (_moment, detectFreezes, expected) => {
    const proxy = await openHoldingProxy(server.url)
    const database = openDatabase({ url: proxy.url, poolSize: 8, connectMs: 2_500, detectFreezes })
    try {
      const answers = expected.map(() => sql<{ one: number }>`select 1 as one`.execute(database.rows).then(({ rows }) => rows[0]?.one))
      await eventually('a connection opens', () => proxy.counts().held > 0 && database.pool().inUse === expected.length)
      const closed = database.close().then(() => 'closed')
      proxy.releaseAll()
      expect([await closed, await Promise.all(answers)]).toEqual(['closed', expected])
      await eventually('every connection is closed', () => proxy.open() === 0)
    } finally {
      proxy.close()
    }
  },
  30_000,
)

test('a pool whose connections carry nothing any more, the idle ones included, opens new ones and serves again', async () => {
  const vanisher = await openVanisher(server.url)
  const database = openDatabase({ url: vanisher.url, poolSize: 3, detectFreezes: true })
  const answer = () =>
    sql<{ one: number }>`select 1 as one`.execute(database.rows).then(
      ({ rows }) => rows[0]?.one,
      (error: unknown) => databaseOutage(error)?.code,
    )
  const answerThree = () => Promise.all([answer(), answer(), answer()])
  try {
    await eventually('three connections are idle', async () => {
      await answerThree()
      return database.pool().idle === 3
    })
    vanisher.vanish()
    expect(await answer()).toBe('state_store_unavailable')
    await eventually('the pool serves again', answer, (one) => one === 1)
    expect(await answerThree()).toEqual([1, 1, 1])
  } finally {
    vanisher.close()
    await database.close()
  }
})
