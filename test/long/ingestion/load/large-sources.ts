// `npm run ingest:load` reads all of every source; the gate some jobs of each.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { codehostSettings, type LocalCodehost, startCodehost } from '../../../local/codehost/start.ts'
import { createLocalSources } from '../../../local/sources/all.ts'
import { type LocalSources, sourceSettings, startSources } from '../../../local/sources/server.ts'
import { PROVIDERS, type Provider } from '../../../schemas/ingestion/providers.ts'
import { MAINTENANCE_CATEGORIES } from '../../../schemas/ingestion/wikipedia.ts'
import { useOwnDatabase } from '../../activities/support/own-database.ts'
import { oneIn, PLAYS_ALL } from '../../support/cases/sample.ts'
import type { LoadPlan, LoadReport } from './support/load.ts'

/** Requests of a run, by its setting; an article takes a fraction of one. */
const budgetOf = (provider: Provider): number => (provider === 'wikipedia' ? 20 : 200)
/** Jobs of all runs together; a source of the local stack has fewer than the whole. */
const JOBS = PLAYS_ALL ? 20_000 : 40
/** Time limit of a test: ten thousand jobs take some minutes. */
const TEST_MS = PLAYS_ALL ? 3_600_000 : 300_000
/** Resident memory that runs may take above an idle process, MiB. */
const MEMORY_MIB = 60
/** Pages at which a run is cut. */
const CUT_PAGES = PLAYS_ALL ? 8 : 3
/** Jobs of such a run: more than those pages have. */
const CUT_JOBS = 50 * (CUT_PAGES + 1)
const LANES = ['oss-anchored', 'benchmark-showcase']

const place = useOwnDatabase()
let sources: LocalSources
let codehost: LocalCodehost

beforeAll(async () => {
  ;[sources, codehost] = await Promise.all([startSources({ sources: createLocalSources() }), startCodehost({ limitPerHour: 1_000_000 })])
  // A request of an operator lists 50 jobs at most; the test is about all that a source has.
  await sql`alter table ingest_run drop constraint ingest_run_item_limit_check`.execute(place.rows())
})
afterAll(() => Promise.all([sources.stop(), codehost.stop()]))
beforeEach(async () => {
  await sql`truncate ingest_run, ingest_result, ingest_item, ingest_cursor, ingest_source, job_answer, job cascade`.execute(place.rows())
})

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

const planOf = (provider: Provider, change: Partial<LoadPlan> = {}): LoadPlan => ({
  env: {
    DATABASE_URL: place.url(),
    CHAIN_FILE: 'none',
    ...codehostSettings(codehost.url),
    ...sourceSettings(sources.url),
    LOCAL_CALLER_HOSTS: sources.host,
    INGEST_REQUEST_BUDGET: String(budgetOf(provider)),
    CATALOGUE_LANES: JSON.stringify(Object.fromEntries(LANES.map((lane) => [lane, { dailyRaw: '1000000000000000', backlog: 1_000_000 }]))),
  },
  provider,
  inputs: INPUTS[provider],
  limit: JOBS,
  isMeasured: true,
  runId: 'load',
  cut: null,
  ...change,
})

/** Plays a plan in a process of its own; null if it was killed. */
const play = async (plan: LoadPlan): Promise<LoadReport | null> => {
  const args = ['--expose-gc', '--max-semi-space-size=4', 'test/long/ingestion/support/load.ts']
  const child = spawn(process.execPath, args, { stdio: 'pipe', env: { PATH: process.env.PATH, MALLOC_ARENA_MAX: '2' } })
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

/** Jobs of a source, the candidates that they came from, and all candidates. */
const countJobs = async (provider: Provider) => {
  const rows = place.rows()
  const jobs = await rows.selectFrom('job').select('id').where('ingestedFrom', '=', provider).execute()
  const items = await rows.selectFrom('ingest_item').select(['itemKey', 'jobId', 'outcome']).where('provider', '=', provider).execute()
  const created = items.filter(({ outcome }) => outcome === 'created')
  return { jobs: jobs.length, created: created.length, jobIds: new Set(created.map(({ jobId }) => jobId)).size, items: items.length }
}

describe('runs over a large source', () => {
  test.each(PROVIDERS)(
    'of %s list each candidate once, within their budgets and in little memory',
    async (provider) => {
      const report = await play(planOf(provider))
      if (report === null) throw new Error('the runs were killed')
      const { jobs, created, jobIds, items } = await countJobs(provider)
      if (PLAYS_ALL) console.log(provider, { jobs, items, runs: report.runs.length, idleMiB: report.idleMiB, peakMiB: report.peakMiB })
      const taken = report.runs.reduce((sum, run) => sum + run.taken, 0)
      expect([created, jobIds, taken]).toEqual([jobs, jobs, jobs])
      expect(jobs).toBeGreaterThanOrEqual(PLAYS_ALL ? 3_000 : JOBS)
      expect(report.runs.filter(({ requestsUsed }) => requestsUsed > budgetOf(provider))).toEqual([])
      expect(report.peakMiB - report.idleMiB).toBeLessThan(MEMORY_MIB)
    },
    TEST_MS,
  )
})

describe('a run that is cut at each of its pages', () => {
  test.each(oneIn(6, PROVIDERS))(
    'of %s goes on without a second job',
    async (provider) => {
      const plan = planOf(provider, { limit: CUT_JOBS, inputs: INPUTS[provider].slice(0, 1), runId: 'cut', isMeasured: false })
      for (let page = 0; page < CUT_PAGES; page += 1) {
        const when = page % 2 === 0 ? 'after' : 'before'
        expect(await play({ ...plan, cut: { page, when } })).toBeNull()
      }
      const report = await play(plan)
      const { jobs, created, jobIds } = await countJobs(provider)
      expect(report?.runs.reduce((sum, run) => sum + run.taken, 0)).toBe(jobs)
      const results = await place.rows().selectFrom('ingest_result').select('jobId').where('outcome', '=', 'created').execute()
      expect([created, jobIds, results.length]).toEqual([jobs, jobs, jobs])
    },
    TEST_MS,
  )
})
