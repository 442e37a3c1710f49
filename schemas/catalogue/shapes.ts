import { z } from 'zod'
import { TIERS } from '../common/tiers.ts'
import { Address, Bytes32, closedShape, IsoTime, literal, OpenObject, part, RawAmount, shape } from '../operations/values.ts'
import { CLAIM_REASONS, CLAIM_STATES, FUNDING_STATES } from './claim-status.ts'
import { JOB_ROLES, JOB_TYPES, LANES, POSTING_ROUTES, VERIFIER_MODES } from './job-terms.ts'
import { JudgementTermsShape } from './judgement.ts'
import { PosterRecordShape } from './poster-record.ts'
import { ReadinessShape } from './readiness.ts'

const claimStatusMembers = {
  claimState: z.enum(CLAIM_STATES),
  state: z.enum(CLAIM_STATES).describe('Equals `claimState`.'),
  effectiveState: z.enum([...CLAIM_STATES, 'claimable']).describe('`claimable` when claimable, otherwise equals `claimState`.'),
  claimable: z.boolean(),
  currentWalletCanClaim: z.boolean().nullable().describe('Null without a wallet.'),
  reason: z.enum(CLAIM_REASONS),
  retryLimit: z.int().min(0).describe('Attempts that may reach a submission; 0 means unlimited.'),
  claimAttemptCount: z.int().min(0).describe('Attempts that reached a submission; a no-show and a platform fault do not count.'),
  remainingClaimAttempts: z.int().min(0).nullable().describe('Null where they are unlimited.'),
  claimNumber: z
    .int()
    .min(1)
    .nullable()
    .describe('Ordinal of the claim among those of its wallet, which decides the waiver; null until claimed.'),
  claimedBy: Address.nullable().describe('Null while unclaimed.'),
  claimedAt: IsoTime.nullable(),
  claimExpiresAt: IsoTime.nullable().describe('Last instant at which a submission is accepted.'),
  sessionId: z.string().nullable(),
  claimabilitySource: literal('claimStatus').describe('Member that decides.'),
  lifecycleStatusMeaning: z.string().describe('What `lifecycle.status` says, and what it does not.'),
}

/** Whether a job can be claimed now. Source: specification, "Claim status". */
export const ClaimStatusShape = z.object(claimStatusMembers).meta({ id: 'ClaimStatus', description: 'Whether a job can be claimed now.' })
export type ClaimStatus = z.input<typeof ClaimStatusShape>

/** Source: specification, "Job definition", lifecycle. */
export const LifecycleShape = shape('JobLifecycle', 'Lifecycle of a listing.', {
  status: z.enum(['open', 'paused', 'archived']),
  state: z.enum(['open', 'paused', 'archived', 'stale']).describe('The status, or `stale` from `staleAt` on.'),
  createdAt: IsoTime,
  updatedAt: IsoTime,
  staleAt: IsoTime.nullable().describe('Null where the listing does not get stale.'),
})

export const SubmissionContractShape = shape('SubmissionContract', 'How to submit the work of a job.', {
  endpoint: literal('POST /jobs/submit'),
  validationEndpoint: literal('POST /jobs/validate-submission'),
  submissionShape: literal('direct_schema_object'),
  structuredSubmissionRequired: z.boolean().describe('Whether the submission must be an object.'),
  schemaValidates: literal('payload.submission').describe('Member of the request that the schema checks.'),
  doNotWrapInOutput: z.boolean().describe('The object is sent directly, not inside `output`.'),
  compatibilityAliases: z.array(z.string()).describe('Other names of `submission` in a request.'),
  outputSchemaRef: z.string(),
  outputSchemaUrl: z.string(),
  submitPayloadExample: OpenObject.describe('Body of a submission to copy.'),
  invalidWrappedOutputHint: z.string().describe('What to do when submit refuses a wrapped submission.'),
})

const schemaSide = {
  schemaRef: z.string().describe('Reference, `schema://jobs/<name>`.'),
  schemaUrl: z.string(),
  knownBuiltin: z.boolean().describe('Whether the schema is one of the service.'),
  registered: z.boolean(),
}

const SchemaContractShape = z.object({
  input: z.object(schemaSide).describe('Schema of the task.'),
  output: part('Schema of the submission.', {
    ...schemaSide,
    validates: z.string().describe('Member of the request that the schema checks.'),
    validationEndpoint: z.string(),
  }),
})

export const VerificationContractShape = shape('VerificationContract', 'Pinned terms of a verification.', {
  version: literal('verification-contract-v1'),
  verifierMode: z.enum(VERIFIER_MODES),
  handler: z.string(),
  verifierPolicyVersion: z.int(),
  verifierConfigVersion: z.int(),
  verifierConfigHash: Bytes32.describe('Hash of the settings of the verifier.'),
  evidenceSchemaRef: z.string().describe('Schema of the submission.'),
  replayEndpoint: literal('POST /verifier/replay').describe('Route that computes a verdict again.'),
  resultEndpoint: literal('GET /verifier/result'),
  snapshotFields: z.array(z.string()).describe('Members that every verdict captures.'),
})

export const PriorityWindowShape = shape('PriorityWindow', 'Time in which only qualifying wallets may claim.', {
  openAt: IsoTime.describe('Instant from which every wallet may claim.'),
  qualifiesWith: z.string().describe('What qualifies a wallet before that.'),
})

/** Source: specification, "Disclosure". */
export const DisclosureShape = shape('Disclosure', 'What a pull request must disclose.', {
  required: z.boolean(),
  canonicalFooter: z.string().describe('Text to put into the pull request.'),
  acceptedClaimantLines: part('Lines of which one names the claimant.', { wallet: z.array(z.string()), session: z.array(z.string()) }),
  rule: z.string(),
})

const SettlementShape = z.object({
  path: z.string().describe('Who decides: `automatic` is the verifier, `human_review` people.'),
  description: z.string(),
  humanReviewWorstCaseSeconds: z
    .int()
    .optional()
    .describe('Longest time until people or the time-out decide; absent where the verifier decides.'),
  judgement: JudgementTermsShape.optional().describe('Absent in lists.'),
})

const ProvenanceShape = shape('JobProvenance', 'Who posted a job, and how.', {
  posterAddress: Address.nullable().describe('Null without one.'),
  posterTier: z.enum(['operator-curated', 'external-self-serve']),
  postingRoute: z.enum(POSTING_ROUTES),
  firstSeenAt: IsoTime,
  specHash: Bytes32.describe('keccak256 of the canonical JSON of the definition.'),
})

/** An expected output, once it is public. */
export const ExpectedOutputShape = closedShape('ExpectedOutput', 'What opens a commitment of a deterministic job.', {
  value: z.string(),
  salt: Bytes32.describe('The commitment is the SHA-256 of these 32 bytes and the normalised value in UTF-8.'),
})

/** Members of a definition that the job's author decides. */
const termMembers = {
  id: z.string(),
  title: z.string(),
  description: z.string(),
  category: z.string(),
  tier: z.enum(TIERS),
  jobType: z.enum(JOB_TYPES),
  requiredRole: z.enum(JOB_ROLES).describe('Role whose skill the claim needs.'),
  rewardAsset: z.string(),
  rewardAmount: z.number().positive().describe('Whole units, for display; arithmetic uses `rewardAmountRaw`.'),
  rewardAmountRaw: RawAmount,
  lane: z.enum(LANES).optional().describe('Budget from which the reward is paid; absent where a poster funds the job.'),
  verifierMode: z.enum(VERIFIER_MODES),
  verifierConfig: OpenObject,
  inputSchemaRef: z.string().describe('Schema of the task.'),
  outputSchemaRef: z.string().describe('Schema of the submission.'),
  claimTtlSeconds: z.int().min(60).describe('Time from the claim to the last submission.'),
  requiresSponsoredGas: z.boolean().describe('Whether the service pays the gas of the claim.'),
  onboardingWaiverEligible: z.boolean().describe("True where a wallet's first claims need no stake and no fee."),
  acceptanceCriteria: z.array(z.string()).optional(),
  agentInstructions: z.array(z.string()).optional().describe('Hints for the worker.'),
  estimatedDifficulty: z.string().optional(),
  source: OpenObject.optional().describe('Origin of the work; the members depend on its `type`.'),
  verification: z.object({
    method: z.string().optional(),
    signals: z.array(z.string()).optional().describe('Facts from which the verdict is made.'),
    evidenceSchemaRef: z.string().optional().describe('Schema of the submission.'),
    readiness: ReadinessShape,
  }),
  recurring: z.boolean().optional().describe('True for a template that is listed again and again.'),
  schedule: z.object({ cron: z.string().describe('Five fields, each `*` or one number.'), timezone: z.string() }).optional(),
  reserveAmountRaw: RawAmount.optional().describe('What the jobs of a recurring template may cost in all.'),
  maxRuns: z.int().optional().describe('Jobs that a recurring template lists at most.'),
  startAt: IsoTime.optional().describe('A recurring template lists nothing before.'),
  endAt: IsoTime.optional().describe('A recurring template lists nothing after.'),
  opsReserveRaw: RawAmount.optional().describe('What the poster holds back beside the reward; it returns to the poster.'),
  contingencyReserveRaw: RawAmount.optional().describe('Likewise.'),
  input: OpenObject.optional().describe('The task as data, by `inputSchemaRef`.'),
}

/** Job of `GET /jobs` and `GET /jobs/definition`. Source: specification, "Job definition". */
export const JobShape = shape('Job', 'Whole definition of a job.', {
  format: z.literal('full').describe('A compact row has no such member.'),
  ...termMembers,
  ...claimStatusMembers,
  lifecycle: LifecycleShape,
  submissionContract: SubmissionContractShape,
  schemaContract: SchemaContractShape.describe('Schemas of task and submission.'),
  verificationContract: VerificationContractShape,
  definitionSource: z
    .enum(['claim_snapshot', 'catalogue'])
    .describe('Whether the terms are those that a claim pinned or those of the catalogue.'),
  claimStatus: ClaimStatusShape,
  fundingState: z.enum(FUNDING_STATES).nullable().describe('Null where nothing is to be funded before a claim.'),
  listedAt: IsoTime,
  priorityWindow: PriorityWindowShape.optional(),
  disclosure: DisclosureShape.optional(),
  expectedOutputs: z
    .array(ExpectedOutputShape)
    .optional()
    .describe('What opens `verifierConfig.commitments`, once the job can no longer be claimed; absent in lists.'),
  settlement: SettlementShape,
  verificationDepth: z.string().optional().describe('What a benchmark verdict checks and what it does not; absent for other modes.'),
  listingStatus: z.enum(['listed', 'quarantined', 'delisted']),
  contentTrust: z.enum(['operator-curated', 'external-unreviewed']).describe('Whether an operator has read the text of the job.'),
  provenance: ProvenanceShape,
  poster: PosterRecordShape.optional().describe(
    'Of the poster of an external job, where one job is read; absent for an operator’s job and in lists.',
  ),
})
export type JobView = z.input<typeof JobShape>

/** Short row of `GET /jobs?format=compact`, at most 400 bytes with an id of up to 60 characters. */
export const CompactJobShape = closedShape('CompactJob', 'Short row of a job.', {
  id: z.string(),
  title: z.string().max(80).describe('Start of the title.'),
  tier: z.enum(TIERS),
  category: z.string(),
  verifierMode: z.enum(VERIFIER_MODES),
  reward: z.string().describe('Whole units with the symbol, such as `1.5 USDC`.'),
  bond: z.string().nullable().describe('What a claim without the waiver locks, like `reward`; null where it could not be read.'),
  waiverEligible: z.boolean().describe("True where a wallet's first claims need no bond."),
  claimable: z.boolean().describe('Whether the job can be claimed now; with a wallet, by that wallet.'),
  reason: z.string().describe('Code of what stands in the way; without it, of the claim status.'),
  claimTtlSeconds: z.int().min(60).describe('Time from the claim to the last submission.'),
  definitionUrl: z.string().describe('Path of the whole definition.'),
})

/** Row of a list of published schemas. */
export const SchemaRowShape = z
  .object({ $id: z.string().describe('Reference of the schema.'), description: z.string(), path: z.string() })
  .meta({ id: 'SchemaRow', description: 'Published JSON Schema.' })
