import { z } from 'zod'
import { IsoTime, shape } from '../operations/values.ts'

/** What a paid session delivered: a pull request, or changes that it proposed for an encyclopedia article. */
const DELIVERY_KINDS = ['pull_request', 'edit'] as const
export type DeliveryKind = (typeof DELIVERY_KINDS)[number]

/** What became of a delivery after its payment. Source: lifecycle, "Delivery tracking". */
const DELIVERY_STATES = ['open', 'merged', 'closed_unmerged', 'open_stale', 'reverted'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

const publicMembers = {
  kind: z.enum(DELIVERY_KINDS).describe('`edit`: changes proposed for an encyclopedia article.'),
  state: z
    .enum(DELIVERY_STATES)
    .describe('`merged` also of a proposed text that lasted in its article. `open_stale`: nothing became of it in time.'),
  since: IsoTime.describe('Last change of the state.'),
  isFinal: z.boolean().describe('True when the state stays.'),
  readAt: IsoTime.nullable().describe('Last reading at its host; null before it.'),
}

export const PublicDeliveryShape = shape('PublicDelivery', 'What became of paid work at its host. It changes no score.', publicMembers)

const Facts = z
  .union([
    z.object({
      kind: z.literal('pull_request'),
      state: z.enum(['open', 'closed']),
      isMerged: z.boolean(),
      mergeCommit: z.string().nullable().describe('Null before the merge.'),
      revertedBy: z.string().nullable().describe('Commit, or `#` and the number of the pull request, that takes the merge back.'),
    }),
    z.object({
      kind: z.literal('edit'),
      revisionId: z.string().describe('Current revision at the reading.'),
      adopted: z.array(z.int().min(0)).describe('Positions of the proposed changes whose text stands in it.'),
    }),
  ])
  .meta({ id: 'DeliveryFacts', description: 'What a reading of the host showed.' })

export const DeliveryShape = shape('Delivery', 'What became of the delivery of a paid session.', {
  ...publicMembers,
  address: z.url().describe('The pull request, or the revision that the proposal is about.'),
  deadlineAt: IsoTime.describe('Until when it may stay open.'),
  confirmAt: IsoTime.nullable().describe('Until when a merge, or an adopted text, must last; null before one.'),
  nextReadAt: IsoTime.nullable().describe('Null once the state stays.'),
  readings: z.int().min(0),
  failedReadings: z.int().min(0).describe('Readings without an answer that can be used. They change nothing.'),
  failure: z.string().nullable().describe('Why the last reading failed; null when it did not.'),
  facts: Facts.nullable().describe('Facts of the last reading that succeeded; null before it.'),
  history: z
    .array(
      z.object({ state: z.enum(DELIVERY_STATES), at: IsoTime, facts: Facts.nullable().describe('Null at the start and at a deadline.') }),
    )
    .describe('Every state with its time.'),
})
export type DeliveryView = z.infer<typeof DeliveryShape>
