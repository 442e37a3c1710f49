import { z } from 'zod'
import { AssetAmount, closedShape, IsoTime } from '../operations/values.ts'

/** What the chain shows of a poster's jobs. */
export const PosterRecordShape = closedShape('PosterRecord', 'What the chain shows of the jobs that a wallet has funded.', {
  fundedJobs: z.int().min(0),
  funded: AssetAmount.describe('Rewards, reserves and fees of these jobs together.'),
  judged: z.int().min(0).describe('Submissions on these jobs that got a verdict.'),
  judgedInTime: z.int().min(0).describe('Those of them that got it within 48 hours of the submission.'),
  medianSecondsToVerdict: z
    .int()
    .min(0)
    .nullable()
    .describe('From the submission to its verdict, by the times of their blocks; null without a verdict.'),
  lostDisputes: z.int().min(0).describe('Rejections after which the arbitrator gave the worker the whole reward.'),
  cancelled: z.int().min(0).describe('Jobs whose money the poster took back before they were claimed.'),
  since: IsoTime.nullable().describe('First funding; null without one.'),
})
export type PosterRecordView = z.output<typeof PosterRecordShape>
