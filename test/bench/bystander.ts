import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { storeReading } from '../../activities/catalogue/reward-bank.ts'
import { type Database, openDatabase } from '../../activities/database/database.ts'
import { fillCatalogue } from './catalogue/bulk.ts'
import { median } from './figures.ts'
import { addHistory } from './history.ts'
import { BANK } from './jobs-list.ts'
import { fetchBytes, responseMs } from './load/http.ts'
import { openPlace } from './place.ts'

/** What a caller meets while others load the service. */
export interface BystanderFigures {
  /** Median time of `GET /badges/:sessionId` while 40 connections list jobs and 2,000 long polls are open. Target: 20 ms at most. */
  bystanderMs: number
  /** The same without that load. */
  aloneMs: number
  longestMs: number
  /** Answers that the load got, by path and status. */
  answered: Record<string, number>
}

const JOBS = 1_000
const LISTS = 40
const POLLS = 2_000
const READS = 300
const PAUSE_MS = 20
const WARM_MS = 5_000
const BADGE = 'bystander:0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const RECEIPT = `0x${'b'.repeat(64)}`

/** One badge, of a copy of a session that was paid. */
const addBadge = async ({ rows }: Database): Promise<void> => {
  await sql`
    with copied as (
      insert into session
      select (jsonb_populate_record(paid, ${JSON.stringify({ session_id: BADGE, run_id: 'bystander', attempt: 999, work_receipt_id: RECEIPT })}::jsonb)).*
      from session paid where status = 'resolved' limit 1 returning job_id, wallet)
    insert into work_receipt (receipt_id, session_id, job_id, worker, outcome, kid, verified_at, document)
    select ${RECEIPT}, ${BADGE}, job_id, wallet, 'approved', 'badge-1', now(), '{}' from copied`.execute(rows)
  await sql`
    insert into badge select session_id, job_id, wallet, 'docs', 1, session_id, chain_job_id, now(), ${JSON.stringify({ name: 'Badge', text: 'x'.repeat(1_000) })}::jsonb
    from session where session_id = ${BADGE}`.execute(rows)
}

const startLoad = (base: string): ChildProcess => {
  // The newest session of every sixth job waits for its verdict.
  const args = [base, LISTS, POLLS, 1, JOBS / 30].map((value) => String(Math.floor(Number(value)) || value))
  return fork(fileURLToPath(new URL('./load/anonymous.ts', import.meta.url)), args)
}

const stopLoad = async (load: ChildProcess): Promise<Record<string, number>> => {
  load.send('report')
  const [answered] = await once(load, 'message')
  load.kill()
  await once(load, 'exit')
  return answered
}

const readBadge = async (base: string): Promise<number[]> => {
  const times: number[] = []
  for (let read = 0; read < READS; read += 1) {
    times.push(await responseMs(`${base}/badges/${encodeURIComponent(BADGE)}`))
    await sleep(PAUSE_MS)
  }
  return times
}

/** Measures a caller beside a load of anonymous ones, on its own database, chain and API process; half a minute. */
export const benchBystander = async (): Promise<BystanderFigures> => {
  const place = await openPlace()
  try {
    const url = await place.createDatabase('bystander')
    const database = openDatabase({ url, poolSize: 2 })
    await fillCatalogue(url, { jobs: JOBS, now: Date.now() })
    await addHistory(url, { sessions: JOBS / 5, wallets: 10, openIntents: 0, now: Date.now() })
    await addBadge(database)
    await storeReading(database.rows, { ...BANK, blockNumber: 1n })
    await database.close()
    const base = await place.startApi(url)
    await fetchBytes(`${base}/badges/${encodeURIComponent(BADGE)}`)
    const alone = await readBadge(base)
    const load = startLoad(base)
    await sleep(WARM_MS)
    const beside = await readBadge(base)
    const answered = await stopLoad(load)
    return { bystanderMs: median(beside), aloneMs: median(alone), longestMs: Math.max(...beside), answered }
  } finally {
    await place.stop()
  }
}

if (import.meta.main) console.log(await benchBystander())
