import { z } from 'zod'
import { ADMIN, DECISION_ERRORS, operation, VERIFIER } from '../operations/operation.ts'
import {
  Address,
  AssetAmount,
  IdempotencyKeyInput,
  IsoTime,
  listAnswer,
  listQuery,
  SESSION_EXAMPLE,
  SessionIdInput,
  trimmedText,
} from '../operations/values.ts'
import { REVIEW_DISPOSITIONS } from '../sessions/record.ts'
import { SessionShape } from '../sessions/shapes.ts'
import { verdictMembers } from '../verification/shapes.ts'
import { RATIONALE } from './record.ts'
import { DisputeShape, MoneyShape } from './shapes.ts'

/** A verifier's verdict, with the verdict before it. */
const HumanVerdictShape = z.object({
  ...verdictMembers,
  money: MoneyShape.optional().describe('Payments of the verdict; in a preview only.'),
})

export const decideReview = operation('decideReview', 'POST /verifier/sessions/:id/verdict', {
  summary: 'Approve or reject a session in human review; a preview shows who would get what.',
  ...VERIFIER,
  capability: 'verifier:run',
  rate: 'verifier_run',
  idempotent: 'verifier_human_verdict',
  needsOperator: true,
  params: z.object({ id: SessionIdInput }),
  body: z.strictObject({
    verdict: z.enum(['approve', 'reject']),
    rationale: trimmedText(RATIONALE.review, RATIONALE.longest),
    preview: z.boolean().optional().describe('True to show the effect and change nothing.'),
    idempotencyKey: IdempotencyKeyInput.optional(),
  }),
  responses: { 200: HumanVerdictShape },
  errors: ['session_not_found', 'invalid_session_transition', 'dispute_already_decided', 'dispute_proof_required', ...DECISION_ERRORS],
  examples: { params: { id: SESSION_EXAMPLE }, body: { verdict: 'approve', rationale: 'The links were checked by hand.', preview: true } },
})

export const listPendingVerifications = operation('listPendingVerifications', 'GET /verifier/pending', {
  fromReplica: true,
  summary: 'Submissions that wait for a verdict or a review, oldest first.',
  ...VERIFIER,
  capability: 'verifier:result:read',
  query: z.object({ ...listQuery(50, 200) }),
  responses: {
    200: z.object({
      pending: z.array(
        z.object({
          sessionId: z.string(),
          jobId: z.string(),
          jobTitle: z.string(),
          wallet: Address,
          reward: AssetAmount,
          verifierMode: z.string(),
          submittedAt: IsoTime,
          ageMs: z.int().describe('Milliseconds since the submission.'),
          ageHours: z.number().describe('Hours since the submission.'),
          slaDeadline: IsoTime.describe('Start of the human review; during a review, its deadline.'),
          disposition: z
            .enum(REVIEW_DISPOSITIONS)
            .describe('What a pull request waits for after its first reading; otherwise who decides.'),
          prUrl: z.string().optional().describe('Pull request of the submission, if any.'),
          heldBecause: z.string().optional().describe('Why the last reading of a waiting pull request settled nothing.'),
          reason: z.string(),
          disputeId: z.string().optional(),
        }),
      ),
      ...listAnswer,
    }),
  },
  examples: { query: { limit: '50' } },
})

export const overturnSession = operation('overturnSession', 'POST /admin/sessions/overturn', {
  summary: 'Open the dispute of a rejection for its worker, inside the dispute window.',
  ...ADMIN,
  capability: 'disputes:overturn',
  rate: 'admin_jobs',
  idempotent: 'admin_sessions_overturn',
  needsOperator: true,
  body: z.strictObject({
    sessionId: SessionIdInput,
    note: trimmedText(10, 1_000),
    idempotencyKey: IdempotencyKeyInput.optional(),
  }),
  responses: { 200: z.object({ session: SessionShape, dispute: DisputeShape }) },
  errors: ['session_not_found', 'overturn_window_closed', 'invalid_session_transition', ...DECISION_ERRORS],
  examples: { body: { sessionId: SESSION_EXAMPLE, note: 'The terms were read against the wrong page.' } },
})
