// Runs over one source in a process of their own, as a worker takes them: prints what they did, and how much memory they took.
// Standard input: a `LoadPlan` as JSON.

import { text } from 'node:stream/consumers'
import { createSaltDerivation } from '../../../../activities/catalogue/expected-outputs.ts'
import { limitHeapGrowth } from '../../../../activities/common/heap.ts'
import { type Database, openDatabase } from '../../../../activities/database/database.ts'
import { createSourceRequests } from '../../../../activities/ingestion/http/requests.ts'
import { PROVIDER_PARTS } from '../../../../activities/ingestion/providers.ts'
import { createIngestSteps } from '../../../../activities/ingestion/steps.ts'
import { createFetches } from '../../../../activities/outbound/clients.ts'
import { HANDLER_MODES } from '../../../../activities/verification/registry.ts'
import { DAY_MS } from '../../../../domain/common/instants.ts'
import type { IngestProgress } from '../../../../schemas/ingestion/process.ts'
import type { Provider } from '../../../../schemas/ingestion/providers.ts'
import { readSettings } from '../../../../schemas/settings.ts'
import { testChain } from '../../../support/api.ts'

export interface LoadPlan {
  env: Record<string, string>
  provider: Provider
  /** Inputs of the runs, one after the other; each is repeated until the source has no further page. */
  inputs: Record<string, unknown>[]
  /** Jobs of the runs together. */
  limit: number
  /** Most runs; null for as many as it takes to read the whole source. */
  mostRuns: number | null
  /** Begin of the ids of the runs. */
  runId: string
  /**
   * Ends the process as a crash does at this page of all runs together: before the transaction that stores its second job, or after. A page without
   * one is cut at its end. Null to run to the end.
   */
  cut: { page: number; when: 'before' | 'after' } | null
}

/** Moments of which a report gives the memory: before the first run, after its first page, where the resident part was largest, after the last run. */
type Moment = 'idle' | 'firstPage' | 'peak' | 'end'

export interface LoadReport {
  /** Memory of the process by its kinds, bytes. */
  memory: Record<Moment, NodeJS.MemoryUsage>
  runs: { requestsUsed: number; candidates: number; taken: number; pages: number; stopped: string | null }[]
}

/** A run ends with its budget long before; more of them mean that it does not go on. */
const MOST_RUNS = 2_000
/** Time between two looks at the memory. */
const SAMPLE_MS = 10

limitHeapGrowth()
const plan = JSON.parse(await text(process.stdin)) as LoadPlan
const settings = { ...readSettings(plan.env), INGEST_OPEN_CAP: 1_000_000 }
const opened = openDatabase({ url: settings.DATABASE_URL, poolSize: 4 })

let page = -1
/** Pages of the runs before the current one. */
let pagesBefore = 0
/** Transactions of the current page. */
let transactions = 0
/** The second transaction of a page lists its second job: the first one stays, and the page is read again. */
const CUT_AT = 2

const database: Database = {
  ...opened,
  transaction: (work) => {
    transactions += 1
    const isCut = plan.cut?.page === page && transactions === CUT_AT
    if (!isCut) return opened.transaction(work)
    if (plan.cut?.when === 'after') return opened.transaction(work).finally(() => process.kill(process.pid, 'SIGKILL'))
    return opened.transaction(async (rows) => {
      const result = await work(rows)
      process.kill(process.pid, 'SIGKILL')
      return result
    })
  },
}

const steps = createIngestSteps({
  database,
  clock: { now: Date.now },
  settings,
  chain: testChain,
  terms: {
    assetDecimals: new Map([['USDC', 6]]),
    handlerModes: HANDLER_MODES,
    deniedRepos: [],
    posterAddress: `0x${'a'.repeat(40)}`,
    deriveSalt: createSaltDerivation('a-secret-of-the-load-test-only-32'),
  },
  providers: PROVIDER_PARTS,
  openRequests: createSourceRequests({
    settings,
    fetches: createFetches(settings),
    database,
    clock: { now: Date.now },
    contact: 'ops@work.example',
    seed: 'load',
    now: Date.now,
  }),
})

/** Memory after the first page of all runs. */
let firstPage: NodeJS.MemoryUsage | undefined

/** Jobs of the pages so far leave their lanes, which otherwise count every one of them before each further job. */
const letTimePass = () =>
  opened.rows
    .updateTable('job')
    .set({ lifecycleStatus: 'archived', createdAt: Date.now() - 2 * DAY_MS })
    .where('lifecycleStatus', '=', 'open')
    .execute()

const run = async (runId: string, input: Record<string, unknown>, limit: number): Promise<LoadReport['runs'][number]> => {
  const { provider } = plan
  const given = { v: 1 as const, provider, input, dryRun: false, limit, minScore: 0, origin: 'request' as const, requestedBy: null }
  let progress: IngestProgress = await steps.beginIngestion({ runId, workflowId: `ingest/${provider}/${runId}`, run: given })
  while (!progress.isOver) {
    const { pages: before } = progress
    page = pagesBefore + before
    transactions = 0
    progress = await steps.ingestPage({ runId, page: before })
    if (plan.cut?.page === page && progress.pages > before) process.kill(process.pid, 'SIGKILL')
    await letTimePass()
    firstPage ??= process.memoryUsage()
    if (progress.isBusy) throw new Error('another run reads the source')
  }
  const end = await steps.endIngestion({ runId, stopped: null })
  if (end.status !== 'done') throw new Error(end.details)
  const { requestsUsed, candidates, taken, pages, stopped } = progress
  pagesBefore += pages
  return { requestsUsed, candidates, taken, pages, stopped: stopped?.reason ?? null }
}

const play = async (): Promise<LoadReport> => {
  const { inputs, limit, runId, mostRuns } = plan
  // What a worker does before it reads any source: it has its connection, and its memory is swept.
  await opened.rows.selectFrom('ingest_run').select('runId').limit(1).execute()
  globalThis.gc?.()
  const idle = process.memoryUsage()
  let peak = idle
  const sampler = setInterval(() => {
    if (process.memoryUsage.rss() > peak.rss) peak = process.memoryUsage()
  }, SAMPLE_MS)
  const runs: LoadReport['runs'] = []
  let taken = 0
  const isEnough = (): boolean => taken >= limit || runs.length === mostRuns
  for (const input of inputs) {
    for (let last: string | null = 'budget_exhausted'; last === 'budget_exhausted' && !isEnough(); ) {
      const done = await run(`${runId}-${runs.length}`, input, limit - taken)
      runs.push(done)
      taken += done.taken
      last = done.stopped
      if (runs.length > MOST_RUNS) throw new Error('the runs come to no end')
    }
    if (isEnough()) break
  }
  clearInterval(sampler)
  return { memory: { idle, firstPage: firstPage ?? idle, peak, end: process.memoryUsage() }, runs }
}

try {
  console.log(JSON.stringify(await play()))
} finally {
  await opened.close()
}
