import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { emit } from '../../../activities/events/outbox.ts'
import { openStream } from '../../api/support/event-stream.ts'
import type { Agent } from '../../e2e/support/http.ts'
import { type FleetWorld, openFleet } from '../../support/fleet/world.ts'

const WALLETS = 5
const READERS_PER_WALLET = 4
/** Kills of each reader: a thousand in all. */
const KILLS = 50
const WRITE_MS = 8
const SLOW = 240_000

let world: FleetWorld
beforeAll(async () => {
  const rates = JSON.stringify({ events: { limit: 1_000_000 }, events_poll: { limit: 1_000_000 } })
  world = await openFleet({ apis: 2, workers: 2, env: { RATE_LIMITS: rates, EVENT_STREAMS_PER_WALLET: '100' } })
}, 180_000)
afterAll(() => world?.close(), 60_000)

const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))
const below = (limit: number): number => Math.floor(Math.random() * limit)

/** Ids that a reader was given, over all its connections. */
interface Reader {
  agent: Agent
  ids: string[]
}

/** One connection to one of the APIs, which is cut after a random time; what it gave goes to the reader. */
const readOnce = async ({ agent, ids }: Reader, ms: number): Promise<void> => {
  const { base } = world.apis[below(world.apis.length)] ?? world
  const stream = await openStream(`${base}/events`, { token: agent.token(), lastEventId: ids.at(-1) ?? '0' })
  expect(stream.response.status).toBe(200)
  await sleep(ms)
  await stream.cut()
  ids.push(...stream.events().map(({ id }) => String(id)))
}

/** Until `work` ends, writes events of random wallets in transactions side by side, some of which are undone. */
const writeWhile = async (agents: readonly Agent[], isOver: () => boolean): Promise<void> => {
  const write = async (): Promise<void> => {
    const wallets = [agents[below(agents.length)], agents[below(agents.length)]].map((agent) =>
      String(agent?.account.address).toLowerCase(),
    )
    await world.database
      .transaction(async (rows) => {
        await emit(rows, { topic: 'session.claimed', wallets: [...new Set(wallets)], at: Date.now(), data: {} })
        if (below(10) === 0) await sleep(below(60))
        if (below(10) === 0) throw new Error('undone')
      })
      .catch((error: Error) => {
        if (error.message !== 'undone') throw error
      })
  }
  const running: Promise<void>[] = []
  while (!isOver()) {
    running.push(write())
    await sleep(WRITE_MS)
  }
  await Promise.all(running)
}

/** Until `isOver`, kills one worker after the other, with its relay, and cuts the connections that listen. */
const disturbWhile = async (isOver: () => boolean): Promise<number> => {
  let disturbances = 0
  for (let turn = 0; !isOver(); turn += 1) {
    const worker = world.workers[turn % world.workers.length]
    await worker?.kill()
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen events'`.execute(world.database.rows)
    await worker?.start()
    disturbances += 1
  }
  return disturbances
}

test(
  'a thousand killed readers over two processes and restarted relays get every event once and in order',
  async () => {
    const agents = await Promise.all(Array.from({ length: WALLETS }, (_, index) => world.door(index).agent()))
    const readers: Reader[] = agents.flatMap((agent) => Array.from({ length: READERS_PER_WALLET }, () => ({ agent, ids: [] })))
    let isOver = false
    const written = writeWhile(agents, () => isOver)
    const disturbed = disturbWhile(() => isOver)
    await Promise.all(
      readers.map(async (reader) => {
        for (let kills = 0; kills < KILLS; kills += 1) await readOnce(reader, below(250))
      }),
    )
    isOver = true
    expect(await disturbed).toBeGreaterThan(1)
    await written
    const isNumbered = async () =>
      (await sql<{ left: number }>`select count(*)::integer as left from event where seq is null`.execute(world.database.rows)).rows[0]
        ?.left === 0
    for (const end = Date.now() + 20_000; !(await isNumbered()); await sleep(100))
      if (Date.now() > end) throw new Error('the relay did not number every event')
    for (const reader of readers) {
      const wallet = reader.agent.account.address.toLowerCase()
      const { rows } = await sql<{
        seq: string
      }>`select seq::text from event where wallets @> ${JSON.stringify([wallet])}::jsonb order by event.seq`.execute(world.database.rows)
      const all = rows.map(({ seq }) => seq)
      for (const end = Date.now() + 20_000; reader.ids.length < all.length && Date.now() < end; ) await readOnce(reader, 200)
      expect(reader.ids).toEqual(all)
      expect(all.length).toBeGreaterThan(20)
    }
  },
  SLOW,
)
