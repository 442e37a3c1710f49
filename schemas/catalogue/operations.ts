import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { TierGateShape } from '../eligibility/shapes.ts'
import { operation } from '../operations/operation.ts'
import {
  Address,
  AddressInput,
  Bytes32,
  flagQuery,
  IdempotencyKeyInput,
  IsoTime,
  JobIdInput,
  listAnswer,
  listQuery,
  OpenObject,
  SessionIdInput,
} from '../operations/values.ts'
import type { ClaimStage } from '../sessions/record.ts'
import { PendingSessionShape, SessionShape } from '../sessions/shapes.ts'
import { CLAIM_STATES } from './claim-status.ts'
import { TIERS, VERIFIER_MODES } from './job-definition.ts'
import { CompactJobShape, JobShape } from './shapes.ts'

const tags = ['Jobs'] as const
const anyState = [...CLAIM_STATES, 'claimable', 'available'] as const

export const listJobs = operation({
  id: 'listJobs',
  method: 'GET',
  path: '/jobs',
  summary: 'Public job catalogue, newest first.',
  description:
    'Open jobs, claimed, submitted and exhausted ones included. `claimStatus.claimable` and `claimStatus.reason` decide whether a job can be claimed; `wallet` fills `currentWalletCanClaim`.',
  tags,
  auth: 'none',
  query: z.object({
    ...listQuery(25, 100),
    wallet: AddressInput.optional(),
    format: z.enum(['full', 'compact']).optional(),
    shape: z.enum(['full', 'compact']).optional().describe('Alias of `format`.'),
    source: z.string().min(1).max(60).optional(),
    category: z.string().min(1).max(60).optional(),
    state: z.string().toLowerCase().pipe(z.enum(anyState)).optional(),
    tier: z.string().toLowerCase().pipe(z.enum(TIERS)).optional(),
    verifierMode: z.string().toLowerCase().pipe(z.enum(VERIFIER_MODES)).optional(),
  }),
  responses: {
    200: z.object({
      jobs: z.array(z.union([JobShape, CompactJobShape])),
      ...listAnswer,
      count: z.int().min(0),
      filters: z.object({
        source: z.string().optional(),
        category: z.string().optional(),
        state: z.string().optional(),
        tier: z.string().optional(),
        verifierMode: z.string().optional(),
      }),
      compact: z.boolean(),
      inventory: z.object({
        claimableJobs: z.int().min(0),
        waiverEligibleJobs: z.int().min(0),
        waiverEligibleClaimableJobs: z.int().min(0),
        asOf: IsoTime.optional(),
      }),
    }),
  },
  errors: [],
  cache: 'no-cache',
  tool: { name: 'listJobs', directory: true },
  examples: { query: { format: 'compact', state: 'claimable' } },
})

export const getJobDefinition = operation({
  id: 'getJobDefinition',
  method: 'GET',
  path: '/jobs/definition',
  summary: 'Canonical definition of one job.',
  tags,
  auth: 'optional',
  query: z.object({ jobId: JobIdInput, wallet: AddressInput.optional(), includeArchived: flagQuery }),
  responses: { 200: JobShape },
  errors: ['job_not_found', 'missing_token', 'missing_role'],
  cache: 'no-cache',
  tool: { name: 'getJobDefinition', directory: true },
  examples: { query: { jobId: 'starter-docs-001' } },
})

const tierRow = z.object({ tier: z.enum(TIERS), requires: z.object({ skill: z.int() }) })

export const getJobTiers = operation({
  id: 'getJobTiers',
  method: 'GET',
  path: '/jobs/tiers',
  summary: 'Skill each claim tier requires; with a token, how far the wallet is.',
  tags,
  auth: 'optional',
  responses: {
    200: z.object({
      ladder: z.string(),
      scoringVersion: z.int(),
      tiers: z.array(z.union([TierGateShape, tierRow])),
      wallet: Address.optional(),
      reputation: OpenObject.optional(),
      nextLocked: TierGateShape.nullable().optional(),
    }),
  },
  errors: [],
  cache: 'public, max-age=300',
  tool: { name: 'getJobTierLadder', directory: true },
})

export const listJobSchemas = operation({
  id: 'listJobSchemas',
  method: 'GET',
  path: '/schemas/jobs',
  summary: 'Built-in job schemas.',
  tags,
  auth: 'none',
  responses: {
    200: z.object({
      schemas: z.array(z.object({ $id: z.string(), description: z.string(), path: z.string() })),
      count: z.int(),
      docs: z.string(),
    }),
  },
  errors: [],
  cache: 'public, max-age=300',
  tool: { name: 'listJobSchemas', directory: true },
})

export const getJobSchema = operation({
  id: 'getJobSchema',
  method: 'GET',
  path: '/schemas/jobs/:name.json',
  summary: 'One built-in job schema (JSON Schema draft-07).',
  tags,
  auth: 'none',
  params: z.object({ name: z.string().min(1).max(120) }),
  responses: { 200: OpenObject },
  errors: ['schema_not_found'],
  cache: 'public, max-age=300',
  tool: { name: 'getJobSchema', directory: true },
  examples: { params: { name: 'codehost-pr-evidence-output' } },
})

const FieldErrorShape = z.object({
  pointer: z.string(),
  rule: z.string(),
  limit: z.union([z.string(), z.number()]).optional(),
  message: z.string(),
})
interface Offered {
  submission?: unknown
  output?: unknown
  evidence?: unknown
}
const offered = ({ submission, output, evidence }: Offered): unknown[] =>
  [submission, output, evidence].filter((value) => value !== undefined)
const present = (body: Offered): boolean => offered(body).length > 0
/** A submission cannot be taken back: which of two was meant is not guessed. */
const unambiguous = (body: Offered): boolean => {
  const [first, ...others] = offered(body)
  return others.every((other) => isDeepStrictEqual(other, first))
}
const AMBIGUOUS = { path: ['submission'], error: 'differs from its alias in the same body' }

export const validateSubmission = operation({
  id: 'validateSubmission',
  method: 'POST',
  path: '/jobs/validate-submission',
  summary: 'Check a submission against the schema of its job; nothing is stored.',
  tags,
  auth: 'none',
  rate: 'jobs_validate',
  body: z
    .strictObject({
      jobId: JobIdInput,
      submission: z.unknown().optional(),
      output: z.unknown().optional().describe('Alias of `submission`.'),
      evidence: z.unknown().optional().describe('Alias of `submission`.'),
    })
    .refine(present, { path: ['submission'], error: 'is required' })
    .refine(unambiguous, AMBIGUOUS),
  responses: {
    200: z.object({
      jobId: z.string(),
      valid: z.boolean(),
      submitSafe: z.boolean(),
      validationEndpoint: z.string(),
      submitEndpoint: z.string(),
      submissionShape: z.string(),
      schemaValidates: z.string(),
      doNotWrapInOutput: z.boolean(),
      requiredTopLevelKeys: z.array(z.string()),
      schemaRef: z.string(),
      submissionKind: z.enum(['structured', 'text']).optional(),
      normalizedSubmission: z.unknown().optional(),
      normalizedFrom: z.string().optional(),
      evidenceHash: Bytes32.optional().describe('keccak256 of the canonical submission, as a submit would record it.'),
      warnings: z.array(z.object({ code: z.string(), message: z.string() })).optional(),
      disclosure: z.object({ status: z.string(), hint: z.string(), footer: z.string().optional() }).optional(),
      code: z.string().optional(),
      message: z.string().optional(),
      path: z.string().optional(),
      errorPaths: z.array(z.string()).optional(),
      errors: z.array(FieldErrorShape).optional(),
      details: OpenObject.optional(),
    }),
  },
  errors: ['job_not_found'],
  tool: { name: 'validateJobSubmission', directory: true },
  examples: {
    body: { jobId: 'starter-docs-001', submission: { summary: 'Three stale links found.', output: 'See list.', status: 'complete' } },
  },
})

const SESSION_EXAMPLE = 'starter-docs-001:0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** Answer 202 as an example: what is under way, and how it is waited for. */
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

export const claimJob = operation({
  id: 'claimJob',
  method: 'POST',
  path: '/jobs/claim',
  summary: 'Claim a job: lock the bond and start the claim clock.',
  description:
    'Safe to repeat: the wallet gets its live session back. 202 when the chain write outlasts the wait; the same request later converges to 200.',
  tags,
  auth: 'wallet',
  action: 'wallet_sign_in',
  capability: 'jobs:claim',
  earning: true,
  rate: 'jobs_claim',
  idempotent: 'jobs_claim',
  body: z.strictObject({ jobId: JobIdInput, idempotencyKey: IdempotencyKeyInput.optional() }),
  responses: { 200: SessionShape, 202: PendingSessionShape },
  errors: [
    'tier_locked',
    'role_locked',
    'claim_not_brokered',
    'job_not_found',
    'job_already_claimed',
    'claim_in_progress',
    'retry_limit_exhausted',
    'job_session_completed',
    'idempotency_key_already_used',
    'job_not_claimable',
    'designated_claimants_only',
    'job_definition_chain_mismatch',
    'job_definition_integrity_invalid',
    'reward_funding_pending',
    'reward_funding_unverified',
    'insufficient_liquidity',
    'onboarding_subsidy_exhausted',
    'priority_window_active',
    'worker_open_exposure_cap_reached',
    'worker_open_exposure_unavailable',
    'daily_exposure_budget_reached',
    'daily_exposure_budget_unavailable',
    'lifetime_catalogue_credit_exhausted',
    'catalogue_daily_budget_exhausted',
    'catalogue_daily_budget_unavailable',
    'external_reward_exceeds_capital_ceiling',
    'source_already_paid',
    'source_payment_history_unavailable',
    'external_self_paid_claim_required',
    'external_job_delisted',
    'external_job_transition_in_progress',
    'external_posting_not_open_on_chain',
    'external_posting_escrow_unverified',
    'legacy_posting_unclaimable',
    'blockchain_revert',
    'blockchain_unavailable',
    'claim_economics_unavailable',
    'chain_backend_required',
    'workflow_engine_unavailable',
  ],
  tool: { name: 'claimJob', directory: false },
  examples: {
    body: { jobId: 'starter-docs-001' },
    responses: pendingExample('locking_bond', { txHash: `0x${'a1'.repeat(32)}`, nonce: 41 }),
  },
})

export const submitWork = operation({
  id: 'submitWork',
  method: 'POST',
  path: '/jobs/submit',
  summary: 'Submit the work of a claimed session.',
  description: 'Checked against the schema pinned at claim. A refused submission leaves the session claimed and counts no attempt.',
  tags,
  auth: 'wallet',
  action: 'wallet_sign_in',
  capability: 'jobs:submit',
  earning: true,
  rate: 'jobs_submit',
  idempotent: 'jobs_submit',
  body: z
    .strictObject({
      sessionId: SessionIdInput,
      submission: z.unknown().optional(),
      evidence: z.unknown().optional().describe('Alias of `submission`; plain text for text jobs, at most 16,384 bytes.'),
      idempotencyKey: IdempotencyKeyInput.optional(),
    })
    .refine(present, { path: ['submission'], error: 'is required' })
    .refine(unambiguous, AMBIGUOUS),
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
    'external_direct_submit_state_mismatch',
    'external_direct_submit_evidence_mismatch',
    'brokered_submit_expired',
    'brokered_submit_attempts_exhausted',
    'brokered_submit_worker_mismatch',
    'chain_state_diverged',
    'blockchain_revert',
    'blockchain_unavailable',
    'chain_backend_required',
    'workflow_engine_unavailable',
  ],
  tool: { name: 'submitWork', directory: false },
  examples: {
    body: {
      sessionId: SESSION_EXAMPLE,
      submission: { summary: 'Three stale links found.', output: 'See list.', status: 'complete' },
    },
    responses: pendingExample('submitting', { txHash: null, nonce: null }),
  },
})
