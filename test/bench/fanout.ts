import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, openDatabase } from '../../activities/database/database.ts'
import { emit } from '../../activities/events/outbox.ts'
import { EVENTS_CHANNEL } from '../../activities/events/relay.ts'
import { startEventRelay } from '../../workers/events/event-relay.ts'
import { createHttp } from '../e2e/support/http.ts'
import { median } from './figures.ts'
import { openPlace } from './place.ts'

/** How long an event takes to all open streams. */
export interface FanoutFigures {
  /** Median time from the commit of an event to its arrival at one of 500 streams. Target: 250 ms at most. */
  sseFanoutMs: number
  /** The same by the time of a bare server that writes the same bytes at the same notification. Target: 2 at most. */
  sseFanoutRatio: number
  bareMs: number
  longestMs: number
}

const STREAMS = 500
const EVENTS = 20
const ROUNDS = 3
/** Between two events; more than the relay's period and the time of a delivery. */
const PAUSE_MS = 400

/** Opens streams and notes when each of them got its next bytes with an event. */
const openReaders = async (url: string, headers: Record<string, string>) => {
  const agent = new Agent({ keepAlive: false })
  const arrivals: number[] = []
  const open = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const request = get(url, { agent, headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`))
        response.setEncoding('utf8').on('data', (text: string) => {
          if (text.includes('event: ')) arrivals.push(performance.now())
        })
        response.on('error', () => undefined)
        resolve()
      })
      request.on('error', reject)
    })
  for (let opened = 0; opened < STREAMS; opened += 50) await Promise.all(Array.from({ length: 50 }, open))
  return { arrivals, close: () => agent.destroy() }
}

/** Times from the commit of events to their arrival at each stream. */
const deliveries = async (database: Database, wallet: string, url: string, headers: Record<string, string> = {}): Promise<number[]> => {
  const { arrivals, close } = await openReaders(url, headers)
  await sleep(1_000)
  const times: number[] = []
  for (let event = 0; event < EVENTS; event += 1) {
    arrivals.length = 0
    await database.transaction((rows) =>
      emit(rows, { topic: 'session.claimed', wallets: [wallet], at: Date.now(), data: { text: 'x'.repeat(300) } }),
    )
    const committed = performance.now()
    await sleep(PAUSE_MS + Math.random() * 100)
    if (arrivals.length !== STREAMS) throw new Error(`${url}: ${arrivals.length} of ${STREAMS} streams got the event`)
    times.push(...arrivals.map((at) => at - committed))
  }
  close()
  await sleep(500)
  return times
}

/** The bytes of one event as the service sends them. */
const frameOf = async (database: Database, wallet: string, base: string, authorization: string): Promise<Buffer> => {
  await database.transaction((rows) =>
    emit(rows, { topic: 'session.claimed', wallets: [wallet], at: Date.now(), data: { text: 'x'.repeat(300) } }),
  )
  await sleep(PAUSE_MS)
  const gone = new AbortController()
  const response = await fetch(`${base}/events?limit=1`, { headers: { authorization }, signal: gone.signal })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!text.includes('data: ')) text += (await reader?.read())?.value ?? ''
  gone.abort()
  return Buffer.from(text.slice(text.indexOf('id: ')))
}

/** Measures the fan-out of events on its own database, chain and processes; a minute. */
export const benchFanout = async (): Promise<FanoutFigures> => {
  const place = await openPlace()
  try {
    const url = await place.createDatabase('fanout')
    const database = openDatabase({ url, poolSize: 3 })
    const relay = startEventRelay({ database, logger: console })
    const env = { EVENT_STREAMS_PER_WALLET: String(2 * STREAMS), RATE_LIMITS: JSON.stringify({ events: { limit: 1_000_000 } }) }
    const base = await place.startApi(url, env)
    const agent = await createHttp(base, { check: () => [] }).agent()
    const wallet = agent.account.address.toLowerCase()
    const authorization = `Bearer ${agent.token()}`
    const frame = await frameOf(database, wallet, base, authorization)
    const bare = await place.startBareStreams(frame, url, EVENTS_CHANNEL)
    const [ours, theirs]: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round += 1) {
      ours.push(...(await deliveries(database, wallet, `${base}/events?limit=1&topics=session.claimed`, { authorization })))
      theirs.push(...(await deliveries(database, wallet, `${bare}/events`)))
    }
    relay.stop()
    await database.close()
    const [sseFanoutMs, bareMs] = [median(ours), median(theirs)]
    return { sseFanoutMs, sseFanoutRatio: sseFanoutMs / bareMs, bareMs, longestMs: Math.max(...ours) }
  } finally {
    await place.stop()
  }
}

if (import.meta.main) console.log(await benchFanout())
