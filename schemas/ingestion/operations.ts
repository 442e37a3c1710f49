import { z } from 'zod'
import { ADMIN, operation } from '../operations/operation.ts'
import { IdempotencyKeyInput, listAnswer, listQuery, OpenObject } from '../operations/values.ts'
import { ingestBody } from './bodies.ts'
import { ITEM_EXAMPLE, RUN_EXAMPLES, SOURCE_EXAMPLE } from './examples.ts'
import { PROVIDERS } from './providers.ts'
import { INGEST_OUTCOMES } from './record.ts'
import { IngestAnswerShape, IngestPendingShape, SourceItemShape, SourceShape } from './shapes.ts'

/** `unlisted`: members that few calls need, and that a model reads in the documents. */
const tool = <const Name extends string>(name: Name, unlisted: readonly string[] = []) =>
  ({ name, directory: true, sets: ['operator'], unlisted: ['idempotencyKey', ...unlisted] }) as const

const SOURCES = { ...ADMIN, tags: ['Sources'] } as const

const RUN = {
  ...SOURCES,
  description: 'A dry run unless `dryRun` is false. 202: repeat it for its answer. 207: some jobs were refused.',
  capability: 'jobs:ingest',
  rate: 'admin_jobs',
  idempotent: 'admin_jobs_ingest',
  responses: { 200: IngestAnswerShape, 201: IngestAnswerShape, 202: IngestPendingShape, 207: IngestAnswerShape },
  errors: ['upstream_failure', 'workflow_engine_unavailable'],
} as const

export const ingestGithub = operation('ingestGithub', 'POST /admin/jobs/ingest/github', {
  summary: 'List jobs from issues of the code host.',
  ...RUN,
  body: ingestBody('github'),
  tool: tool('ingestGithub'),
  examples: { body: { query: 'label:"good first issue" no:assignee', limit: 2 }, responses: RUN_EXAMPLES },
})

export const ingestWikipedia = operation('ingestWikipedia', 'POST /admin/jobs/ingest/wikipedia', {
  summary: 'List jobs from articles of an encyclopedia that need maintenance.',
  ...RUN,
  body: ingestBody('wikipedia'),
  tool: tool('ingestWikipedia', ['categories']),
  examples: { body: { language: 'en', limit: 2 }, responses: RUN_EXAMPLES },
})

export const ingestOsv = operation('ingestOsv', 'POST /admin/jobs/ingest/osv', {
  summary: 'List jobs from advisories about packages.',
  ...RUN,
  body: ingestBody('osv'),
  tool: tool('ingestOsv', ['manifests', 'maxPackageTargets']),
  examples: { body: { packages: [{ ecosystem: 'npm', name: 'minimist', version: '0.0.8' }], limit: 2 }, responses: RUN_EXAMPLES },
})

export const ingestOpenData = operation('ingestOpenData', 'POST /admin/jobs/ingest/open-data', {
  summary: 'List jobs from data sets of a portal.',
  ...RUN,
  body: ingestBody('open-data'),
  tool: tool('ingestOpenData', ['organization']),
  examples: { body: { query: 'air quality', limit: 2 }, responses: RUN_EXAMPLES },
})

export const ingestOpenapi = operation('ingestOpenapi', 'POST /admin/jobs/ingest/openapi', {
  summary: 'List jobs from OpenAPI documents that fall short.',
  ...RUN,
  body: ingestBody('openapi'),
  tool: tool('ingestOpenapi', ['specs']),
  examples: { body: { limit: 2 }, responses: RUN_EXAMPLES },
})

export const ingestStandards = operation('ingestStandards', 'POST /admin/jobs/ingest/standards', {
  summary: 'List jobs from standards that may have changed.',
  ...RUN,
  body: ingestBody('standards'),
  tool: tool('ingestStandards', ['specs']),
  examples: { body: { limit: 2 }, responses: RUN_EXAMPLES },
})

export const listSources = operation('listSources', 'GET /admin/sources', {
  summary: 'Sources of jobs: schedule, last run, and what each is worth.',
  ...SOURCES,
  capability: 'jobs:ingest',
  responses: { 200: z.object({ sources: z.array(SourceShape) }) },
  tool: tool('listSources'),
  examples: { responses: { 200: { sources: [SOURCE_EXAMPLE] } } },
})

export const listSourceItems = operation('listSourceItems', 'GET /admin/sources/items', {
  fromReplica: true,
  summary: 'Candidates of the sources and what last became of each, last seen first.',
  ...SOURCES,
  capability: 'jobs:ingest',
  query: z.object({
    ...listQuery(25, 100),
    provider: z.enum(PROVIDERS).optional(),
    outcome: z.enum(INGEST_OUTCOMES).optional(),
  }),
  responses: { 200: z.object({ items: z.array(SourceItemShape), ...listAnswer }) },
  tool: tool('listSourceItems'),
  examples: { query: { limit: '25', outcome: 'parked' }, responses: { 200: { items: [ITEM_EXAMPLE], limit: 25, nextCursor: null } } },
})

export const steerSource = operation('steerSource', 'POST /admin/sources/steer', {
  summary: 'Pause, resume or trigger the schedule of a source.',
  description: '`dryRun` and `input` change its runs from now on, whatever the action.',
  ...SOURCES,
  capability: 'jobs:ingest',
  rate: 'admin_jobs',
  idempotent: 'admin_sources_steer',
  body: z.strictObject({
    provider: z.enum(PROVIDERS),
    action: z.enum(['pause', 'resume', 'trigger']),
    dryRun: z.boolean().optional().describe('Whether runs of the schedule list nothing.'),
    input: OpenObject.optional().describe('Own members of the source, as in the body of its route.'),
    note: z.string().max(500).optional().describe('Why, for operators.'),
    idempotencyKey: IdempotencyKeyInput.optional(),
  }),
  responses: { 200: SourceShape },
  errors: ['source_schedule_missing', 'workflow_engine_unavailable', 'upstream_failure'],
  tool: tool('steerSource'),
  examples: { body: { provider: 'openapi', action: 'pause', note: 'The source moves.' }, responses: { 200: SOURCE_EXAMPLE } },
})
