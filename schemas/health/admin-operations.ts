import { z } from 'zod'
import { JobShape } from '../catalogue/shapes.ts'
import { eventWords } from '../event-stream/shapes.ts'
import { ADMIN, operation, SIGNED_IN } from '../operations/operation.ts'
import { AddressInput, IsoTime, JobIdInput, listAnswer, listQuery, literal, part } from '../operations/values.ts'
import { SESSION_STATUSES } from '../sessions/record.ts'
import { SessionRowShape, TimelineEntryShape } from '../sessions/shapes.ts'
import { AdminStatusShape } from './admin-status.ts'
import { QUEUE_KINDS, QueueRowShape, QueueSummaryShape } from './queue.ts'

const listed = (what: string) => z.array(z.string()).describe(`Applied ${what}; empty where all are shown.`)

export const getAdminStatus = operation('getAdminStatus', 'GET /admin/status', {
  summary: 'What an operator looks at first: work, money at work, parts, budgets and anomalies.',
  ...ADMIN,
  capability: ['admin:status', 'ops:view'],
  responses: { 200: AdminStatusShape },
})

export const listQueue = operation('listQueue', 'GET /queue', {
  summary: 'What needs a person: soonest deadline first, without a deadline last.',
  description:
    'Admins see every kind, verifiers reviews, arbitrators disputes and signatures. A source that does not answer hides its own kinds only, which `summary.unreadable` names.',
  tags: ['Operators'],
  ...SIGNED_IN,
  role: ['admin', 'verifier', 'arbitrator'],
  capability: 'session:read',
  query: z.object({ ...listQuery(50, 200), kind: z.enum(QUEUE_KINDS).optional() }),
  responses: { 200: z.object({ asOf: IsoTime, summary: QueueSummaryShape, items: z.array(QueueRowShape), ...listAnswer }) },
  examples: { query: { limit: '50' } },
})

export const getJobTimeline = operation('getJobTimeline', 'GET /admin/jobs/timeline', {
  fromReplica: true,
  summary: 'Everything that was recorded about one job and its sessions, in order of recording.',
  description: 'Filters narrow the entries and their count. The other parts of the answer do not depend on them.',
  ...ADMIN,
  capability: 'jobs:timeline',
  query: z.object({
    ...listQuery(100, 250),
    jobId: JobIdInput,
    ...eventWords,
    wallet: AddressInput.optional(),
  }),
  responses: {
    200: z.object({
      timelineVersion: literal('v2'),
      job: JobShape,
      lineage: part('Jobs and sessions that belong to the job; of its sessions the newest 250.', {
        templateId: z.string().nullable().describe('Recurring template of the job; null without one.'),
        recurringTemplate: z.boolean().describe('Whether the job is a recurring template.'),
        derivativeJobIds: z.array(z.string()).describe('Jobs that were made from the job as their template: the newest 250.'),
        parentSessionId: z.string().nullable().describe('Session that caused the job; null without one.'),
        parentSession: SessionRowShape.nullable(),
        sessionIds: z.array(z.string()).max(250),
        childJobIds: z.array(z.string()).describe('Jobs that sessions of the job caused.'),
        childSessionIds: z.array(z.string()),
      }),
      summary: part('Counts of sessions and of the entries that pass the filters.', {
        sessionCount: z.int(),
        activeSessionIds: z.array(z.string()),
        terminalSessionIds: z.array(z.string()),
        childJobCount: z.int(),
        derivativeJobCount: z.int(),
        eventCount: z.int(),
        eventBusGap: z.int().describe('Number of its events without a public sequence number yet.'),
        eventFilters: z.object({
          topics: listed('topics'),
          sources: listed('sources'),
          phases: listed('phases'),
          severities: listed('severities'),
          correlationId: z.string().nullable(),
          wallet: AddressInput.nullable(),
        }),
        latestSessionStatus: z.enum(SESSION_STATUSES).nullable().describe('Null without a session.'),
      }),
      timeline: z.array(TimelineEntryShape),
      ...listAnswer,
    }),
  },
  errors: ['job_not_found'],
  examples: { query: { jobId: 'starter-docs-001' } },
})
