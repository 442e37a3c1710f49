import { connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { openDatabase } from '../../../activities/database/database.ts'
import { databaseOutage } from '../../../activities/database/outages.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'
import { openVanisher } from '../../support/fleet/vanisher.ts'

let server: TestDatabase
beforeAll(async () => {
  server = await createTestDatabase()
})
afterAll(() => server?.drop())

test('a watched statement may take its time as long as the database answers others', async () => {
  const database = openDatabase({ url: server.url, poolSize: 1, detectFreezes: true })
  try {
    const slow = sql<{ done: number }>`select 1 as done from pg_sleep(2.5)`.execute(database.rows)
    expect((await slow).rows).toEqual([{ done: 1 }])
  } finally {
    await database.close()
  }
})

test('a statement waits for a busy pool longer than for a connection: a crowd is no outage', async () => {
  const database = openDatabase({ url: server.url, poolSize: 2 })
  try {
    const held = [1, 2].map(() => sql`select pg_sleep(3)`.execute(database.rows))
    await eventually('both connections are in use', () => database.pool().inUse === 2)
    const { rows } = await sql<{ one: number }>`select 1 as one`.execute(database.rows)
    expect(rows).toEqual([{ one: 1 }])
    await Promise.all(held)
  } finally {
    await database.close()
  }
})

/** Stands between a client and the database, counts those whose first answer is still out, and makes each wait for it. */
const openHallway = async (url: string, waitMs: number) => {
  const target = new URL(url)
  let dialling = 0
  let most = 0
  const sockets: Socket[] = []
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    sockets.push(near, far)
    most = Math.max(most, ++dialling)
    setTimeout(() => {
      dialling -= 1
      near.pipe(far).pipe(near)
    }, waitMs)
    near.on('close', () => far.destroy())
    for (const socket of [near, far]) socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const through = new URL(url)
  const address = server.address()
  through.host = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  return {
    url: through.href,
    most: () => most,
    /** Sockets that are open, of both sides. */
    open: () => sockets.filter((socket) => !socket.destroyed).length,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

test('a crowd at a cold pool makes four connections at a time, each with its own bound, and all are answered', async () => {
  // Five rounds take longer than the bound of one connection.
  const hallway = await openHallway(server.url, 600)
  const database = openDatabase({ url: hallway.url, poolSize: 20, connectMs: 2_500 })
  try {
    const answers = await Promise.all(Array.from({ length: 40 }, () => sql<{ one: number }>`select 1 as one`.execute(database.rows)))
    expect(answers.flatMap(({ rows }) => rows)).toEqual(Array(40).fill({ one: 1 }))
    expect(hallway.most()).toBe(4)
    expect(database.pool()).toMatchObject({ max: 20, inUse: 0, waiting: 0 })
  } finally {
    await database.close()
    hallway.close()
  }
})

test.each<[string, boolean, number[]]>([
  ['the first connection opens', false, [1]],
  ['the first connection and the probe open', true, [1]],
  ['connections open and others wait for their turn', true, Array(8).fill(1)],
])(
  'a pool that is closed while %s answers its statements and keeps no connection',
  async (_moment, detectFreezes, expected) => {
    const hallway = await openHallway(server.url, 300)
    const database = openDatabase({ url: hallway.url, poolSize: 8, connectMs: 2_500, detectFreezes })
    try {
      const answers = expected.map(() => sql<{ one: number }>`select 1 as one`.execute(database.rows).then(({ rows }) => rows[0]?.one))
      await eventually('a connection opens', () => hallway.open() > 0)
      const closed = database.close().then(() => 'closed')
      expect([await closed, await Promise.all(answers)]).toEqual(['closed', expected])
      await eventually('every connection is closed', () => hallway.open() === 0)
    } finally {
      hallway.close()
    }
  },
  15_000,
)

/** Stands between a client and the database, and passes nothing on while it is frozen, as a frozen machine does. */
const openFreezer = async (url: string) => {
  const sockets: Socket[] = []
  const target = new URL(url)
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    sockets.push(near, far)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (bytes) => to.write(bytes))
      from.on('close', () => to.destroy())
      from.on('error', () => to.destroy())
    }
    if (frozen) for (const socket of [near, far]) socket.pause()
  })
  let frozen = false
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const through = new URL(url)
  through.port = String(typeof address === 'object' && address !== null ? address.port : 0)
  through.hostname = '127.0.0.1'
  return {
    url: through.href,
    freeze: () => {
      frozen = true
      for (const socket of sockets) socket.pause()
    },
    thaw: () => {
      frozen = false
      for (const socket of sockets) socket.resume()
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** How long this very process was suspended, in ms: on a shared machine no time-out of the pool is to blame for that. */
const watchOwnPace = () => {
  let [last, stillMs] = [performance.now(), 0]
  const timer = setInterval(() => {
    const now = performance.now()
    stillMs += Math.max(0, now - last - 30)
    last = now
  }, 10)
  return { stillMs: () => stillMs, stop: () => clearInterval(timer) }
}

/** A server that other tests use may stand still for a moment by itself, and is then taken for one that is away: as a caller would, it is asked again. */
const served = async (ask: () => Promise<unknown>): Promise<void> => {
  for (const until = Date.now() + 20_000; ; ) {
    const failure = await ask().then(
      () => null,
      (error: unknown) => error,
    )
    if (failure === null) return
    if (databaseOutage(failure) === null || Date.now() > until) throw failure
  }
}

test('what waits for a frozen database ends within two seconds, whether under way, new or in the queue; then it goes on', async () => {
  const freezer = await openFreezer(server.url)
  const pace = watchOwnPace()
  const database = openDatabase({ url: freezer.url, poolSize: 2, detectFreezes: true })
  const beside = openDatabase({ url: server.url, poolSize: 1 })
  const ask = () => sql<{ one: number }>`select 1 as one`.execute(database.rows)
  const secondsToFail = async (work: () => Promise<unknown>): Promise<[string | undefined, boolean]> => {
    const [began, stillBefore] = [performance.now(), pace.stillMs()]
    const failure = await work().catch((error: unknown) => error)
    // A limit that fires late is set once more for as long as it was late (`activities/common/timeout.ts`).
    const ownMs = performance.now() - began - 2 * (pace.stillMs() - stillBefore)
    return [databaseOutage(failure)?.code, ownMs < 2_000]
  }
  try {
    await served(ask)
    const underWay = secondsToFail(() => sql`select pg_sleep(10)`.execute(database.rows))
    const isUnderWay = async () => {
      const found = await sql`select 1 from pg_stat_activity where query like '%pg_sleep(10)%' and state = 'active'
        and pid <> pg_backend_pid()`.execute(beside.rows)
      return found.rows.length > 0
    }
    await eventually('the statement is under way', isUnderWay)
    freezer.freeze()
    const outage = ['state_store_unavailable', true]
    expect(await Promise.all([underWay, ...Array.from({ length: 5 }, () => secondsToFail(ask))])).toEqual(Array(6).fill(outage))
    expect(await secondsToFail(ask)).toEqual(outage)
    freezer.thaw()
    const answer = await eventually('the database answers again', () => ask().catch(() => null))
    expect(answer?.rows).toEqual([{ one: 1 }])
  } finally {
    pace.stop()
    freezer.close()
    await Promise.all([database.close(), beside.close()])
  }
})

test('connections that fell silent for ever are recreated: the pool serves again within seconds, those that lay idle included', async () => {
  const vanisher = await openVanisher(server.url)
  const database = openDatabase({ url: vanisher.url, poolSize: 3, detectFreezes: true })
  const ask = () => sql<{ one: number }>`select 1 as one from pg_sleep(0.05)`.execute(database.rows)
  const answered = () =>
    ask().then(
      ({ rows }) => rows[0]?.one,
      (error: unknown) => databaseOutage(error)?.code,
    )
  try {
    await served(() => Promise.all([ask(), ask(), ask()]))
    vanisher.vanish()
    expect(await answered()).toBe('state_store_unavailable')
    await eventually('the pool serves again', answered, (answer) => answer === 1)
    expect(await Promise.all([answered(), answered(), answered()])).toEqual([1, 1, 1])
  } finally {
    vanisher.close()
    await database.close()
  }
})
