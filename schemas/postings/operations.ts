import { z } from 'zod'
import { ApprovalShape, AssetRefShape, BlockShape, templateMembers } from '../chain/templates.ts'
import { ADMIN, operation, PUBLIC, WALLET_ONLY } from '../operations/operation.ts'
import {
  Address,
  AddressInput,
  Amount,
  AssetAmount,
  Bytes32,
  ChainIdValue,
  IdempotencyKeyInput,
  IsoTime,
  JobIdInput,
  listAnswer,
  listQuery,
  shape,
  trimmedText,
} from '../operations/values.ts'
import { DefinitionBody } from './definition-input.ts'
import { PosterOnboardingShape } from './onboarding.ts'
import { CancellationShape, DraftShape, PostedJobShape, PosterJobShape } from './shapes.ts'
import { POSTING_STATUSES } from './terms.ts'

const tags = ['Posting'] as const
const poster = { tags, auth: WALLET_ONLY, action: 'wallet_sign_in' } as const
const DRAFT_ID = `0x${'4d'.repeat(32)}`
const JOB_ID = `0x${'5c'.repeat(32)}`

/** Refusals of a definition, in the order in which they are decided. */
const DRAFT_REFUSALS = [
  'external_posting_closed',
  'external_poster_not_allowed',
  'external_sponsored_gas_forbidden',
  'external_onboarding_waiver_forbidden',
  'external_payout_mode_not_supported',
  'external_reward_asset_not_supported',
  'external_reward_invalid_shape',
  'external_reward_below_floor',
  'external_reward_above_ceiling',
  'designated_claimants_cardinality_invalid',
  'designated_claimant_address_invalid',
  'designated_claimant_checksum_required',
  'designated_agreement_reward_cap_exceeded',
  'external_schema_not_supported',
  'catalog_verifier_cannot_reject_bad_work',
  'external_listing_quarantined',
  'verification_contract_refused',
  'verification_contract_freezing',
  'verification_profile_unavailable',
] as const

/** Refusals of a quote and of the transactions that fund it. */
const QUOTE_REFUSALS = [
  'designated_agreement_concurrent_cap_reached',
  'designated_agreement_cap_unavailable',
  'external_fee_quote_reward_mismatch',
  'external_fee_quote_unavailable',
  'external_fee_quote_invalid',
] as const

const onKey = { idempotencyKey: IdempotencyKeyInput.optional() }

export const draftJob = operation('draftJob', 'POST /jobs/draft', {
  summary: 'Draft a job: what it will cost, who can claim it, and what stands against it.',
  description:
    'Nothing enters the catalogue and no money moves. Equal content of one wallet has one draft: a repeat renews its quote, unless it is funded. The definition has no id. Every refusal names the member, the rule and its limit.',
  ...poster,
  capability: 'posting:draft',
  rate: 'postings',
  idempotent: 'jobs_draft',
  body: z.strictObject({ definition: DefinitionBody, ...onKey }),
  responses: { 201: DraftShape },
  errors: [...DRAFT_REFUSALS, 'external_open_drafts_cap_reached', ...QUOTE_REFUSALS, 'workflow_engine_unavailable'],
  tool: { name: 'draftJob', directory: true, sets: ['poster'] },
  examples: {
    body: {
      definition: {
        title: 'Retry policy for a client',
        description: 'Design the retry policy of a client.',
        category: 'coding',
        rewardAmount: 1,
        verifierMode: 'benchmark',
        verifierTerms: ['exponential backoff', 'jitter', 'retry budget'],
      },
    },
  },
})

export const getJobDraft = operation('getJobDraft', 'GET /jobs/draft/:id', {
  summary: 'A draft of the wallet, and where its funding stands.',
  ...poster,
  capability: 'posting:read',
  params: z.object({ id: Bytes32 }),
  responses: { 200: DraftShape },
  errors: ['external_draft_not_found', 'external_draft_not_owned'],
  examples: { params: { id: DRAFT_ID } },
})

export const buildPostJobTransactions = operation('buildPostJobTransactions', 'POST /jobs/draft/:id/transactions', {
  summary: 'Unsigned transactions that fund a draft: approve, deposit, create.',
  description:
    'Approval and deposit come only where the balance of the account contract does not cover the quote. The service sends nothing. From here on it watches the escrow, and lists the job once its creation is confirmed and equals the draft in every term.',
  ...poster,
  capability: 'posting:draft',
  earning: true,
  rate: 'postings',
  idempotent: 'jobs_draft_transactions',
  params: z.object({ id: Bytes32 }),
  body: z.strictObject(onKey),
  responses: {
    200: z.object({
      schemaVersion: z.literal(1),
      available: z.literal(true),
      wallet: Address,
      draftId: Bytes32,
      jobId: Bytes32,
      chainId: ChainIdValue,
      block: BlockShape,
      asset: AssetRefShape,
      account: z.object({ spendable: Amount.describe('Balance that counts for the funding before the transactions.') }),
      deposit: z
        .object({ amount: Amount.describe('Part of the quote that the balance does not cover.') })
        .extend({ required: z.boolean() })
        .describe('Deposit that comes before the creation.'),
      posterReserved: AssetAmount.describe('What the creation reserves: reward, reserves and fee.'),
      approval: ApprovalShape,
      ...templateMembers,
      expiresAt: IsoTime.describe('A funding counts until then.'),
      cancellation: CancellationShape.nullable().describe('How the money comes back.'),
    }),
  },
  errors: [
    'external_posting_closed',
    'external_poster_not_allowed',
    'external_draft_not_found',
    'external_draft_not_owned',
    'external_draft_expired',
    'external_draft_already_funded',
    'external_draft_id_taken',
    'external_fee_quote_mismatch',
    ...QUOTE_REFUSALS,
    'blockchain_unavailable',
    'workflow_engine_unavailable',
  ],
  tool: { name: 'buildPostJobTransactions', directory: true, sets: ['poster'] },
  examples: { params: { id: DRAFT_ID }, body: {} },
})

export const listPosterJobs = operation('listPosterJobs', 'GET /poster/jobs', {
  fromReplica: true,
  summary: 'Own drafts and posted jobs, newest first, each with what to do next.',
  ...poster,
  capability: 'posting:read',
  query: z.object(listQuery(25, 100)),
  responses: { 200: z.object({ jobs: z.array(PosterJobShape), ...listAnswer }) },
  examples: { query: { limit: '25' } },
})

export const listAdminPostings = operation('listAdminPostings', 'GET /admin/postings', {
  fromReplica: true,
  summary: 'Drafts and posted jobs of every wallet, newest first.',
  description: 'A row is that of `GET /poster/jobs` with its poster. A quote without a funding in time is `expired`.',
  ...ADMIN,
  tags: ['Operators'],
  capability: 'ops:view',
  query: z.object({
    ...listQuery(50, 250),
    status: z.enum(POSTING_STATUSES).optional(),
    poster: AddressInput.optional(),
  }),
  responses: { 200: z.object({ jobs: z.array(PostedJobShape), ...listAnswer }) },
  examples: { query: { status: 'live' } },
})

const RefundPartsShape = shape('PostingRefundParts', 'What the escrow gives back for an open job.', {
  total: AssetAmount,
  reward: AssetAmount,
  posterFee: AssetAmount,
  opsReserve: AssetAmount,
  contingencyReserve: AssetAmount,
})

export const buildCancelTransactions = operation('buildCancelTransactions', 'POST /poster/jobs/:jobId/cancel/transactions', {
  summary: 'Unsigned cancellation of an open job: the escrow gives reward, fee and reserves back.',
  description: 'Only the wallet that funded the job can cancel it, an hour after the funding. A claim that is mined first keeps the job.',
  ...poster,
  capability: 'posting:read',
  params: z.object({ jobId: Bytes32 }),
  body: z.strictObject({}),
  responses: {
    200: z.object({
      schemaVersion: z.literal(1),
      available: z.literal(true),
      wallet: Address,
      jobId: Bytes32,
      block: BlockShape,
      earliestAt: IsoTime,
      refund: RefundPartsShape,
      ...templateMembers,
    }),
  },
  errors: ['external_job_not_found', 'external_job_not_open', 'external_cancel_too_early', 'blockchain_unavailable'],
  examples: { params: { jobId: JOB_ID }, body: {} },
})

export const getPosterOnboarding = operation('getPosterOnboarding', 'GET /poster/onboarding', {
  summary: 'How to post a job: who may, what it costs, how it is judged, what can go wrong, how the money comes back.',
  description: 'A value that could not be read is left out, with the reason in `liveReads`; it never has a default.',
  tags,
  auth: PUBLIC,
  responses: { 200: PosterOnboardingShape },
  cache: 'public, max-age=30',
  tool: { name: 'getPosterOnboarding', directory: true, sets: ['poster'] },
})

export const delistJob = operation('delistJob', 'POST /admin/jobs/:jobId/delist', {
  summary: 'Take a posted job out of the catalogue; the escrow is not touched.',
  ...ADMIN,
  capability: 'jobs:lifecycle',
  rate: 'admin_jobs',
  idempotent: 'admin_jobs_delist',
  params: z.object({ jobId: JobIdInput }),
  body: z.strictObject({ reason: trimmedText(1, 500).describe('Why, for the record.'), ...onKey }),
  responses: {
    200: z.object({
      jobId: z.string(),
      delisted: z.literal(true),
      catalogProjectionRemoved: z.literal(true),
      onChainEscrowTouched: z.literal(false),
      reason: z.string().describe('Of the first delisting, where the job was delisted already.'),
      delistedAt: IsoTime,
    }),
  },
  errors: ['job_not_found', 'workflow_engine_unavailable'],
  examples: { params: { jobId: JOB_ID }, body: { reason: 'Asks for credentials.' } },
})
