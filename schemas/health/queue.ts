import { z } from 'zod'
import { ROLES } from '../identity/authorisation.ts'
import { AssetAmount, IsoTime, part, shape } from '../operations/values.ts'

/** What can wait for a person. At one deadline rows stand in this order. */
export const QUEUE_KINDS = [
  'review',
  'dispute',
  'signature',
  'request',
  'blocked',
  'diverged',
  'alarm',
  'source',
  'webhook',
  'lane',
  'template',
] as const
export type QueueKind = (typeof QUEUE_KINDS)[number]

const KINDS_IN_WORDS =
  '`review`: a submission before reviewers. `dispute`: an arbitration without a verdict. `signature`: a verdict that waits for the signature of an external arbitrator. `request`: a cross-chain request that the service cannot decide or settle. `blocked`: a workflow whose next step is refused. `diverged`: a session that differs from the chain. `alarm`: a warning of `GET /health`. `source`: a source of jobs without results. `webhook`: an endpoint that was paused after its failures. `lane`, `template`: what is paused.'

export const QueueRowShape = shape('QueueRow', 'One thing that waits for a person.', {
  kind: z.enum(QUEUE_KINDS).describe(KINDS_IN_WORDS),
  id: z.string().describe('Name of the thing within its kind.'),
  title: z.string(),
  sessionId: z.string().optional(),
  jobId: z.string().optional(),
  disputeId: z.string().optional(),
  requestId: z.string().optional(),
  provider: z.string().optional().describe('Source of jobs.'),
  workflowId: z.string().optional(),
  since: IsoTime.nullable().describe('Since when it waits; null where that is not known.'),
  deadline: IsoTime.nullable().describe('Instant at which it ends by itself; null without one.'),
  reason: z.string().describe('Code of why it waits.'),
  atStake: AssetAmount.nullable().describe('Money that the decision moves; null where it moves none, or no record says how much.'),
  byDefault: part('What happens by itself at the deadline; null where nothing does.', { code: z.string(), text: z.string() }).nullable(),
  decidedBy: part('Operation that decides it, and a role that it needs; null where no operation does.', {
    operation: z.string(),
    role: z.enum(ROLES),
  }).nullable(),
})
export type QueueRow = z.input<typeof QueueRowShape>

export const QueueSummaryShape = shape('QueueSummary', 'What waits for a person, by its kinds, whatever the filter.', {
  kinds: z.array(z.enum(QUEUE_KINDS)).describe('Kinds that the roles of the caller show.'),
  counts: z
    .partialRecord(z.enum(QUEUE_KINDS), z.int().min(0))
    .describe('Number of rows of each of these kinds, without those of `unreadable`.'),
  atStake: AssetAmount.describe('Sum of the money of all counted rows.'),
  unreadable: z.array(z.enum(QUEUE_KINDS)).describe('Kinds whose source did not answer; their rows are absent.'),
})
