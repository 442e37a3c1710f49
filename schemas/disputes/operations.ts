import { z } from 'zod'
import { DECISION_ERRORS, operation, SIGNED_IN, WALLET_ONLY } from '../operations/operation.ts'
import { aliasOf, IdempotencyKeyInput, listAnswer, listQuery, oneMemberOf, RequestAmount, trimmedText } from '../operations/values.ts'
import { DisputeFileShape } from './file.ts'
import { RATIONALE, STATEMENT, VERDICT_NAMES } from './record.ts'
import { DisputeRowShape, DisputeShape, VerdictPreviewShape, WorkerStatementShape } from './shapes.ts'

const own = { tags: ['Disputes'], ...SIGNED_IN } as const
const EXAMPLE = { params: { id: 'dispute-0a96015779ab' } }

/** Accepted spellings of a verdict. `reject`, `rejected` and `request-more` are refused: they do not say who is paid. */
const VerdictInput = z.enum(VERDICT_NAMES, {
  error:
    'must be upheld (the rejection stands), dismissed (the rejection is dismissed), split or timeout; reject, rejected and request-more do not say who gets the money',
})

export const listDisputes = operation('listDisputes', 'GET /disputes', {
  fromReplica: true,
  summary: 'Disputes you may see, last opened first.',
  description:
    'The parties see their own; verifiers, arbitrators and admins see every one. Evidence and timeline are in `GET /disputes/:id`.',
  ...own,
  capability: 'disputes:list',
  query: z.object({ ...listQuery(100, 500), status: z.enum(['open', 'resolved']).optional() }),
  responses: { 200: z.object({ disputes: z.array(DisputeRowShape), ...listAnswer }) },
  tool: { name: 'listDisputes', directory: true, sets: ['worker', 'operator'] },
  examples: { query: { status: 'open' } },
})

export const getDispute = operation('getDispute', 'GET /disputes/:id', {
  summary: 'A dispute: deadline, evidence, verdict and the state of the bond.',
  ...own,
  capability: 'disputes:read',
  params: z.object({ id: z.string().min(1).max(100) }),
  responses: { 200: DisputeShape },
  errors: ['dispute_not_found'],
  tool: { name: 'getDispute', directory: true, sets: ['worker', 'operator'] },
  examples: EXAMPLE,
})

export const getDisputeFile = operation('getDisputeFile', 'GET /disputes/:id/file', {
  summary: 'The signed file of an ended dispute, byte for byte as it was signed.',
  description:
    'One self-contained document: frozen terms, submission, verdicts with their checks, decisions, deadlines, the work receipt with its settlement proof, and the history of the session with its hashes. The answer is canonical JSON (RFC 8785) and never changes.',
  ...own,
  capability: 'disputes:read',
  params: z.object({ id: z.string().min(1).max(100) }),
  responses: { 200: DisputeFileShape },
  errors: ['dispute_not_found', 'dispute_file_not_ready', 'dispute_file_impossible'],
  examples: EXAMPLE,
})

export const submitDisputeStatement = operation('submitDisputeStatement', 'POST /disputes/:id/statement', {
  summary: 'State as the worker why the work is right, for those who decide.',
  description:
    'Optional. Parties, verifiers, arbitrators and admins read it in `GET /disputes/:id`, and the file of the dispute has it. A later statement replaces it until the round is decided; the timeline keeps the hash of each.',
  tags: ['Disputes'],
  auth: WALLET_ONLY,
  action: 'wallet_sign_in',
  capability: 'content:write',
  rate: 'content_write',
  idempotent: 'dispute_statement',
  params: z.object({ id: z.string().min(1).max(100) }),
  body: z.strictObject({
    statement: trimmedText(STATEMENT.shortest, STATEMENT.longest),
    idempotencyKey: IdempotencyKeyInput.optional(),
  }),
  responses: { 200: z.object({ disputeId: z.string(), statement: WorkerStatementShape }) },
  errors: ['dispute_not_found', 'dispute_statement_forbidden', 'dispute_already_decided'],
  examples: { ...EXAMPLE, body: { statement: 'The third source names the term under its older spelling.' } },
})

export const decideDispute = operation('decideDispute', 'POST /disputes/:id/verdict', {
  summary: 'Decide a dispute; a preview shows who would get what.',
  description:
    'The first verdict decides, whether it comes from this route, the workflow engine or the arbitrator’s own transaction; later verdicts are refused. Without an arbitrator key the answer holds the unsigned transaction.',
  ...own,
  role: ['arbitrator', 'admin'],
  capability: 'disputes:verdict',
  rate: 'verifier_run',
  idempotent: 'dispute_verdict',
  needsOperator: true,
  params: z.object({ id: z.string().min(1).max(100) }),
  body: z
    .strictObject({
      verdict: VerdictInput.optional(),
      outcome: aliasOf('verdict', VerdictInput.optional()),
      workerPayout: RequestAmount.optional().describe('Base units; for a split only, above zero and at most the remaining reward.'),
      rationale: trimmedText(RATIONALE.arbitration, RATIONALE.longest),
      preview: z.boolean().optional(),
      supersedes: z.string().min(1).max(100).optional().describe('Id of the unsigned preparation that this verdict replaces.'),
      idempotencyKey: IdempotencyKeyInput.optional(),
    })
    .refine((body) => (body.verdict === undefined) !== (body.outcome === undefined), {
      path: ['verdict'],
      error: 'exactly one of verdict and outcome is required',
    })
    .meta(oneMemberOf('verdict', 'outcome')),
  responses: { 200: z.union([DisputeShape, VerdictPreviewShape]) },
  errors: [
    'dispute_not_found',
    'dispute_already_decided',
    'dispute_timeout_not_reached',
    'dispute_proof_required',
    'dispute_proof_unavailable',
    'invalid_session_transition',
    ...DECISION_ERRORS,
  ],
  examples: { ...EXAMPLE, body: { verdict: 'split', rationale: 'Half of the task was answered.', preview: true } },
})
