import { z } from 'zod'
import { CLAIM_STATES, FUNDING_STATES } from '../catalogue/claim-status.ts'
import { JOB_ROLES, JOB_TYPES, TIERS } from '../catalogue/job-terms.ts'
import {
  ClaimStatusShape,
  DisclosureShape,
  LifecycleShape,
  PriorityWindowShape,
  SubmissionContractShape,
  VerificationContractShape,
} from '../catalogue/shapes.ts'
import { operation, SIGNED_IN, WALLET } from '../operations/operation.ts'
import {
  Address,
  AssetAmount,
  DecimalAmount,
  IsoTime,
  JobIdInput,
  listAnswer,
  listQuery,
  OpenObject,
  RawAmount,
} from '../operations/values.ts'
import { GasRetentionShape } from '../sessions/shapes.ts'
import {
  BlockerShape,
  CapShape,
  claimMoneyMembers,
  JobIntegrityShape,
  OnboardingSubsidyShape,
  PriorityQualificationShape,
  RoleGateShape,
  TierGateShape,
} from './shapes.ts'

const tags = ['Eligibility'] as const
const jobQuery = z.object({ jobId: JobIdInput })

const claimStatusCopies = {
  claimStatus: ClaimStatusShape,
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
  eligible: z.boolean(),
  reason: z.string(),
  reasonMessage: z.string().optional(),
  blockers: z.array(BlockerShape),
}

const gateMembers = {
  tier: z.enum(TIERS),
  tierGate: TierGateShape,
  jobType: z.enum(JOB_TYPES),
  requiredRole: z.enum(JOB_ROLES),
  roleGate: RoleGateShape,
  preferredCategory: z.boolean(),
  lifecycle: LifecycleShape,
}

/** A value of the chain is null where the chain could not be read; a blocker then names the reason. */
const fundingMembers = {
  availableLiquidity: DecimalAmount.nullable(),
  availableLiquidityRaw: RawAmount.nullable(),
  claimEconomicsWaived: z.boolean().nullable(),
  gasRetention: GasRetentionShape.nullable(),
  claimFundingAsset: z.string(),
  claimFundingSufficient: z.boolean().nullable(),
  claimFundingShortfall: DecimalAmount.nullable(),
  claimFundingShortfallRaw: RawAmount.nullable(),
  onboardingSubsidy: OnboardingSubsidyShape.nullable(),
}

const safetyMembers = {
  jobDefinitionIntegrity: JobIntegrityShape,
  workerExposure: OpenObject,
  dailyExposure: OpenObject,
  dailyExposureRemaining: DecimalAmount.nullable(),
  dailyExposureRemainingRaw: RawAmount.nullable(),
}

export const preflightJob = operation('preflightJob', 'GET /jobs/preflight', {
  summary: 'What a claim by this wallet would meet: gates, stake, fee, blockers.',
  description: 'Writes nothing. `blockers` lists every active reason in gate order; `reason` is the first. Call it before claiming.',
  tags,
  ...SIGNED_IN,
  capability: 'jobs:preflight',
  rate: 'jobs_build',
  query: jobQuery,
  responses: {
    200: z.object({
      ...verdictMembers,
      catalogEligible: z.boolean(),
      failureStates: z.array(z.string()),
      netReward: DecimalAmount.nullable(),
      netRewardRaw: RawAmount.nullable(),
      ...claimMoneyMembers,
      ...fundingMembers,
      claimEconomicsWaiverScope: z.string(),
      claimEconomicsSource: z.string().nullable(),
      claimFeeRetainedOnSuccess: z.boolean().nullable(),
      gasRetentionSupported: z.boolean().nullable(),
      claimNumber: z.int().min(1).nullable(),
      waiverClaimsPerWallet: z.int().min(0).nullable(),
      waiverSlotsRemaining: z.int().min(0).nullable(),
      strategyUnwindNeeded: z.boolean(),
      requiredOutputSchema: z.string(),
      submissionContract: SubmissionContractShape,
      /** Rules of the submission deadline, as sentences. */
      deadlineRules: z.array(z.string()),
      verificationContract: VerificationContractShape,
      verifierMode: z.string(),
      verifierConfig: OpenObject,
      verifierHandler: z.string(),
      supportsVerifier: z.boolean(),
      disclosure: DisclosureShape.optional(),
      /** Open pull requests of the job's repository and its cap; submit refuses at the cap. */
      openPullRequests: z.object({ repo: z.string(), openCount: z.int().min(0), openPrCap: z.int().min(0) }).optional(),
      ...gateMembers,
      progressionValvesBypassed: z.boolean().optional(),
      reputationTier: z.enum(TIERS).optional(),
      ...claimStatusCopies,
      fundingState: z.enum(FUNDING_STATES).nullable().optional(),
      priorityWindow: PriorityWindowShape.optional(),
      priorityQualification: PriorityQualificationShape.optional(),
      openAt: IsoTime.optional(),
      ...safetyMembers,
      dailyAllowance: OpenObject.optional(),
      catalogueAccess: OpenObject,
      catalogueDailyBudget: OpenObject,
      delisted: z.boolean().optional(),
      delistedAt: IsoTime.nullable().optional(),
      delistReason: z.string().nullable().optional(),
    }),
  },
  errors: ['job_not_found'],
  tool: { name: 'preflightJob', directory: true, sets: ['worker'] },
  examples: { query: { jobId: 'starter-docs-001' } },
})

export const explainEligibility = operation('explainEligibility', 'GET /jobs/explain-eligibility', {
  summary: 'Why a job is open or blocked for this wallet.',
  tags,
  ...SIGNED_IN,
  capability: 'jobs:preflight',
  rate: 'jobs_build',
  query: jobQuery,
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
      currentCap: CapShape.nullable(),
      capSource: z.object({
        gate: z.string(),
        tier: z.string(),
        tierLabel: z.string(),
        deposit: z.object({
          vested: AssetAmount,
          perJobRaise: AssetAmount,
          concurrentRaise: AssetAmount,
        }),
      }),
      /** What raises the limits next; null once nothing does. */
      nextRaise: z.object({ action: z.string(), effect: z.string() }).nullable(),
    }),
  },
  errors: ['job_not_found'],
  tool: { name: 'explainEligibility', directory: true, sets: ['worker'] },
  examples: { query: { jobId: 'starter-docs-001' } },
})

/** Reward of one job for one wallet. Source: money, "Gas retention and net reward". */
const EstimateShape = z
  .object({
    jobId: z.string(),
    wallet: Address,
    asset: z.string(),
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
    waived: z.boolean(),
    onRejection: z.object({ lost: DecimalAmount, lostRaw: RawAmount }),
  })
  .meta({ id: 'RewardEstimate', description: 'Reward of one job for one wallet.' })

export const estimateReward = operation('estimateReward', 'GET /jobs/estimate-reward', {
  summary: 'Net reward of a job for this wallet.',
  tags,
  ...SIGNED_IN,
  capability: 'jobs:preflight',
  rate: 'jobs_build',
  query: jobQuery,
  responses: { 200: EstimateShape },
  errors: ['job_not_found', 'claim_economics_unavailable', 'blockchain_unavailable'],
  tool: { name: 'estimateNetReward', directory: true, sets: ['worker'] },
  examples: { query: { jobId: 'starter-docs-001' } },
})

export const estimateJobReward = operation('estimateJobReward', 'GET /jobs/:id/estimate', {
  summary: 'Net reward of a job for this wallet, by path.',
  tags,
  auth: WALLET,
  action: 'estimate_own_net_reward',
  capability: 'jobs:preflight',
  rate: 'jobs_build',
  params: z.object({ id: JobIdInput }),
  responses: { 200: EstimateShape },
  errors: ['job_not_found', 'claim_economics_unavailable', 'blockchain_unavailable'],
  examples: { params: { id: 'starter-docs-001' } },
})

export const recommendJobs = operation('recommendJobs', 'GET /jobs/recommendations', {
  summary: 'Jobs that the wallet can claim, ranked by how well they fit, then a few of the next tier.',
  description:
    'Ranks the newest 1,000 open jobs of each unlocked tier: first those that can be claimed, then those with a blocker that can go away. Up to ten of the next locked tier follow with what is missing. Taken jobs are left out.',
  tags,
  ...SIGNED_IN,
  capability: 'jobs:recommend',
  rate: 'jobs_build',
  query: z.object(listQuery(25, 100)),
  responses: {
    200: z.object({
      recommendations: z.array(
        z.object({
          jobId: z.string(),
          fitScore: z.int().min(0).max(100),
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
          unlockHints: z.array(z.string()),
          listedAt: IsoTime,
          priorityWindow: PriorityWindowShape.optional(),
        }),
      ),
      ...listAnswer,
      ranked: z.string().optional().describe('Which jobs were ranked.'),
    }),
  },
  errors: ['blockchain_unavailable'],
  tool: { name: 'recommendJobs', directory: true, sets: ['worker'] },
  examples: { query: { limit: '10' } },
})
