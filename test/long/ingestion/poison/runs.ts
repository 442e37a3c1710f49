// Whole runs over local sources on a real database, step by step, without the engine.
import { randomUUID } from 'node:crypto'
import type { Database } from '../../../../activities/database/database.ts'
import { type AnyProvider, PROVIDER_PARTS, type Providers } from '../../../../activities/ingestion/providers.ts'
import { createGithubSource } from '../../../../activities/ingestion/sources/github.ts'
import { createOpenapiSource } from '../../../../activities/ingestion/sources/openapi.ts'
import { createOsvSource } from '../../../../activities/ingestion/sources/osv.ts'
import { createSourceRequests } from '../../../../activities/ingestion/sources/requests.ts'
import { createStandardsSource } from '../../../../activities/ingestion/sources/standards.ts'
import { createIngestSteps } from '../../../../activities/ingestion/steps.ts'
import { createFetches } from '../../../../activities/outbound/clients.ts'
import { openapiRules } from '../../../../domain/ingestion/documents/openapi.ts'
import { standardsRules } from '../../../../domain/ingestion/documents/standards.ts'
import { githubRules } from '../../../../domain/ingestion/github.ts'
import { osvRules } from '../../../../domain/ingestion/osv.ts'
import type { IngestProgress } from '../../../../schemas/ingestion/process.ts'
import type { Provider } from '../../../../schemas/ingestion/providers.ts'
import { readSettings } from '../../../../schemas/settings.ts'
import { LISTING } from '../../../domain/builders/job.ts'
import { policyOf } from '../../../domain/ingestion/items.ts'

/** Most jobs of one run. */
const MOST_JOBS = 50
const WIDE = { dailyRaw: '1000000000', backlog: 5_000 }
const readPolicy = async (repo: string) => policyOf({ repo })

/** Every source with its rules. A policy that allows the work stands for what each repository says. */
const PROVIDERS: Providers = {
  github: {
    createSource: ({ settings, http }) =>
      createGithubSource({ http, baseUrl: settings.CODEHOST_API_URL, webHost: settings.CODEHOST_WEB_HOST, readPolicy, now: Date.now }),
    rules: githubRules,
  } as AnyProvider,
  osv: {
    createSource: ({ settings, http }) =>
      createOsvSource({
        http,
        baseUrl: settings.OSV_API_URL,
        codehost: http,
        codehostUrl: settings.CODEHOST_API_URL,
        webHost: settings.CODEHOST_WEB_HOST,
        readPolicy,
      }),
    rules: osvRules,
  } as AnyProvider,
  openapi: {
    createSource: ({ settings, http, callers }) =>
      createOpenapiSource({ listUrl: settings.OPENAPI_LIST_URL, list: http, documents: callers }),
    rules: openapiRules,
  } as AnyProvider,
  standards: {
    createSource: ({ settings: { STANDARDS_API_URL: url }, http, callers }) =>
      createStandardsSource({ catalogueUrl: url, pagesUrl: url, catalogue: http, documents: callers }),
    rules: standardsRules,
  } as AnyProvider,
  ...PROVIDER_PARTS,
}

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
  const steps = createIngestSteps({
    database,
    clock: { now: Date.now },
    settings,
    terms: { ...LISTING, posterAddress: `0x${'a'.repeat(40)}` },
    providers: PROVIDERS,
    openRequests: createSourceRequests({ settings, fetches, database, contact: 'ops@work.example', seed: 'poison', now: Date.now }),
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
