// Whole runs over local sources on a real database, step by step, without the engine.
import { randomUUID } from 'node:crypto'
import type { Database } from '../../../../activities/database/database.ts'
import { createSourceRequests } from '../../../../activities/ingestion/http/requests.ts'
import { PROVIDER_PARTS } from '../../../../activities/ingestion/providers.ts'
import { createIngestSteps } from '../../../../activities/ingestion/steps.ts'
import { createFetches } from '../../../../activities/outbound/clients.ts'
import type { IngestProgress } from '../../../../schemas/ingestion/process.ts'
import type { Provider } from '../../../../schemas/ingestion/providers.ts'
import { readSettings } from '../../../../schemas/settings.ts'
import { LISTING } from '../../../domain/builders/job.ts'
import { testChain } from '../../../support/api.ts'

/** Most jobs of one run. */
const MOST_JOBS = 50
const WIDE = { dailyRaw: '1000000000', backlog: 5_000 }

/** What became of a candidate. */
export interface Decision {
  key: string
  outcome: string
  reason: string | null
  rules: readonly string[]
  jobId: string | null
}

/** Runs of each source with lanes and caps that hold nothing back. */
export const createWideRuns = (database: Database, env: Record<string, string>) => {
  const settings = readSettings({
    DATABASE_URL: 'postgres://localhost/none',
    CHAIN_FILE: 'none',
    CATALOGUE_LANES: JSON.stringify({ 'benchmark-showcase': WIDE, 'oss-anchored': WIDE }),
    INGEST_OPEN_CAP: '1000',
    INGEST_REQUEST_BUDGET: '10000',
    ...env,
  })
  const fetches = createFetches(settings)
  const clock = { now: Date.now }
  const steps = createIngestSteps({
    database,
    clock,
    settings,
    chain: testChain,
    terms: { ...LISTING, posterAddress: `0x${'a'.repeat(40)}` },
    providers: PROVIDER_PARTS,
    openRequests: createSourceRequests({ settings, fetches, database, clock, contact: 'ops@work.example', seed: 'poison', now: Date.now }),
  })

  /** One run; the stop of one that ended before the source did. */
  const runOnce = async (
    provider: Provider,
    input: Record<string, unknown>,
  ): Promise<{ decisions: Decision[]; stopped: string | null }> => {
    const runId = randomUUID()
    const run = { provider, input, dryRun: false, limit: MOST_JOBS, minScore: 0, origin: 'request' as const, requestedBy: null }
    const workflowId = `ingest/${provider}/${runId}`
    let progress: IngestProgress = await steps.beginIngestion({ runId, workflowId, run: { v: 1, ...run } })
    while (!progress.isOver) progress = await steps.ingestPage({ runId, page: progress.pages })
    await steps.endIngestion({ runId, stopped: null })
    const found = await database.rows
      .selectFrom('ingest_result')
      .select(['itemKey', 'outcome', 'reason', 'rules', 'jobId'])
      .where('runId', '=', runId)
      .execute()
    return { decisions: found.map(({ itemKey, ...rest }) => ({ key: itemKey, ...rest })), stopped: progress.stopped?.reason ?? null }
  }

  return {
    /** Reads a source to its end, by several runs where one may list no more jobs, and returns what became of each candidate at first. */
    run: async (provider: Provider, input: Record<string, unknown>): Promise<Map<string, Decision>> => {
      const all = new Map<string, Decision>()
      for (let stop: string | null = 'limit_reached'; stop !== null; ) {
        if (stop !== 'limit_reached') throw new Error(`the run over ${provider} ended early: ${stop}`)
        const { decisions, stopped } = await runOnce(provider, input)
        for (const decision of decisions) if (!all.has(decision.key)) all.set(decision.key, decision)
        stop = stopped
      }
      return all
    },
  }
}
