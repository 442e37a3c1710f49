import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { codesOf } from '../common/error-row.ts'
import { ELIGIBILITY_ERRORS } from '../eligibility/errors.ts'
import { operation, PUBLIC, SIGNED_IN } from '../operations/operation.ts'
import {
  aliasOf,
  Bytes32,
  FieldErrorShape,
  IdempotencyKeyInput,
  JobIdInput,
  OpenObject,
  oneMemberOf,
  SESSION_EXAMPLE,
  SessionIdInput,
} from '../operations/values.ts'
import { MAINTAINER_ERRORS } from '../pull-requests/errors.ts'
import type { ClaimStage } from '../sessions/record.ts'
import { PendingSessionShape, SESSION_IN_SHORT, SessionShape } from '../sessions/shapes.ts'

interface Offered {
  submission?: unknown
  output?: unknown
  evidence?: unknown
}
const offered = ({ submission, output, evidence }: Offered): unknown[] =>
  [submission, output, evidence].filter((value) => value !== undefined)
const present = (body: Offered): boolean => offered(body).length > 0
/** A submission is final, so the service refuses a body with two of them. */
const unambiguous = (body: Offered): boolean => {
  const [first, ...others] = offered(body)
  return others.every((other) => isDeepStrictEqual(other, first))
}
const GOOD_WORK = { summary: 'Three stale links found.', output: 'See list.', status: 'complete' }
const AMBIGUOUS = { path: ['submission'], error: 'differs from its alias in the same body' }

/** Breaks, controls and invisible characters, which could change the footer that shows the name. */
const NOT_SHOWN = '\\u0000-\\u001f\\u007f-\\u009f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff'
const ResponsiblePersonInput = z
  .string()
  .max(100)
  .regex(new RegExp(`^[^\\s${NOT_SHOWN}](?:[^${NOT_SHOWN}]*[^\\s${NOT_SHOWN}])?$`))
  .meta({
    description:
      'Name or handle of the person who answers for the work before the maintainers, 1 to 100 characters in one line. Some repositories require it. It is public in the footer of the pull request.',
    examples: ['@jane-doe'],
  })

export const validateSubmission = operation('validateSubmission', 'POST /jobs/validate-submission', {
  summary: 'Check a submission against the terms of its job; nothing is stored.',
  tags: ['Jobs'],
  auth: PUBLIC,
  rate: 'jobs_validate',
  body: z
    .strictObject({
      jobId: JobIdInput,
      submission: z.unknown().optional().describe('The work, as the schema of the job describes it.'),
      output: aliasOf('submission', z.unknown().optional()),
      evidence: aliasOf('submission', z.unknown().optional()),
    })
    .refine(present, { path: ['submission'], error: 'is required' })
    .refine(unambiguous, AMBIGUOUS)
    .meta(oneMemberOf('submission', 'output', 'evidence')),
  responses: {
    200: z.object({
      jobId: z.string(),
      valid: z.boolean().describe('Whether submit accepts it: it matches the schema, and its pull request is one of the job.'),
      submitSafe: z.boolean().describe('Whether submit accepts it and its terms alone do not decide that the verifier rejects it.'),
      validationEndpoint: z.string(),
      submitEndpoint: z.string(),
      submissionShape: z.string(),
      schemaValidates: z.string().describe('Member of the request that the schema checks.'),
      doNotWrapInOutput: z.boolean().describe('The object is sent directly, not inside `output`.'),
      requiredTopLevelKeys: z.array(z.string()).describe('Members that the schema requires.'),
      schemaRef: z.string(),
      submissionKind: z.enum(['structured', 'text']).optional(),
      normalizedSubmission: z.unknown().optional().describe('The submission as it would be stored.'),
      normalizedFrom: z.string().optional().describe('Member from which a wrapped submission was taken.'),
      evidenceHash: Bytes32.optional().describe('keccak256 of the canonical submission, as a submit would record it.'),
      warnings: z
        .array(z.object({ code: z.string(), message: z.string() }))
        .optional()
        .describe('Why the verifier may reject it, and what submit would refuse.'),
      disclosure: z
        .object({
          status: z.string().describe('Whether the text of the pull request names the claimant.'),
          hint: z.string(),
          footer: z.string().optional().describe('Text to put into the pull request.'),
        })
        .optional(),
      code: z.string().optional().describe('Code with which submit would refuse it; absent where it is valid.'),
      message: z.string().optional(),
      path: z.string().optional().describe('First failed member.'),
      errorPaths: z.array(z.string()).optional().describe('Failed members.'),
      errors: z.array(FieldErrorShape).optional(),
      details: OpenObject.optional(),
    }),
  },
  errors: ['job_not_found'],
  tool: { name: 'validateJobSubmission', directory: true, sets: ['worker'], readOnly: true },
  examples: { body: { jobId: 'starter-docs-001', submission: GOOD_WORK } },
})

export type ValidationAnswer = z.input<(typeof validateSubmission)['responses'][200]>

const earning = { tags: ['Jobs'], ...SIGNED_IN, earning: true } as const

/** Example of a 202 answer. */
const pendingExample = (stage: ClaimStage, written: { txHash: string | null; nonce: number | null }) => ({
  202: {
    sessionId: SESSION_EXAMPLE,
    jobId: 'starter-docs-001',
    wallet: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
    status: 'pending',
    stage,
    ...written,
    retryAfterSeconds: 2,
    nextActions: [
      {
        kind: 'http',
        method: 'GET',
        path: `/session?sessionId=${encodeURIComponent(SESSION_EXAMPLE)}&waitSeconds=25`,
        description: 'Wait until the chain write is recorded.',
      },
    ],
  },
})

export const claimJob = operation('claimJob', 'POST /jobs/claim', {
  summary: 'Claim a job: lock the bond and start the claim clock.',
  description:
    'Safe to repeat: the wallet gets its live session back, with the person that it recorded. 202 when the chain write outlasts the wait; the same request later converges to 200.',
  ...earning,
  capability: 'jobs:claim',
  rate: 'jobs_claim',
  idempotent: 'jobs_claim',
  needsOperator: true,
  body: z.strictObject({
    jobId: JobIdInput,
    responsiblePerson: ResponsiblePersonInput.optional(),
    idempotencyKey: IdempotencyKeyInput.optional(),
  }),
  responses: { 200: SessionShape, 202: PendingSessionShape },
  errors: [
    'job_not_found',
    'job_already_claimed',
    'claim_in_progress',
    'idempotency_key_already_used',
    'external_self_paid_claim_required',
    'job_definition_chain_mismatch',
    'job_definition_integrity_invalid',
    'blockchain_revert',
    'blockchain_unavailable',
    'workflow_engine_unavailable',
    'maintainer_open_pr_cap_reached',
    ...codesOf(MAINTAINER_ERRORS),
    ...codesOf(ELIGIBILITY_ERRORS),
  ],
  tool: { name: 'claimJob', directory: false, sets: ['worker'], short: { members: SESSION_IN_SHORT } },
  examples: {
    body: { jobId: 'starter-docs-001' },
    responses: pendingExample('locking_bond', { txHash: `0x${'a1'.repeat(32)}`, nonce: 41 }),
  },
})

export const submitWork = operation('submitWork', 'POST /jobs/submit', {
  summary: 'Submit the work of a claimed session.',
  description: 'Checked against the schema pinned at claim. A refused submission leaves the session claimed and counts no attempt.',
  ...earning,
  capability: 'jobs:submit',
  rate: 'jobs_submit',
  idempotent: 'jobs_submit',
  needsOperator: true,
  body: z
    .strictObject({
      sessionId: SessionIdInput,
      submission: z.unknown().optional().describe('The work, as the schema of the job describes it.'),
      evidence: z.unknown().optional().describe('Alias of `submission`; plain text for text jobs, at most 16,384 bytes.'),
      idempotencyKey: IdempotencyKeyInput.optional(),
    })
    .refine(present, { path: ['submission'], error: 'is required' })
    .refine(unambiguous, AMBIGUOUS)
    .meta(oneMemberOf('submission', 'evidence')),
  responses: { 200: SessionShape, 202: PendingSessionShape },
  errors: [
    'invalid_submission_shape',
    'session_not_owned',
    'session_not_found',
    'claim_expired',
    'job_session_completed',
    'claim_in_progress',
    'submit_in_progress',
    'invalid_session_transition',
    'maintainer_open_pr_cap_reached',
    'external_self_paid_submit_required',
    'external_direct_submit_evidence_mismatch',
    'external_direct_submit_state_mismatch',
    'claim_not_admitted',
    'brokered_submit_expired',
    'chain_state_diverged',
    'blockchain_revert',
    'blockchain_unavailable',
    'workflow_engine_unavailable',
  ],
  tool: { name: 'submitWork', directory: false, sets: ['worker'], final: true, short: { members: SESSION_IN_SHORT } },
  examples: {
    body: { sessionId: SESSION_EXAMPLE, submission: GOOD_WORK },
    responses: pendingExample('submitting', { txHash: null, nonce: null }),
  },
})
