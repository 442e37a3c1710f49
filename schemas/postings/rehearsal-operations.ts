import { z } from 'zod'
import { operation, WALLET_ONLY } from '../operations/operation.ts'
import { Bytes32 } from '../operations/values.ts'
import { RehearsalShape, Submissions } from './rehearsal-shapes.ts'

export const rehearseDraft = operation('rehearseDraft', 'POST /jobs/draft/:id/rehearse', {
  summary: 'Run the verifier of a draft over submissions of your own, before the job is funded.',
  description:
    'Each submission is checked and judged as that of a worker would be, and so are placeholders and the texts of the posting itself. Submissions are neither stored nor logged; the draft keeps the result of the last rehearsal. It costs nothing and sends no transaction.',
  tags: ['Posting'],
  auth: WALLET_ONLY,
  action: 'wallet_sign_in',
  capability: 'posting:draft',
  rate: 'rehearsals',
  params: z.object({ id: Bytes32.describe('`draftId` of the draft.') }),
  body: z.strictObject({ submissions: Submissions }),
  responses: { 200: z.object({ draftId: Bytes32, jobId: Bytes32, rehearsal: RehearsalShape }) },
  errors: ['external_draft_not_found', 'external_draft_not_owned'],
  examples: {
    params: { id: `0x${'d7'.repeat(32)}` },
    body: { submissions: [{ summary: 'Retries wait longer each time.', output: 'Exponential backoff with jitter.', status: 'complete' }] },
  },
})
