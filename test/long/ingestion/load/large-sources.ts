// `npm run ingest:load` reads all of every source; the gate some jobs of each. Memory counts from an idle process, which has its code and a
// connection, but has read no source: what the first page adds once (compiled rules, connections) counts too.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { nodeSettings } from '../../../../local/services.ts'
import packageFile from '../../../../package.json' with { type: 'json' }
import { PROVIDERS, type Provider } from '../../../../schemas/ingestion/providers.ts'
import { MAINTENANCE_CATEGORIES } from '../../../../schemas/ingestion/wikipedia.ts'
import { useOwnDatabase } from '../../../activities/support/own-database.ts'
import { oneIn, PLAYS_ALL } from '../../../support/cases/sample.ts'
import type { LoadPlan, LoadReport } from './run.ts'
import { startServed } from './served.ts'

/** Requests of a run, by its setting; an article takes a fraction of one. */
const budgetOf = (provider: Provider): number => (provider === 'wikipedia' ? 20 : 200)
/** Items that each source has. */
const WHOLE = 10_000
/** Jobs of all runs together; a source of the local stack has fewer than the whole. */
const JOBS = PLAYS_ALL ? 2 * WHOLE : 40
/** Items that the runs see, and jobs that they list, at least. */
const [LEAST_ITEMS, LEAST_JOBS] = PLAYS_ALL ? [WHOLE, 3_000] : [JOBS, JOBS]
/** Time limit of a test: ten thousand jobs take some minutes. */
const TEST_MS = PLAYS_ALL ? 3_600_000 : 300_000
/** Resident memory that runs may take above an idle process, MiB. */
const MEMORY_MIB = 60
const MIB = 1024 * 1024
/** Runs that are cut at each of their pages, and requests of each: enough to read every page twice. */
const CUT_RUNS = PLAYS_ALL ? 2 : 1
const cutBudgetOf = (provider: Provider): number => Math.ceil(budgetOf(provider) * (PLAYS_ALL ? 2 : 0.4))
/** Pages of those runs at least. */
const LEAST_PAGES = 3
/** Sources that a gate plays: every second one, and the cuts of one. */
const PLAYED = oneIn(2, PROVIDERS)
const CUT = oneIn(6, PROVIDERS)
/** Sources about code. A file of its own tests them, so that two processes share the time of the whole. */
export const CODE_SOURCES: readonly Provider[] = ['github', 'osv']
const LANES = ['oss-anchored', 'benchmark-showcase']

const packages = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const number = from + index
    return { ecosystem: 'npm', name: `seed-lib-${Math.floor(number / 3)}`, version: `1.${number % 3}.0` }
  })

/** Inputs that together reach everything that the source of the local stack has. */
const INPUTS: Record<Provider, Record<string, unknown>[]> = {
  github: [{ query: 'language:typescript' }],
  wikipedia: [{ language: 'en', categories: [...MAINTENANCE_CATEGORIES] }],
  osv: Array.from({ length: 20 }, (_, batch) => ({ packages: packages(batch * 500, 500), manifests: [], maxPackageTargets: 500 })),
  'open-data': [{ query: 'published' }],
  openapi: [{}],
  standards: [{}],
}

/** How Node runs a worker: its flags, and the settings of the local stack and of the image. */
const WORKER_FLAGS = packageFile.scripts.worker.split(' ').filter((word) => word.startsWith('--'))
const { MALLOC_ARENA_MAX } = nodeSettings({ cache: '' })

/** Plays a plan in a process of its own; null if it was killed. */
const play = async (plan: LoadPlan): Promise<LoadReport | null> => {
  const args = ['--expose-gc', ...WORKER_FLAGS, 'test/long/ingestion/load/run.ts']
  const child = spawn(process.execPath, args, { stdio: 'pipe', env: { PATH: process.env.PATH, MALLOC_ARENA_MAX } })
  child.stdin.end(JSON.stringify(plan))
  const out: Buffer[] = []
  const errors: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk))
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  if (signal === 'SIGKILL') return null
  if (code !== 0) throw new Error(Buffer.concat(errors).toString('utf8').slice(-2_000))
  return JSON.parse(Buffer.concat(out).toString('utf8')) as LoadReport
}

const sumOf = (report: LoadReport, member: 'taken' | 'requestsUsed' | 'pages'): number =>
  report.runs.reduce((sum, run) => sum + run[member], 0)
/** Memory by moment, one line of each kind in whole MiB. */
const inMiB = (memory: LoadReport['memory']): string[] =>
  Object.entries(memory).map(([moment, kinds]) => {
    const parts = Object.entries(kinds).map(([kind, bytes]) => `${kind} ${Math.round(bytes / MIB)}`)
    return `${moment}: ${parts.join(', ')}`
  })
const distinct = (values: readonly unknown[]): number => new Set(values).size

/** Declares the tests of runs over these sources as they are when they have ten thousand items. */
export const testLargeSources = (providers: readonly Provider[]): void => {
  const place = useOwnDatabase()
  let served: Awaited<ReturnType<typeof startServed>>
  beforeAll(async () => {
    served = await startServed()
    // A request of an operator lists 50 jobs at most; the test is about all that a source has.
    await sql`alter table ingest_run drop constraint ingest_run_item_limit_check`.execute(place.rows())
  })
  afterAll(() => served?.stop())
  beforeEach(async () => {
    await sql`truncate ingest_run, ingest_result, ingest_item, ingest_cursor, ingest_source, job_answer, job cascade`.execute(place.rows())
    served.take()
  })

  const planOf = (provider: Provider, budget: number, change: Partial<LoadPlan> = {}): LoadPlan => ({
    env: {
      DATABASE_URL: place.url(),
      CHAIN_FILE: 'none',
      ...served.settings,
      INGEST_REQUEST_BUDGET: String(budget),
      CATALOGUE_LANES: JSON.stringify(
        Object.fromEntries(LANES.map((lane) => [lane, { dailyRaw: '1000000000000000', backlog: 1_000_000 }])),
      ),
    },
    provider,
    inputs: INPUTS[provider],
    limit: JOBS,
    mostRuns: null,
    runId: 'load',
    cut: null,
    ...change,
  })

  /** Jobs of a source; the candidates and results that are of one, and how many of each are different. */
  const countJobs = async (provider: Provider) => {
    const rows = place.rows()
    const jobs = await rows.selectFrom('job').select('id').where('ingestedFrom', '=', provider).execute()
    const items = await rows.selectFrom('ingest_item').select(['itemKey', 'jobId', 'outcome']).where('provider', '=', provider).execute()
    const results = await rows.selectFrom('ingest_result').select(['itemKey', 'jobId']).where('outcome', '=', 'created').execute()
    const created = items.filter(({ outcome }) => outcome === 'created')
    return {
      jobs: jobs.length,
      items: items.length,
      of: [
        distinct(jobs.map(({ id }) => id)),
        created.length,
        distinct(created.map(({ itemKey }) => itemKey)),
        distinct(created.map(({ jobId }) => jobId)),
        results.length,
        distinct(results.map(({ itemKey }) => itemKey)),
        distinct(results.map(({ jobId }) => jobId)),
      ],
    }
  }

  describe('runs over a large source', () => {
    test.each(providers.filter((provider) => PLAYED.includes(provider)))(
      'of %s list each candidate once, within their budgets and in little memory',
      async (provider) => {
        const budget = budgetOf(provider)
        const report = await play(planOf(provider, budget))
        if (report === null) throw new Error('the runs were killed')
        const { requests, items: given } = served.take()
        const { jobs, items, of } = await countJobs(provider)
        const { runs, memory } = report
        const most = Math.max(...runs.map(({ requestsUsed }) => requestsUsed))
        if (PLAYS_ALL)
          console.log(provider, {
            given,
            items,
            jobs,
            runs: runs.length,
            pages: sumOf(report, 'pages'),
            requests,
            most,
            budget,
            memory: inMiB(memory),
          })
        expect([sumOf(report, 'taken'), ...of]).toEqual(Array(of.length + 1).fill(jobs))
        expect(given).toBeGreaterThanOrEqual(LEAST_ITEMS)
        expect(jobs).toBeGreaterThanOrEqual(LEAST_JOBS)
        expect(sumOf(report, 'requestsUsed')).toBe(requests)
        expect(most).toBeLessThanOrEqual(budget)
        expect((memory.peak.rss - memory.idle.rss) / MIB).toBeLessThan(MEMORY_MIB)
      },
      TEST_MS,
    )
  })

  describe('a run that is cut at each of its pages', () => {
    for (const provider of providers.filter((one) => CUT.includes(one)))
      test(
        `of ${provider} goes on without a second job`,
        async () => {
          const budget = cutBudgetOf(provider)
          const plan = planOf(provider, budget, {
            inputs: INPUTS[provider].slice(0, CUT_RUNS),
            mostRuns: CUT_RUNS,
            limit: 2 * WHOLE,
            runId: 'cut',
          })
          let report: LoadReport | null = null
          let cuts = 0
          for (; report === null; cuts += 1)
            report = await play({ ...plan, cut: { page: cuts, when: cuts % 2 === 0 ? 'after' : 'before' } })
          cuts -= 1
          const pages = sumOf(report, 'pages')
          const { jobs, of } = await countJobs(provider)
          if (PLAYS_ALL) console.log(provider, { cuts, pages, jobs, runs: report.runs })
          // The last page of a budget may be cut with its last request: it is left to the next run.
          const isBudgetUsed = report.runs.at(-1)?.stopped === 'budget_exhausted'
          expect(isBudgetUsed ? [0, 1] : [0]).toContain(cuts - pages)
          expect(pages).toBeGreaterThanOrEqual(LEAST_PAGES)
          expect([sumOf(report, 'taken'), ...of]).toEqual(Array(of.length + 1).fill(jobs))
          expect(report.runs.filter(({ requestsUsed }) => requestsUsed > budget)).toEqual([])
        },
        TEST_MS,
      )
  })
}
