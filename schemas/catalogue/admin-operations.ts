import { z } from 'zod'
import { ADMIN, operation } from '../operations/operation.ts'
import { IdempotencyKeyInput, InstantInput, IsoTime, JobIdInput, listAnswer, listQuery, oneMemberOf, part } from '../operations/values.ts'
import { JobInput } from './job-input.ts'
import { JobShape } from './shapes.ts'

export const createJob = operation('createJob', 'POST /admin/jobs', {
  summary: 'List a curated job.',
  description:
    'Beyond the shape, `verifierConfig` must fit `verifierMode`, references must name built-in schemas, and only a recurring job has a `schedule`.',
  ...ADMIN,
  capability: 'jobs:create',
  rate: 'admin_jobs',
  idempotent: 'admin_jobs',
  needsOperator: true,
  body: JobInput.extend({ idempotencyKey: IdempotencyKeyInput.optional() }),
  responses: { 201: JobShape },
  errors: ['job_exists', 'lane_budget_exhausted', 'lane_backlog_saturated', 'lane_paused', 'catalog_verifier_cannot_reject_bad_work'],
  examples: {
    body: {
      id: 'starter-docs-001',
      title: 'Check the quick start for stale links',
      description: 'Read the quick start page and list links that no longer resolve.',
      category: 'docs',
      tier: 'starter',
      rewardAsset: 'USDC',
      rewardAmount: 0.2,
      lane: 'liveness',
      verifierMode: 'benchmark',
      verifierTerms: ['stale link', 'quick start'],
      outputSchemaRef: 'schema://jobs/coding-output',
    },
  },
})

export const setJobLifecycle = operation('setJobLifecycle', 'POST /admin/jobs/lifecycle', {
  summary: 'Pause, archive, reopen a job or mark it stale.',
  ...ADMIN,
  capability: 'jobs:lifecycle',
  rate: 'admin_jobs',
  idempotent: 'admin_jobs_lifecycle',
  body: z
    .strictObject({
      jobId: JobIdInput,
      action: z.enum(['pause', 'archive', 'reopen', 'mark_stale']).optional(),
      status: z.enum(['open', 'paused', 'archived']).optional().describe('The status to set, in place of an action.'),
      staleAt: InstantInput.optional().describe('Instant from which the listing is stale.'),
      reason: z.string().max(500).optional().describe('Why, for the record.'),
      idempotencyKey: IdempotencyKeyInput.optional(),
    })
    .refine((body) => (body.action === undefined) !== (body.status === undefined), {
      path: ['action'],
      error: 'exactly one of action and status is required',
    })
    .meta(oneMemberOf('action', 'status')),
  responses: { 200: z.object({ job: JobShape }) },
  errors: ['job_not_found'],
  examples: { body: { jobId: 'starter-docs-001', action: 'pause', reason: 'Source moved.' } },
})

export const listAdminJobs = operation('listAdminJobs', 'GET /admin/jobs', {
  fromReplica: true,
  summary: 'Every job, paused, archived and stale ones included.',
  ...ADMIN,
  capability: 'ops:view',
  query: z.object({ ...listQuery(25, 100), state: z.string().min(1).max(40).optional().describe('Claim state or lifecycle state.') }),
  responses: {
    200: z.object({
      jobs: z.array(JobShape),
      jobLifecycle: part('Counts over the whole catalogue.', {
        total: z.int(),
        open: z.int(),
        claimable: z.int(),
        stale: z.int(),
        paused: z.int(),
        archived: z.int(),
        asOf: IsoTime,
      }),
      ...listAnswer,
    }),
  },
  examples: { query: { limit: '100' } },
})
