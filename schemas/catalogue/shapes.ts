import { z } from 'zod'
import { Address, AssetAmount, Bytes32, IsoTime, literal, OpenObject, RawAmount } from '../operations/values.ts'
import { CLAIM_REASONS, CLAIM_STATES, FUNDING_STATES } from './claim-status.ts'
import { JOB_ROLES, JOB_TYPES, LANES, POSTING_ROUTES, TIERS, VERIFIER_MODES } from './job-terms.ts'
import { ReadinessShape } from './readiness.ts'

const claimStatusMembers = {
  claimState: z.enum(CLAIM_STATES),
  /** Equals `claimState`. */
  state: z.enum(CLAIM_STATES),
  /** `claimable` when claimable, otherwise equals `claimState`. */
  effectiveState: z.enum([...CLAIM_STATES, 'claimable']),
  claimable: z.boolean(),
  /** Null without a wallet. */
  currentWalletCanClaim: z.boolean().nullable(),
  reason: z.enum(CLAIM_REASONS),
  /** 0 means unlimited. */
  retryLimit: z.int().min(0),
  /** Attempts that reached a submission; a no-show and a platform fault do not count. */
  claimAttemptCount: z.int().min(0),
  remainingClaimAttempts: z.int().min(0).nullable(),
  /** Ordinal of the claimant's claims, which decides the waiver; null until claimed. */
  claimNumber: z.int().min(1).nullable(),
  claimedBy: Address.nullable(),
  claimedAt: IsoTime.nullable(),
  /** Last instant at which a submission is accepted. */
  claimExpiresAt: IsoTime.nullable(),
  sessionId: z.string().nullable(),
  claimabilitySource: literal('claimStatus'),
  lifecycleStatusMeaning: z.string(),
}

/** Whether a job can be claimed now. Source: specification, "Claim status". */
export const ClaimStatusShape = z.object(claimStatusMembers).meta({ id: 'ClaimStatus', description: 'Whether a job can be claimed now.' })
export type ClaimStatus = z.input<typeof ClaimStatusShape>

/** Source: specification, "Job definition", lifecycle. */
export const LifecycleShape = z
  .object({
    status: z.enum(['open', 'paused', 'archived']),
    state: z.enum(['open', 'paused', 'archived', 'stale']),
    createdAt: IsoTime,
    updatedAt: IsoTime,
    staleAt: IsoTime.nullable(),
  })
  .meta({ id: 'JobLifecycle', description: 'Lifecycle of a listing.' })

export const SubmissionContractShape = z
  .object({
    endpoint: literal('POST /jobs/submit'),
    validationEndpoint: literal('POST /jobs/validate-submission'),
    submissionShape: literal('direct_schema_object'),
    structuredSubmissionRequired: z.boolean(),
    schemaValidates: literal('payload.submission'),
    doNotWrapInOutput: z.boolean(),
    compatibilityAliases: z.array(z.string()),
    outputSchemaRef: z.string(),
    outputSchemaUrl: z.string(),
    submitPayloadExample: OpenObject,
    invalidWrappedOutputHint: z.string(),
  })
  .meta({ id: 'SubmissionContract', description: 'How to submit the work of a job.' })

const schemaSide = { schemaRef: z.string(), schemaUrl: z.string(), knownBuiltin: z.boolean(), registered: z.boolean() }

const SchemaContractShape = z.object({
  input: z.object(schemaSide),
  output: z.object({ ...schemaSide, validates: z.string(), validationEndpoint: z.string() }),
})

export const VerificationContractShape = z
  .object({
    version: literal('verification-contract-v1'),
    verifierMode: z.enum(VERIFIER_MODES),
    handler: z.string(),
    verifierPolicyVersion: z.int(),
    verifierConfigVersion: z.int(),
    verifierConfigHash: Bytes32,
    evidenceSchemaRef: z.string(),
    replayEndpoint: literal('POST /verifier/replay'),
    resultEndpoint: literal('GET /verifier/result'),
    snapshotFields: z.array(z.string()),
  })
  .meta({ id: 'VerificationContract', description: 'Pinned terms of a verification.' })

export const PriorityWindowShape = z
  .object({ openAt: IsoTime, qualifiesWith: z.string() })
  .meta({ id: 'PriorityWindow', description: 'Time in which only qualifying wallets may claim.' })

/** Source: specification, "Disclosure". */
export const DisclosureShape = z
  .object({
    required: z.boolean(),
    canonicalFooter: z.string(),
    acceptedClaimantLines: z.object({ wallet: z.array(z.string()), session: z.array(z.string()) }),
    rule: z.string(),
  })
  .meta({ id: 'Disclosure', description: 'What a pull request must disclose.' })

const SettlementShape = z.object({ path: z.string(), description: z.string(), humanReviewWorstCaseSeconds: z.int().optional() })

const ProvenanceShape = z
  .object({
    posterAddress: Address.nullable(),
    posterTier: z.enum(['operator-curated', 'external-self-serve']),
    postingRoute: z.enum(POSTING_ROUTES),
    firstSeenAt: IsoTime,
    specHash: Bytes32,
  })
  .meta({ id: 'JobProvenance', description: 'Who posted a job, and how.' })

/** Members of a definition that the job's author decides. */
const termMembers = {
  id: z.string(),
  title: z.string(),
  description: z.string(),
  category: z.string(),
  tier: z.enum(TIERS),
  jobType: z.enum(JOB_TYPES),
  requiredRole: z.enum(JOB_ROLES),
  rewardAsset: z.string(),
  /** Whole units, for display; arithmetic uses `rewardAmountRaw`. */
  rewardAmount: z.number().positive(),
  rewardAmountRaw: RawAmount,
  lane: z.enum(LANES),
  verifierMode: z.enum(VERIFIER_MODES),
  verifierConfig: OpenObject,
  inputSchemaRef: z.string(),
  outputSchemaRef: z.string(),
  claimTtlSeconds: z.int().min(60),
  requiresSponsoredGas: z.boolean(),
  onboardingWaiverEligible: z.boolean(),
  acceptanceCriteria: z.array(z.string()).optional(),
  agentInstructions: z.array(z.string()).optional(),
  estimatedDifficulty: z.string().optional(),
  source: OpenObject.optional(),
  verification: z.object({
    method: z.string().optional(),
    signals: z.array(z.string()).optional(),
    evidenceSchemaRef: z.string().optional(),
    readiness: ReadinessShape,
  }),
  recurring: z.boolean().optional(),
  schedule: z.object({ cron: z.string(), timezone: z.string() }).optional(),
}

/** Job of `GET /jobs` and `GET /jobs/definition`. Source: specification, "Job definition". */
export const JobShape = z
  .object({
    /** Tells the whole row from the compact one. */
    format: z.literal('full'),
    ...termMembers,
    ...claimStatusMembers,
    lifecycle: LifecycleShape,
    submissionContract: SubmissionContractShape,
    schemaContract: SchemaContractShape,
    verificationContract: VerificationContractShape,
    definitionSource: z.enum(['claim_snapshot', 'catalogue']),
    claimStatus: ClaimStatusShape,
    fundingState: z.enum(FUNDING_STATES).nullable(),
    listedAt: IsoTime,
    priorityWindow: PriorityWindowShape.optional(),
    disclosure: DisclosureShape.optional(),
    settlement: SettlementShape,
    verificationDepth: z.string().optional(),
    listingStatus: z.enum(['listed', 'quarantined', 'delisted']),
    contentTrust: z.enum(['operator-curated', 'external-unreviewed']),
    provenance: ProvenanceShape,
  })
  .meta({ id: 'Job', description: 'Whole definition of a job.' })
export type JobView = z.input<typeof JobShape>

/** Short row of `GET /jobs?format=compact`. */
export const CompactJobShape = z
  .object({
    format: z.literal('compact'),
    id: z.string(),
    title: z.string(),
    summary: z.string().max(180),
    category: z.string(),
    jobType: z.enum(JOB_TYPES),
    tier: z.enum(TIERS),
    source: z.string(),
    sourceType: z.string(),
    verifierMode: z.enum(VERIFIER_MODES),
    createdAt: IsoTime,
    definitionUrl: z.string(),
    sourceDetails: OpenObject.optional(),
    state: claimStatusMembers.state,
    claimState: claimStatusMembers.claimState,
    effectiveState: claimStatusMembers.effectiveState,
    claimable: z.boolean(),
    currentWalletCanClaim: z.boolean().nullable(),
    fundingState: z.enum(FUNDING_STATES).nullable(),
    verification: z.object({ readiness: ReadinessShape }),
    reason: claimStatusMembers.reason,
    claimedBy: Address.nullable(),
    claimedAt: IsoTime.nullable(),
    claimExpiresAt: IsoTime.nullable(),
    retryLimit: z.int().min(0),
    claimAttemptCount: z.int().min(0),
    remainingClaimAttempts: z.int().min(0).nullable(),
    claimNumber: z.int().min(1).nullable(),
    sessionId: z.string().nullable(),
    claimTtlSeconds: z.int().min(60),
    requiresSponsoredGas: z.boolean(),
    onboardingWaiverEligible: z.boolean(),
    stake: AssetAmount.nullable(),
    reward: AssetAmount,
    /** Bond of a claim without waiver. */
    claimBond: z.object({ stake: AssetAmount, fee: AssetAmount, totalClaimLock: AssetAmount }).optional(),
    successCriteria: z.string().max(180).optional(),
    listedAt: IsoTime,
    priorityWindow: PriorityWindowShape.optional(),
    settlement: z.object({
      verifierMode: z.enum(VERIFIER_MODES),
      path: z.enum(['automatic', 'automatic_with_human_fallback', 'human_review']),
      approval: z.string(),
      humanReviewWorstCaseSeconds: z.int().optional(),
      worstCase: z.string().optional(),
    }),
    listingStatus: z.enum(['listed', 'quarantined', 'delisted']),
    verificationDepth: z.string().optional(),
    contentTrust: z.enum(['operator-curated', 'external-unreviewed']),
    provenance: ProvenanceShape,
    poster: OpenObject.optional(),
  })
  .meta({ id: 'CompactJob', description: 'Short row of a job.' })

/** Row of a list of published schemas. */
export const SchemaRowShape = z
  .object({ $id: z.string(), description: z.string(), path: z.string() })
  .meta({ id: 'SchemaRow', description: 'Published JSON Schema.' })
