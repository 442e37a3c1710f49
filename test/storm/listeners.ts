// Readers of event streams and receivers of webhooks that must get every event of their wallets while the storm lasts.
import { sql } from 'kysely'
import { emit } from '../../activities/events/outbox.ts'
import { openStream } from '../api/support/event-stream.ts'
import type { Random } from '../crash/random.ts'
import type { Agent } from '../e2e/support/http.ts'
import { PLAYS_ALL } from '../support/cases/sample.ts'
import { eventually } from '../support/eventually.ts'
import type { FleetWorld } from '../support/fleet/world.ts'
import { isSigned, type Receiver } from '../support/webhooks/receiver.ts'
import { sleep } from './sleep.ts'
import type { Traffic } from './traffic.ts'

/** A sample leaves the processors to the callers. */
const WRITE_SECONDS = PLAYS_ALL ? 0.03 : 0.1
const SESSIONS = 4
/** Part of the transactions that are undone, and of the deliveries that fail in one of four ways. */
const UNDONE = 0.1
const FAILING = 0.12

const walletOf = (agent: Agent): string => agent.account.address.toLowerCase()

/** Writes numbered events of wallets until `isOver`; some transactions are undone. Returns the numbers by wallet and session. */
export const writeEvents = async (world: FleetWorld, agents: readonly Agent[], random: Random, isOver: () => boolean) => {
  const written = new Map<string, number[]>()
  for (let number = 0; !isOver(); number += 1) {
    const wallet = walletOf(agents[number % agents.length] as Agent)
    const sessionId = `storm-${Math.floor(random() * SESSIONS)}:${wallet}`
    const isUndone = random() < UNDONE
    const event = { topic: 'session.claimed' as const, wallets: [wallet], sessionId, at: Date.now(), data: { number } }
    await world.database
      .transaction(async (rows) => {
        await emit(rows, event)
        if (isUndone) throw new Error('undone')
      })
      .catch((error: Error) => {
        if (error.message !== 'undone') throw error
      })
    if (!isUndone) written.set(sessionId, [...(written.get(sessionId) ?? []), number])
    await sleep(WRITE_SECONDS)
  }
  return written
}

/** A reader of the events of an agent over connections that are cut after a few events, or by a kill. */
export const createReader = (agent: Agent, traffic: Traffic, random: Random) => {
  const ids: string[] = []
  const readOnce = async (most: number, isOver: () => boolean = () => false): Promise<void> => {
    const listed = traffic.listed()
    const api = listed[Math.floor(random() * listed.length)]
    if (api === undefined) return sleep(0.1)
    try {
      const stream = await openStream(`${api.base}/events`, { token: agent.token(), lastEventId: ids.at(-1) ?? '0' })
      let isEnough = false
      const ended = stream.ended.then(() => {
        isEnough = true
      })
      await Promise.race([stream.until(() => isEnough || isOver() || stream.events().length >= most), ended])
      await stream.cut()
      ids.push(...stream.events().map(({ id }) => String(id)))
    } catch {
      await sleep(0.1)
    }
  }
  return {
    read: async (isOver: () => boolean): Promise<void> => {
      while (!isOver()) await readOnce(1 + Math.floor(random() * 20), isOver)
    },
    /** Reads what is left, and returns how the ids differ from those of the wallet; null when they do not. */
    difference: async ({ database }: FleetWorld): Promise<string | null> => {
      const { rows } = await sql<{ seq: string }>`select seq::text from event where wallets @> ${JSON.stringify([walletOf(agent)])}::jsonb
        order by event.seq`.execute(database.rows)
      while (ids.length < rows.length) await readOnce(rows.length - ids.length)
      const all = rows.map(({ seq }) => seq).join()
      return ids.join() === all ? null : `a reader of ${walletOf(agent)} got ${ids.join()} in place of ${all}`
    },
  }
}

/** Answers a receiver's requests, some of them in a way that fails. */
export const failAtTimes = (receiver: Receiver, random: Random): void =>
  receiver.answerWith((response) => {
    const drawn = random() / FAILING
    if (drawn < 0.25) response.writeHead(500).end()
    else if (drawn < 0.5) response.destroy()
    else if (drawn < 0.75) response.writeHead(302, { location: 'https://10.0.0.1/' }).end()
    // The receiver has the event, and the service does not see the answer to its end.
    else if (drawn < 1) response.writeHead(200, { 'content-length': '9' }).write('half', () => response.destroy())
    else response.end()
  })

export interface Endpoint {
  id: string
  secret: string
  path: string
  agent: Agent
}

export const openEndpoint = async (receiver: Receiver, agent: Agent, place: number): Promise<Endpoint> => {
  const url = `${receiver.url}/${place}`
  const { id, secret } = await agent.post('/webhooks', { url, topics: ['session.claimed'] }, 201)
  return { id, secret, path: new URL(url).pathname, agent }
}

/** Waits until an endpoint got each written event, and returns what is wrong with what it got. */
export const deliveryFaults = async (receiver: Receiver, { id, secret, path, agent }: Endpoint, written: ReadonlyMap<string, number[]>) => {
  const received = () => receiver.received.filter((one) => one.path === path)
  const own = [...written].filter(([sessionId]) => sessionId.endsWith(walletOf(agent)))
  const firstNumbers = (sessionId: string): number[] => [
    ...new Set(received().flatMap(({ event }) => (event.sessionId === sessionId ? [Number(event.data.number)] : []))),
  ]
  const missing = () =>
    own.filter(([sessionId, numbers]) => firstNumbers(sessionId).length < numbers.length).map(([sessionId]) => sessionId)
  await eventually(
    `the events at ${path}`,
    async () => {
      // A resumed endpoint waits for no pause between attempts.
      if (missing().length > 0) await agent.post(`/webhooks/${id}/resume`, {})
      await sleep(0.2)
      return missing()
    },
    (sessions) => sessions.length === 0,
  )
  const bodies = new Set(received().map((one) => `${one.id} ${one.body}`))
  return [
    ...own.flatMap(([sessionId, numbers]) =>
      firstNumbers(sessionId).join() === numbers.join()
        ? []
        : [`${path} got the events of ${sessionId} in the order ${firstNumbers(sessionId)}`],
    ),
    ...(received().every((one) => isSigned(one, secret)) ? [] : [`${path} got an event with a wrong signature`]),
    ...(bodies.size === new Set(received().map((one) => one.id)).size ? [] : [`${path} got two bodies for one id`]),
  ]
}
