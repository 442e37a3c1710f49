import { z } from 'zod'
import { operation } from '../operations/operation.ts'
import {
  AddressInput,
  IdempotencyKeyInput,
  IsoTime,
  JobIdInput,
  listAnswer,
  listQuery,
  SessionIdInput,
  word,
} from '../operations/values.ts'
import { SESSION_STATUSES } from '../sessions/record.ts'
import { SessionShape } from '../sessions/shapes.ts'
import { JobInput } from './job-input.ts'
import { JobShape } from './shapes.ts'

const tags = ['Admin'] as const
const admin = { auth: 'wallet', action: 'admin_wallet_sign_in', role: 'admin' } as const

export const createJob = operation({
  id: 'createJob',
  method: 'POST',
  path: '/admin/jobs',
  summary: 'List a curated job.',
  tags,
  ...admin,
  capability: 'jobs:create',
  rate: 'admin_jobs',
  idempotent: 'admin_jobs',
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

export const setJobLifecycle = operation({
  id: 'setJobLifecycle',
  method: 'POST',
  path: '/admin/jobs/lifecycle',
  summary: 'Pause, archive, reopen a job or mark it stale.',
  tags,
  ...admin,
  capability: 'jobs:lifecycle',
  rate: 'admin_jobs',
  idempotent: 'admin_jobs_lifecycle',
  body: z
    .strictObject({
      jobId: JobIdInput,
      action: z.enum(['pause', 'archive', 'reopen', 'mark_stale']).optional(),
      status: z.enum(['open', 'paused', 'archived']).optional(),
      staleAt: z.iso.datetime().optional(),
      reason: z.string().max(500).optional(),
      idempotencyKey: IdempotencyKeyInput.optional(),
    })
    .refine((body) => (body.action === undefined) !== (body.status === undefined), {
      path: ['action'],
      error: 'exactly one of action and status is required',
    }),
  responses: { 200: z.object({ job: JobShape }) },
  errors: ['job_not_found'],
  examples: { body: { jobId: 'starter-docs-001', action: 'pause', reason: 'Source moved.' } },
})

export const listAdminJobs = operation({
  id: 'listAdminJobs',
  method: 'GET',
  path: '/admin/jobs',
  summary: 'Every job, paused, archived and stale ones included.',
  tags,
  ...admin,
  capability: 'ops:view',
  query: z.object({ ...listQuery(25, 100), state: z.string().min(1).max(40).optional() }),
  responses: {
    200: z.object({
      jobs: z.array(JobShape),
      jobLifecycle: z.object({
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
  errors: [],
  examples: { query: { limit: '100' } },
})

export const closeSession = operation({
  id: 'closeSession',
  method: 'POST',
  path: '/admin/sessions/close',
  summary: 'End a session that can no longer progress.',
  description:
    'Only when the chain shows that the escrow holds no money for it any more and has not paid for work that is still submitted here, and no process of it runs. What the chain showed is recorded with the note. A diverged session stays diverged, and is marked as closed.',
  tags,
  ...admin,
  capability: 'jobs:lifecycle',
  rate: 'admin_jobs',
  idempotent: 'admin_sessions_close',
  body: z.strictObject({
    sessionId: SessionIdInput,
    outcome: z.enum(['timed_out', 'closed']),
    /** Why, for the record. */
    note: z.string().trim().min(1).max(500),
    idempotencyKey: IdempotencyKeyInput.optional(),
  }),
  responses: { 200: SessionShape },
  errors: [
    'session_not_found',
    'session_already_closed',
    'session_process_running',
    'session_money_unsettled',
    'invalid_session_transition',
    'blockchain_unavailable',
    'workflow_engine_unavailable',
  ],
  examples: {
    body: {
      sessionId: 'starter-docs-001:0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      outcome: 'timed_out',
      note: 'The claim was timed out on chain by hand.',
    },
  },
})

export const listAdminSessions = operation({
  id: 'listAdminSessions',
  method: 'GET',
  path: '/admin/sessions',
  summary: 'Sessions of every wallet, last moved first.',
  tags,
  ...admin,
  capability: 'ops:view',
  query: z.object({
    ...listQuery(50, 250),
    jobId: JobIdInput.optional(),
    status: z.enum(SESSION_STATUSES).optional(),
    wallet: AddressInput.optional(),
  }),
  responses: { 200: z.object({ sessions: z.array(SessionShape), count: z.int(), ...listAnswer, scope: word('operator') }) },
  errors: [],
  examples: { query: { status: 'disputed' } },
})
