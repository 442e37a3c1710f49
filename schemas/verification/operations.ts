import { z } from 'zod'
import { OPTIONAL, operation, PUBLIC, VERIFIER } from '../operations/operation.ts'
import { Bytes32, IdempotencyKeyInput, IsoTime, part, SessionIdInput, WaitSecondsQuery } from '../operations/values.ts'
import { ReplacedVerdict } from '../sessions/shapes.ts'
import { VERDICT_OUTCOMES } from '../sessions/verdicts.ts'
import { RESULT_STATUSES, resultMembers, verdictMembers } from './shapes.ts'

const tags = ['Verification'] as const

const VerdictShape = z.object(verdictMembers).meta({ id: 'Verdict', description: 'A decided verdict with its input and pins.' })

/** Public part of a verification: no submission, no evidence. */
const PublicResultShape = z.object({
  sessionId: z.string(),
  jobId: z.string(),
  status: z.enum(RESULT_STATUSES),
  outcome: z.enum(VERDICT_OUTCOMES).optional(),
  reasonCode: z.string().optional(),
  submittedAt: IsoTime.nullable().optional(),
  awaitingSince: IsoTime.nullable().optional().describe('Instant since which a verdict is due.'),
  resolvedAt: IsoTime.nullable().optional(),
  replacedVerdict: ReplacedVerdict,
  ...resultMembers,
})

/** The value captured at the claim and the current one. */
const drift = <Value extends z.ZodType>(id: string, value: Value) =>
  z
    .object({ captured: value.describe('Value at the claim.'), live: value.nullable().describe('Value now; null for a job that is gone.') })
    .meta({ id, description: 'A value as the claim captured it beside the current one.' })
const TextDrift = drift('TextDrift', z.string())
const NumberDrift = drift('NumberDrift', z.int())
const HashDrift = drift('HashDrift', Bytes32)

export const listVerifierHandlers = operation('listVerifierHandlers', 'GET /verifier/handlers', {
  summary: 'Supported verifier modes.',
  tags,
  auth: PUBLIC,
  responses: {
    200: z.object({
      handlers: z.array(z.string()).describe('Verifier modes that the service can judge.'),
      details: z.array(
        z.object({
          handler: z.string(),
          handlerVersion: z.int(),
          settlementPath: z.string().describe('`automatic`: the verifier decides; `human_review`: people may have to.'),
          humanReviewPossible: z.boolean().describe('Whether people may have to decide.'),
          fixtures: part('Number of cases with which the handler is tested.', {
            positive: z.int().describe('Work that must be approved.'),
            negative: z.int().describe('Honest work that falls short.'),
            adversarial: z.int().describe('Work that tries to get paid for nothing.'),
          }),
        }),
      ),
    }),
  },
  cache: 'public, max-age=300',
  tool: { name: 'listVerifierHandlers', directory: true, sets: ['poster'] },
})

/** Members of a result that stay in its short form: all but the submission, the snapshots and the contract of the verification. */
const RESULT_IN_SHORT = [
  ...['sessionId', 'jobId', 'status', 'outcome', 'reasonCode', 'score', 'detail', 'items', 'handler', 'waitingFor', 'reason'],
  ...['submittedAt', 'evaluatedAt', 'decidedAt', 'resolvedAt', 'resolution', 'session', 'payoutTx', 'metadataURI', 'nextActions'],
] as const

export const getVerificationResult = operation('getVerificationResult', 'GET /verifier/result', {
  summary: 'State of the verification of a session.',
  description:
    'Every caller gets status, outcome and times; the owner, verifiers and admins get the verdict with submission, evidence and snapshots, and what the session waits for. `with_people`: a reviewer or the arbitrator has to decide. After a dispute with another decision, outcome and reasonCode are those of the dispute; after a time-out the verdict stays.',
  tags,
  auth: OPTIONAL,
  ownView: ['session:read', 'verifier:result:read'],
  query: z.object({ sessionId: SessionIdInput, waitSeconds: WaitSecondsQuery }),
  responses: { 200: z.union([VerdictShape, PublicResultShape]) },
  errors: ['session_not_found'],
  cache: 'no-cache',
  tool: {
    name: 'getVerificationResult',
    directory: true,
    sets: ['worker', 'poster', 'operator'],
    short: { members: RESULT_IN_SHORT },
  },
  examples: { query: { sessionId: 'starter-docs-001:0x70997970C51812dc3A010C7d01b50e0d17dc79C8' } },
})

export const runVerifier = operation('runVerifier', 'POST /verifier/run', {
  summary: 'Verify a submitted session now; settles unless it is a preview.',
  ...VERIFIER,
  capability: 'verifier:run',
  rate: 'verifier_run',
  idempotent: 'verifier_run',
  needsOperator: true,
  body: z
    .strictObject({
      sessionId: SessionIdInput,
      evidence: z.unknown().optional().describe('Judged instead of the stored submission, in a preview only.'),
      metadataURI: z.url().optional().describe("Address for the verdict instead of the badge's; the token on chain names the badge."),
      preview: z.boolean().optional().describe('True to judge and change nothing.'),
      idempotencyKey: IdempotencyKeyInput.optional(),
    })
    .refine((body) => body.evidence === undefined || body.preview === true, {
      path: ['evidence'],
      error: 'is judged in a preview only; a verdict that settles judges the stored submission',
    })
    .meta({ dependentSchemas: { evidence: { required: ['preview'], properties: { preview: { const: true } } } } }),
  responses: { 200: VerdictShape },
  errors: [
    'session_not_found',
    'invalid_session_transition',
    'upstream_failure',
    'blockchain_revert',
    'chain_state_diverged',
    'workflow_engine_unavailable',
  ],
  examples: { body: { sessionId: 'starter-docs-001:0x70997970C51812dc3A010C7d01b50e0d17dc79C8', preview: true } },
})

export const replayVerifier = operation('replayVerifier', 'POST /verifier/replay', {
  summary: 'Re-compute a verdict from the stored input and the captured configuration; changes nothing.',
  ...VERIFIER,
  capability: 'verifier:replay',
  rate: 'verifier_run',
  body: z.strictObject({ sessionId: SessionIdInput }),
  responses: {
    200: z.object({
      ...verdictMembers,
      replay: z.literal(true),
      originalOutcome: z.string().describe('Outcome of the stored verdict.'),
      replayDrift: part('Terms of the claim beside those of now.', {
        handler: TextDrift,
        handlerVersion: NumberDrift,
        evidenceSchemaRef: TextDrift,
        verifierPolicyVersion: NumberDrift,
        verifierConfigHash: HashDrift,
      }),
    }),
  },
  errors: ['session_not_found', 'invalid_session_transition', 'upstream_failure'],
  examples: { body: { sessionId: 'starter-docs-001:0x70997970C51812dc3A010C7d01b50e0d17dc79C8' } },
})
