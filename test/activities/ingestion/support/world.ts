// Runs over a source on a real database, step by step, without the engine.
import { randomUUID } from 'node:crypto'
import type { Database } from '../../../../activities/database/database.ts'
import type { PageDeps } from '../../../../activities/ingestion/page.ts'
import type { AnyProvider } from '../../../../activities/ingestion/providers.ts'
import { getRun } from '../../../../activities/ingestion/runs.ts'
import { createIngestSteps } from '../../../../activities/ingestion/steps.ts'
import type { IngestionInput, IngestProgress } from '../../../../schemas/ingestion/process.ts'
import type { IngestAnswer } from '../../../../schemas/ingestion/record.ts'
import { readSettings } from '../../../../schemas/settings.ts'
import { LISTING } from '../../../domain/builders/job.ts'
import { testChain } from '../../../support/api.ts'
import { plainRequests } from './list-source.ts'

const LANES = { 'benchmark-showcase': { dailyRaw: '100000000', backlog: 1_000 } }

export const aRun = (changes: Partial<IngestionInput> = {}): IngestionInput => ({
  v: 1,
  provider: 'openapi',
  input: {},
  dryRun: false,
  limit: 50,
  minScore: 55,
  origin: 'request',
  requestedBy: null,
  ...changes,
})

export interface WorldOptions {
  settings?: Record<string, string>
  lanes?: object
}

/** Steps of runs over one source, or over two. */
export const ingestWorld = (
  database: () => Database,
  clock: { now(): number },
  provider: () => AnyProvider,
  second?: () => AnyProvider,
) => {
  const stepsWith = ({ settings = {}, lanes = LANES }: WorldOptions = {}) => {
    const deps: PageDeps = {
      database: database(),
      clock,
      chain: testChain,
      settings: readSettings({
        DATABASE_URL: 'postgres://localhost/none',
        CHAIN_FILE: 'none',
        CATALOGUE_LANES: JSON.stringify(lanes),
        INGEST_OPEN_CAP: '900',
        ...settings,
      }),
      terms: { ...LISTING, posterAddress: `0x${'a'.repeat(40)}` },
      providers: { openapi: provider(), ...(second !== undefined && { standards: second() }) },
      openRequests: (_provider, budget, note) => plainRequests(budget, note),
    }
    return createIngestSteps(deps)
  }
  type Steps = ReturnType<typeof stepsWith>

  const begin = async (run: IngestionInput, steps: Steps): Promise<{ runId: string; progress: IngestProgress }> => {
    const runId = randomUUID()
    return { runId, progress: await steps.beginIngestion({ runId, workflowId: `ingest/openapi/${runId}`, run }) }
  }

  const finish = async (runId: string, first: IngestProgress, steps: Steps): Promise<IngestProgress> => {
    let last = first
    while (!last.isOver) {
      const next = await steps.ingestPage({ runId, page: last.pages })
      if (next.isBusy) throw new Error('another run reads the source')
      last = next
    }
    return last
  }

  const answerOf = async (runId: string): Promise<IngestAnswer> => {
    const { answer } = await getRun(database().rows, runId)
    if (answer === null) throw new Error('the run has not ended')
    return answer
  }

  return {
    stepsWith,
    begin,
    finish,
    answerOf,
    /** A whole run, as its process takes it. */
    run: async (changes: Partial<IngestionInput> = {}, options: WorldOptions = {}) => {
      const steps = stepsWith(options)
      const { runId, progress } = await begin(aRun(changes), steps)
      await finish(runId, progress, steps)
      const end = await steps.endIngestion({ runId, stopped: null })
      return { runId, end, answer: await answerOf(runId) }
    },
  }
}
