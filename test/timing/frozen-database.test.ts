// How long a statement waits for a database that accepts connections and answers nothing.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { openDatabase } from '../../activities/database/database.ts'
import { databaseOutage } from '../../activities/database/outages.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { openProxy } from '../support/fleet/proxy.ts'

let server: TestDatabase
beforeAll(async () => {
  server = await createTestDatabase()
})
afterAll(() => server?.drop())

/** A proxy in front of the database. While it is frozen it carries nothing. */
const openFreezingProxy = async (url: string) => {
  let isFrozen = false
  const { sockets, ...proxy } = await openProxy(url, (near, far) => {
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (bytes) => to.write(bytes))
      from.on('close', () => to.destroy())
    }
    if (isFrozen) for (const socket of [near, far]) socket.pause()
  })
  return {
    ...proxy,
    freeze: () => {
      isFrozen = true
      for (const socket of sockets()) socket.pause()
    },
    resume: () => {
      isFrozen = false
      for (const socket of sockets()) socket.resume()
    },
  }
}

/** Measures how long this process was paused, in ms: no time limit of the pool is to blame for that. */
const watchPauses = () => {
  let [last, pausedMs] = [performance.now(), 0]
  const timer = setInterval(() => {
    const now = performance.now()
    pausedMs += Math.max(0, now - last - 30)
    last = now
  }, 10)
  return { pausedMs: () => pausedMs, stop: () => clearInterval(timer) }
}

test('a statement that is under way, new or queued at a frozen database fails within two seconds, and the pool serves again afterwards', async () => {
  const proxy = await openFreezingProxy(server.url)
  const pauses = watchPauses()
  const database = openDatabase({ url: proxy.url, poolSize: 2, detectFreezes: true })
  const holder = openDatabase({ url: server.url, poolSize: 1 })
  const ask = () => sql<{ one: number }>`select 1 as one`.execute(database.rows)
  const failureOf = async (work: () => Promise<unknown>): Promise<[string | undefined, boolean]> => {
    const [began, pausedBefore] = [performance.now(), pauses.pausedMs()]
    const failure = await work().catch((error: unknown) => error)
    // A limit that fires late is set once more for as long as it was late (`activities/common/timeout.ts`).
    const tookMs = performance.now() - began - 2 * (pauses.pausedMs() - pausedBefore)
    return [databaseOutage(failure)?.code, tookMs < 2_000]
  }
  try {
    await ask()
    await sql`select pg_advisory_lock(1)`.execute(holder.rows)
    const underWay = failureOf(() => sql`select pg_advisory_xact_lock_shared(1)`.execute(database.rows))
    const countWaiting = async () =>
      (await sql`select 1 from pg_locks where locktype = 'advisory' and not granted`.execute(holder.rows)).rows.length
    await eventually('the statement is under way', countWaiting, (count) => count === 1)
    proxy.freeze()
    const outage = ['state_store_unavailable', true]
    expect(await Promise.all([underWay, ...Array.from({ length: 5 }, () => failureOf(ask))])).toEqual(Array(6).fill(outage))
    expect(await failureOf(ask)).toEqual(outage)
    proxy.resume()
    const answer = await eventually('the database answers again', () => ask().catch(() => null))
    expect(answer?.rows).toEqual([{ one: 1 }])
  } finally {
    pauses.stop()
    proxy.close()
    await Promise.all([database.close(), holder.close()])
  }
})
