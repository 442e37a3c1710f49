import { z } from 'zod'
import { CLAIM_STATES, FUNDING_STATES } from '../catalogue/claim-status.ts'
import { JOB_ROLES, JOB_TYPES } from '../catalogue/job-terms.ts'
import { PosterRecordShape } from '../catalogue/poster-record.ts'
import {
  ClaimStatusShape,
  DisclosureShape,
  LifecycleShape,
  PriorityWindowShape,
  SubmissionContractShape,
  VerificationContractShape,
} from '../catalogue/shapes.ts'
import { TIERS } from '../common/tiers.ts'
import { operation, SIGNED_IN } from '../operations/operation.ts'
import {
  Address,
  AssetAmount,
  DecimalAmount,
  IsoTime,
  JobIdInput,
  listAnswer,
  listQuery,
  OpenObject,
  part,
  RawAmount,
  shape,
} from '../operations/values.ts'
import { POLICY_VERDICTS } from '../pull-requests/policy.ts'
import { EXPOSURES, OnboardingSubsidyShape, PriorityQualificationShape, TierGateShape } from '../sessions/admission-shapes.ts'
import { GasRetentionShape } from '../sessions/shapes.ts'
import { BlockerShape, CapShape, claimMoneyMembers, JobIntegrityShape, RoleGateShape, WorkerGasShape } from './shapes.ts'

const own = { tags: ['Eligibility'], ...SIGNED_IN, rate: 'jobs_build' } as const
/** A question of the wallet about one job. */
const ofJob = {
  ...own,
  capability: 'jobs:preflight',
  query: z.object({ jobId: JobIdInput }),
  errors: ['job_not_found'],
  examples: { query: { jobId: 'starter-docs-001' } },
} as const
const ESTIMATE_ERRORS = ['job_not_found', 'claim_economics_unavailable', 'blockchain_unavailable'] as const

const claimStatusCopies = {
  claimStatus: ClaimStatusShape.describe('Members of this answer with the same names, but `reason` and `claimNumber`, are its copies.'),
  claimState: z.enum(CLAIM_STATES),
  state: z.enum(CLAIM_STATES),
  effectiveState: z.enum([...CLAIM_STATES, 'claimable']),
  claimable: z.boolean(),
  currentWalletCanClaim: z.boolean().nullable(),
  claimAttemptCount: z.int().min(0),
  claimabilitySource: z.string(),
  lifecycleStatusMeaning: z.string(),
  claimedBy: Address.nullable(),
  claimedAt: IsoTime.nullable(),
  claimExpiresAt: IsoTime.nullable(),
  retryLimit: z.int(),
  remainingClaimAttempts: z.int().nullable(),
  sessionId: z.string().nullable(),
  listedAt: IsoTime,
}

const verdictMembers = {
  jobId: z.string(),
  wallet: Address,
  eligible: z.boolean().describe('Whether the wallet can claim the job now.'),
  reason: z.string().describe('Code of the first blocker; without one, of the claim status.'),
  reasonMessage: z.string().optional().describe('The first blocker in one sentence.'),
  blockers: z.array(BlockerShape).describe('Every active reason against a claim, in the order of the gates.'),
}

const gateMembers = {
  tier: z.enum(TIERS),
  tierGate: TierGateShape,
  jobType: z.enum(JOB_TYPES),
  requiredRole: z.enum(JOB_ROLES),
  roleGate: RoleGateShape,
  preferredCategory: z.boolean().describe('Whether the category is `coding`; it decides nothing.'),
  lifecycle: LifecycleShape,
}

/** A value of the chain is null where the chain could not be read; a blocker then names the reason. */
const fundingMembers = {
  availableLiquidity: DecimalAmount.nullable().describe('Balance that a claim can use.'),
  availableLiquidityRaw: RawAmount.nullable(),
  claimEconomicsWaived: z.boolean().nullable().describe('Whether the claim needs no stake and no fee.'),
  gasRetention: GasRetentionShape.nullable(),
  claimFundingAsset: z.string().describe('Asset that the claim locks.'),
  claimFundingSufficient: z.boolean().nullable().describe('Whether the balance covers the lock.'),
  claimFundingShortfall: DecimalAmount.nullable().describe('What the balance lacks.'),
  claimFundingShortfallRaw: RawAmount.nullable(),
  onboardingSubsidy: OnboardingSubsidyShape.nullable().describe('Null where it was not read.'),
}

const workerGas = WorkerGasShape.optional().describe(
  'Only of a posted job, whose worker sends and pays claim and submission; the reward is before it.',
)

const safetyMembers = {
  jobDefinitionIntegrity: JobIntegrityShape,
  workerExposure: EXPOSURES.workerExposure,
  dailyExposure: EXPOSURES.dailyExposure,
  dailyExposureRemaining: DecimalAmount.nullable().describe('Null where no cap applies, and where it could not be read.'),
  dailyExposureRemainingRaw: RawAmount.nullable(),
}

const MaintainerViewShape = z
  .object({
    verdict: z.enum(POLICY_VERDICTS).nullable().describe('What the maintainers say of contributions by agents; null before it was read.'),
    path: z.string().nullable().describe('File that decided, or `issue`.'),
    quote: z.string().nullable().describe('The sentence that decided.'),
    responsiblePersonRequired: z.boolean().describe('Whether the claim has to name a person in `responsiblePerson`.'),
    forbidsTrailers: z.boolean().describe('Whether commits must not name an agent in a trailer.'),
    readAt: IsoTime.nullable().describe('When it was read; a claim reads it again.'),
  })
  .describe("Policy of the maintainers of the job's repository.")

/** Members of a preflight in the short answer of a tool. */
const PREFLIGHT_IN_SHORT = [
  ...['jobId', 'eligible', 'reason', 'reasonMessage', 'claimable', 'currentWalletCanClaim', 'tier', 'verifierMode', 'openAt'],
  ...['code', 'message', 'gate', 'retryable', 'retryAfterSeconds'].map((name) => `blockers.${name}`),
  ...['claimFundingAsset', 'netReward', 'netRewardRaw', 'totalClaimLock', 'totalClaimLockRaw', 'claimEconomicsWaived'],
  ...['waiverSlotsRemaining', 'availableLiquidity', 'claimFundingSufficient', 'claimFundingShortfall', 'claimFundingShortfallRaw'],
  ...['requiredOutputSchema', 'openPullRequests', 'maintainers'],
] as const

export const preflightJob = operation('preflightJob', 'GET /jobs/preflight', {
  summary: 'What a claim by this wallet would meet: gates, stake, fee, blockers.',
  description:
    'Writes nothing. `blockers` lists every active reason in gate order; `reason` is the first. Call it before claiming. What the chain decides is null where the chain could not be read; a blocker then says so.',
  ...ofJob,
  responses: {
    200: z.object({
      ...verdictMembers,
      catalogEligible: z.boolean().describe('Whether catalogue, tier, role and priority window allow the claim.'),
      failureStates: z.array(z.string()).describe('Codes of all blockers, and of what can still fail after a claim.'),
      netReward: DecimalAmount.nullable(),
      netRewardRaw: RawAmount.nullable(),
      ...claimMoneyMembers,
      ...fundingMembers,
      claimEconomicsWaiverScope: z.string().describe('`next_claim_projection`: the claim itself decides the waiver.'),
      claimEconomicsSource: z.string().nullable().describe('Where stake and fee were read.'),
      claimFeeRetainedOnSuccess: z.boolean().nullable().describe('Whether the fee is kept after an approval.'),
      gasRetentionSupported: z.boolean().nullable().describe('Whether the escrow retains gas from the reward.'),
      claimNumber: z.int().min(1).nullable().describe('Ordinal that a claim would have among those of the wallet; it decides the waiver.'),
      waiverClaimsPerWallet: z.int().min(0).nullable().describe('First claims of a wallet that need no stake and no fee.'),
      waiverSlotsRemaining: z.int().min(0).nullable().describe('Waived claims that the wallet has left.'),
      workerGas,
      strategyUnwindNeeded: z.boolean().describe('Whether money has to come back from a strategy first.'),
      requiredOutputSchema: z.string().describe('Reference of the schema of the submission.'),
      submissionContract: SubmissionContractShape,
      deadlineRules: z.array(z.string()).describe('Rules of the submission deadline, as sentences.'),
      verificationContract: VerificationContractShape,
      verifierMode: z.string(),
      verifierConfig: OpenObject,
      verifierHandler: z.string(),
      supportsVerifier: z.boolean().describe('Always true: the service has a handler of every mode.'),
      disclosure: DisclosureShape.optional(),
      poster: PosterRecordShape.optional().describe('Of the poster of an external job.'),
      openPullRequests: z
        .object({ repo: z.string(), openCount: z.int().min(0), openPrCap: z.int().min(0) })
        .optional()
        .describe("Of the job's repository, with its cap. Live claims that may still open one count. At the cap a claim is refused."),
      maintainers: MaintainerViewShape.optional(),
      ...gateMembers,
      progressionValvesBypassed: z.boolean().optional().describe('True where the caps do not apply: the job names its claimants.'),
      reputationTier: z.enum(TIERS).optional().describe('Highest tier that the scores of the wallet reach.'),
      ...claimStatusCopies,
      fundingState: z.enum(FUNDING_STATES).nullable().optional().describe('Null where nothing is to be funded before a claim.'),
      priorityWindow: PriorityWindowShape.optional(),
      priorityQualification: PriorityQualificationShape.optional(),
      openAt: IsoTime.optional().describe('End of the priority window.'),
      ...safetyMembers,
      dailyAllowance: EXPOSURES.dailyAllowance.optional(),
      catalogueAccess: EXPOSURES.catalogueAccess,
      catalogueDailyBudget: EXPOSURES.catalogueDailyBudget,
      delisted: z.boolean().optional(),
      delistedAt: IsoTime.nullable().optional(),
      delistReason: z.string().nullable().optional(),
    }),
  },
  tool: { name: 'preflightJob', directory: true, sets: ['worker'], short: { members: PREFLIGHT_IN_SHORT } },
})

export const explainEligibility = operation('explainEligibility', 'GET /jobs/explain-eligibility', {
  summary: 'Why a job is open or blocked for this wallet.',
  ...ofJob,
  responses: {
    200: z.object({
      ...verdictMembers,
      ...gateMembers,
      tierLabel: z.string(),
      supportsVerifier: z.boolean(),
      verifierHandler: z.string(),
      claimable: z.boolean(),
      currentWalletCanClaim: z.boolean().nullable(),
      totalClaimLock: DecimalAmount.nullable(),
      totalClaimLockRaw: RawAmount.nullable(),
      ...fundingMembers,
      ...safetyMembers,
      currentCap: CapShape.nullable().describe('Cap that binds this claim.'),
      capSource: part('Gate of that cap, and what a deposit adds to it.', {
        gate: z.string(),
        tier: z.string(),
        tierLabel: z.string(),
        deposit: z.object({
          vested: AssetAmount.describe('Vested deposit of the wallet.'),
          perJobRaise: AssetAmount.describe('What the vested deposit adds to the cap of one external job.'),
          concurrentRaise: AssetAmount.describe('What the vested deposit adds to the cap of open work.'),
        }),
      }),
      nextRaise: z
        .object({ action: z.string(), effect: z.string() })
        .nullable()
        .describe('What raises the caps next; null once nothing does.'),
    }),
  },
  tool: { name: 'explainEligibility', directory: true, sets: ['worker'] },
})

/** Reward of one job for one wallet. Source: money, "Gas retention and net reward". */
const EstimateShape = shape('RewardEstimate', 'Reward of one job for one wallet.', {
  jobId: z.string(),
  wallet: Address,
  asset: z.string().describe('Symbol of the asset of every amount.'),
  decimals: z.int(),
  grossReward: DecimalAmount,
  grossRewardRaw: RawAmount,
  netReward: DecimalAmount,
  netRewardRaw: RawAmount,
  gasRetention: GasRetentionShape,
  stakeReturned: DecimalAmount,
  stakeReturnedRaw: RawAmount,
  feeReturned: DecimalAmount,
  feeReturnedRaw: RawAmount,
  waived: z.boolean().describe('Whether the claim needs no stake and no fee.'),
  onRejection: z.object({ lost: DecimalAmount, lostRaw: RawAmount }).describe('What a rejection costs.'),
  workerGas,
})

export const estimateReward = operation('estimateReward', 'GET /jobs/estimate-reward', {
  summary: 'Net reward of a job for this wallet.',
  ...ofJob,
  responses: { 200: EstimateShape },
  errors: ESTIMATE_ERRORS,
  tool: { name: 'estimateNetReward', directory: true, sets: ['worker'] },
})

export const estimateJobReward = operation('estimateJobReward', 'GET /jobs/:id/estimate', {
  summary: 'Net reward of a job for this wallet, by path.',
  ...own,
  action: 'estimate_own_net_reward',
  capability: 'jobs:preflight',
  params: z.object({ id: JobIdInput }),
  responses: { 200: EstimateShape },
  errors: ESTIMATE_ERRORS,
  examples: { params: { id: 'starter-docs-001' } },
})

/** Members of a recommendation in the short list of a tool. */
const RECOMMENDATION_IN_SHORT = ['jobId', 'fitScore', 'netReward', 'eligible', 'tier', 'blockers.code'] as const

export const recommendJobs = operation('recommendJobs', 'GET /jobs/recommendations', {
  summary: 'Jobs that the wallet can claim, ranked by how well they fit, then a few of the next tier.',
  description:
    'Ranks the newest 1,000 open jobs of each unlocked tier: first those that can be claimed, then those with a blocker that can go away. Up to ten of the next locked tier follow with what is missing. Taken jobs are left out.',
  ...own,
  capability: 'jobs:recommend',
  query: z.object(listQuery(25, 100)),
  responses: {
    200: z.object({
      recommendations: z.array(
        z.object({
          jobId: z.string(),
          fitScore: z.int().min(0).max(100).describe('How well the job fits the wallet.'),
          netReward: DecimalAmount,
          netRewardRaw: RawAmount,
          gasRetentionSupported: z.boolean(),
          gasRetention: GasRetentionShape,
          eligible: z.boolean(),
          blockers: z.array(BlockerShape).optional(),
          tier: z.enum(TIERS),
          tierGate: TierGateShape,
          jobType: z.enum(JOB_TYPES),
          requiredRole: z.enum(JOB_ROLES),
          roleGate: RoleGateShape,
          explanation: z.string(),
          unlockHints: z.array(z.string()).describe('What would unlock the job.'),
          listedAt: IsoTime,
          priorityWindow: PriorityWindowShape.optional(),
        }),
      ),
      ...listAnswer,
      ranked: z.string().optional().describe('Which jobs were ranked.'),
    }),
  },
  errors: ['blockchain_unavailable'],
  tool: {
    name: 'recommendJobs',
    directory: true,
    sets: ['worker'],
    short: { members: [...RECOMMENDATION_IN_SHORT.map((name) => `recommendations.${name}`), 'limit', 'nextCursor'] },
  },
  examples: { query: { limit: '10' } },
})
