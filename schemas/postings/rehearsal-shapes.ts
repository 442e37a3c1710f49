import { z } from 'zod'
import { IsoTime, part, shape } from '../operations/values.ts'
import { VerdictItemShape } from '../sessions/shapes.ts'
import { PLACEHOLDER_KINDS, REHEARSAL_OUTCOMES, REHEARSAL_WARNINGS } from './terms.ts'

/** Largest rehearsed submission, bytes of its JSON. */
const SUBMISSION_BYTES = 16_384

/** Up to five submissions of the poster's own. */
export const Submissions = z
  .array(
    z
      .unknown()
      .refine((submission) => Buffer.byteLength(JSON.stringify(submission ?? null)) <= SUBMISSION_BYTES, {
        error: `has more than ${SUBMISSION_BYTES} bytes as JSON`,
      })
      .describe('Work as the schema of the job describes it, at most 16 KiB of JSON.'),
  )
  .max(5)
  .describe('Submissions that you expect to pass or to fail; placeholders are judged in any case.')

/** Result of a rehearsal. */
export const RehearsalShape = shape('Rehearsal', 'What the verifier of a draft says of submissions and placeholders.', {
  ranAt: IsoTime,
  submissions: z.array(
    part('What became of one submission.', {
      index: z.int().min(0).describe('Position in the request.'),
      schemaValid: z.boolean().describe('Whether submit would accept it.'),
      outcome: z
        .enum(REHEARSAL_OUTCOMES)
        .describe('`refused`: submit would not accept it. `unavailable`: an input of the verdict could not be read now.'),
      score: z.number().min(0).max(100).nullable().describe('Null where nothing was judged.'),
      reasonCode: z.string(),
      detail: z.string(),
      items: z.array(VerdictItemShape),
    }),
  ),
  placeholders: z
    .array(
      part('What became of one placeholder.', {
        kind: z.enum(PLACEHOLDER_KINDS),
        outcome: z.enum(REHEARSAL_OUTCOMES),
        reasonCode: z.string(),
      }),
    )
    .describe('Work that takes no effort. An approved one would be paid.'),
  warnings: z.array(z.object({ code: z.enum(REHEARSAL_WARNINGS), message: z.string() })),
})
