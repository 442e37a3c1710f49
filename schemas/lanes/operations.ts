import { z } from 'zod'
import { LANES } from '../catalogue/job-terms.ts'
import { JobShape } from '../catalogue/shapes.ts'
import { ADMIN, operation } from '../operations/operation.ts'
import { closedShape, IdempotencyKeyInput, InstantInput, IsoTime, JobIdInput, trimmedText } from '../operations/values.ts'
import { LANES_EXAMPLE, PAUSED_LANE_EXAMPLE, PAUSED_TEMPLATE_EXAMPLE, SWEEP_EXAMPLE, TEMPLATE_EXAMPLE } from './examples.ts'
import { SWEEP_ACTIONS } from './record.ts'
import { LaneShape, TemplateShape } from './shapes.ts'

const Reason = trimmedText(1, 500).describe('Why, for the record.')

const key = { idempotencyKey: IdempotencyKeyInput.optional() }
const LANES_ADMIN = { ...ADMIN, tags: ['Lanes'] } as const
const lanes = { ...LANES_ADMIN, capability: 'ops:view' } as const
const change = { ...LANES_ADMIN, rate: 'admin_jobs' } as const
const template = {
  body: closedShape('TemplateChange', 'A recurring template to pause or to resume.', {
    templateId: JobIdInput,
    reason: Reason.optional(),
    ...key,
  }),
  responses: { 200: TemplateShape },
} as const
const example = { templateId: 'weekly-links', reason: 'The page is being rewritten.' }
const operator = <const Name extends string>(name: Name) => ({ name, directory: false, sets: ['operator'] }) as const

export const listLanes = operation('listLanes', 'GET /admin/lanes', {
  summary: 'Budget, use and pause of each lane of the catalogue.',
  ...lanes,
  responses: { 200: z.object({ lanes: z.array(LaneShape) }) },
  examples: { responses: { 200: LANES_EXAMPLE } },
  tool: operator('listLanes'),
})

export const setLaneState = operation('setLaneState', 'POST /admin/lanes/state', {
  summary: 'Pause a lane, so that nothing is listed in it, or resume it.',
  description: 'Listed jobs stay claimable. A new one is refused with `lane_paused`.',
  ...change,
  capability: 'jobs:lifecycle',
  idempotent: 'admin_lanes_state',
  body: z.strictObject({ lane: z.enum(LANES), action: z.enum(['pause', 'resume']), reason: Reason, ...key }),
  responses: { 200: LaneShape },
  examples: {
    body: { lane: 'oss-anchored', action: 'pause', reason: 'The source gives wrong dates.' },
    responses: { 200: PAUSED_LANE_EXAMPLE },
  },
  tool: operator('setLaneState'),
})

export const fireTemplate = operation('fireTemplate', 'POST /admin/jobs/fire', {
  summary: 'List a job of a recurring template now, beside its schedule.',
  description: 'One time gives one job, `<templateId>-run-<time>`. Reserve, runs and lane count as for the schedule.',
  ...change,
  capability: 'jobs:fire-recurring',
  idempotent: 'admin_jobs_fire',
  needsOperator: true,
  body: z.strictObject({
    templateId: JobIdInput,
    firedAt: InstantInput.optional().describe('Time of the run in ISO 8601, within that of the template; by default now.'),
    reason: Reason.optional(),
    ...key,
  }),
  responses: { 201: JobShape },
  errors: [
    'recurring_template_not_found',
    'recurring_template_closed',
    'recurring_reserve_exhausted',
    'recurring_job_collision',
    'lane_budget_exhausted',
    'lane_backlog_saturated',
    'lane_paused',
  ],
  examples: { body: { templateId: 'weekly-links' } },
  tool: { ...operator('fireTemplate'), unlisted: ['reason'] },
})

export const pauseTemplate = operation('pauseTemplate', 'POST /admin/jobs/pause', {
  summary: 'Pause a recurring template; due times that pass meanwhile list nothing.',
  ...change,
  capability: 'jobs:pause-recurring',
  idempotent: 'admin_jobs_pause',
  ...template,
  errors: ['recurring_template_not_found'],
  examples: { body: example, responses: { 200: PAUSED_TEMPLATE_EXAMPLE } },
  tool: operator('pauseTemplate'),
})

export const resumeTemplate = operation('resumeTemplate', 'POST /admin/jobs/resume', {
  summary: 'Resume a recurring template from its next due time.',
  ...change,
  capability: 'jobs:resume-recurring',
  idempotent: 'admin_jobs_resume',
  ...template,
  errors: ['recurring_template_not_found', 'recurring_reserve_exhausted'],
  examples: { body: example, responses: { 200: TEMPLATE_EXAMPLE } },
  tool: operator('resumeTemplate'),
})

export const sweepDefinitions = operation('sweepDefinitions', 'POST /admin/jobs/spec-hash-sweep', {
  summary: 'Compare every definition with its hash now, and pause the jobs that drifted.',
  description: 'Where more than half drifted, nothing is paused: then the hashes are in doubt.',
  ...change,
  capability: 'jobs:lifecycle',
  body: z.strictObject({}),
  responses: {
    200: z.object({
      total: z.int().describe('Jobs that are not archived.'),
      matching: z.int(),
      drifted: z.int(),
      markedUnclaimable: z.int().describe('Jobs that this sweep paused.'),
      guardTriggered: z.boolean().describe('Whether more than half of the jobs drifted.'),
      action: z.enum(SWEEP_ACTIONS),
      startedAt: IsoTime,
      finishedAt: IsoTime,
      driftedJobs: z.array(z.string()).describe('The first 100.'),
      errors: z.array(z.object({ jobId: z.string(), message: z.string() })).describe('The first 100 jobs that could not be hashed.'),
    }),
  },
  examples: { body: {}, responses: { 200: SWEEP_EXAMPLE } },
  tool: operator('sweepDefinitions'),
})
