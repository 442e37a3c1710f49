import { z } from 'zod'
import { LANES } from '../catalogue/job-terms.ts'
import { Address, AssetAmount, IsoTime, part, shape } from '../operations/values.ts'

export const LaneShape = shape('Lane', 'Budget of the catalogue with its limits and its use.', {
  lane: z.enum(LANES),
  dailyBudget: AssetAmount.describe('Rewards that may be listed within 24 hours.'),
  postedToday: AssetAmount.describe('Rewards that were listed in the last 24 hours.'),
  backlog: z.int().describe('Listed jobs that no wallet has claimed.'),
  backlogLimit: z.int(),
  openJobs: z.int().describe('Listed jobs, claimed ones included.'),
  resumeAt: IsoTime.nullable().describe('When the oldest posting leaves the 24 hours; null without one.'),
  paused: part('Pause of an operator.', { by: Address, at: IsoTime, reason: z.string() })
    .nullable()
    .describe('Null while the lane is open.'),
})

export const TemplateShape = shape('RecurringTemplate', 'Where a recurring template stands.', {
  templateId: z.string(),
  cron: z.string().describe('Five fields in UTC.'),
  state: z.enum(['active', 'paused', 'ended']),
  reason: z.string().nullable().describe('Why it is paused; null while it is not.'),
  pausedAt: IsoTime.nullable(),
  pausedBy: Address.nullable().describe('Null where the service paused it.'),
  runs: z.int().describe('Jobs that it has listed.'),
  maxRuns: z.int().nullable().describe('Null without a limit.'),
  spent: AssetAmount.describe('Rewards of these jobs.'),
  reserve: AssetAmount.nullable().describe('What they may cost in all; null without a limit.'),
  nextRunAt: IsoTime.nullable().describe('Next due time of the schedule; null when none follows or the template is paused.'),
})

export type LaneView = z.input<typeof LaneShape>
export type TemplateView = z.input<typeof TemplateShape>
