import { z } from 'zod'
import { closedShape } from '../operations/values.ts'

/** Who judges submissions. */
const JUDGES = ['verifier', 'people'] as const

/** What follows when a stage ends without a judgement. */
const STAGE_DEFAULTS = ['people_decide', 'split'] as const

/** Who judges the work of a job until when, and what happens by default. A signed receipt has the same object. */
export const JudgementTermsShape = closedShape('JudgementTerms', 'Who judges the work, until when, and what happens without a judgement.', {
  description: z.string().describe('The same in words.'),
  stages: z
    .array(
      closedShape('JudgementStage', 'One judge in turn.', {
        judge: z.enum(JUDGES).describe('`people`: reviewers or the arbitrator.'),
        deadlineSeconds: z.int().min(1).describe('Latest end of the stage, in seconds after the submission.'),
        byDefault: z
          .enum(STAGE_DEFAULTS)
          .describe(
            'What follows without a judgement: `people_decide` is the next stage, `split` divides the reward, at most 14 days later where only the contract may.',
          ),
      }),
    )
    .min(1)
    .describe('The judges in their order.'),
  defaultWorkerShareBps: z.int().min(0).max(10_000).describe('Part of the reward that the worker gets by `split`, in basis points.'),
})
export type JudgementTerms = z.output<typeof JudgementTermsShape>
