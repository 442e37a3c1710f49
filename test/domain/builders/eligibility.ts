import { z } from 'zod'
import { known } from '../../../domain/common/fact.ts'
import { chainJobId } from '../../../domain/common/ids.ts'
import { previewEconomics } from '../../../domain/eligibility/claim-economics.ts'
import { type CountedClaim, type Delegate, useOf } from '../../../domain/eligibility/delegate-budget.ts'
import type { ChainJob, EligibilityFacts, EligibilityPolicy, Liquidity } from '../../../domain/eligibility/facts.ts'
import { priorityPolicy } from '../../../domain/eligibility/priority-window.ts'
import { tierSkill } from '../../../domain/reputation/tiers.ts'
import type { JobDefinition } from '../../../schemas/catalogue/job-definition.ts'
import type { JobRecord } from '../../../schemas/catalogue/record.ts'
import { TIERS } from '../../../schemas/common/tiers.ts'
import { settings } from '../../../schemas/eligibility/settings.ts'
import type { GrantEnd } from '../../../schemas/identity/authorisation.ts'
import type { DelegateTerms } from '../../../schemas/identity/delegate-terms.ts'
import { settings as lockSettings } from '../../../schemas/locked-deposits/settings.ts'
import type { SessionRecord, SessionTimestamps } from '../../../schemas/sessions/record.ts'
import { aSession } from './session.ts'

/** Policy of the default settings: no job has a head start. */
export const PRIORITY_OFF = priorityPolicy(z.object({ ...settings, ...lockSettings }).parse({}), 'USDC')

export const NOW = Date.parse('2026-03-01T12:00:00.000Z')
export const WALLET = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
export const OTHER = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'
const SPEC_HASH = `0x${'2'.repeat(64)}` as const

const DEFINITION: JobDefinition = {
  id: 'job-1',
  title: 'Fix the parser',
  description: 'The parser fails on empty input.',
  category: 'coding',
  tier: 'starter',
  jobType: 'work',
  requiredRole: 'worker',
  rewardAsset: 'USDC',
  rewardAmountRaw: '1000000',
  lane: 'oss-anchored',
  verifierMode: 'deterministic',
  verifierConfig: { handler: 'deterministic', version: 1, commitments: [`0x${'c'.repeat(64)}`], matchMode: 'exact' },
  inputSchemaRef: 'schema://jobs/coding-input',
  outputSchemaRef: 'schema://jobs/coding-output',
  claimTtlSeconds: 3600,
  retryLimit: 1,
  requiresSponsoredGas: true,
  onboardingWaiverEligible: false,
  acceptanceCriteria: [],
  agentInstructions: [],
}

type JobChanges = Partial<Omit<JobRecord, 'definition'>> & { definition?: Partial<JobDefinition> }

/** An open curated job of one USDC, listed an hour ago. */
export const aJob = ({ definition, ...changes }: JobChanges = {}): JobRecord => ({
  id: 'job-1',
  definition: { ...DEFINITION, ...definition },
  specHash: SPEC_HASH,
  chainJobId: chainJobId('job-1'),
  rewardRaw: 1_000_000n,
  rewardAsset: 'USDC',
  lifecycleStatus: 'open',
  staleAt: NOW + 86_400_000,
  createdAt: NOW - 3_600_000,
  updatedAt: NOW - 3_600_000,
  listedAt: NOW - 3_600_000,
  version: 1,
  postingRoute: 'curated',
  posterAddress: null,
  ingestedFrom: null,
  delistedAt: null,
  delistReason: null,
  designatedClaimants: null,
  ...changes,
})

/** A job of the first steps: a new wallet claims it without a bond. */
export const aStarter = (): JobRecord => aJob({ rewardRaw: 200_000n, definition: { onboardingWaiverEligible: true } })

/** The open job in the escrow, of the terms that are listed. */
export const aChainJob = (changes: Partial<ChainJob> = {}) =>
  known<ChainJob>({
    state: 'open',
    worker: null,
    claimExpiresAt: null,
    specHash: SPEC_HASH,
    payoutMode: 'single',
    asset: 'USDC',
    rewardRaw: 1_000_000n,
    claimTtlSeconds: 3_600n,
    ...changes,
  })

/** A balance that is all to be spent. */
export const aBalance = (spendableRaw: bigint, changes: Partial<Liquidity> = {}) =>
  known<Liquidity>({ block: 1n, withdrawableRaw: spendableRaw, spendableRaw, encumberedRaw: 0n, strategyAllocatedRaw: 0n, ...changes })

type ClaimChanges = Partial<Omit<SessionRecord, 'timestamps' | 'economics'>> &
  Partial<Pick<SessionTimestamps, 'rejectedAt' | 'rejectionFinalizedAt'>> & { claimNumber?: number }

/** Another wallet's claim with half its time left. */
export const aClaim = ({
  claimNumber = 1,
  rejectedAt = null,
  rejectionFinalizedAt = null,
  ...changes
}: ClaimChanges = {}): SessionRecord => ({
  ...aSession({
    sessionId: `job-1:${OTHER}`,
    wallet: OTHER,
    claimExpiresAt: NOW + 1_800_000,
    timestamps: { claimedAt: NOW - 1_800_000, rejectedAt, rejectionFinalizedAt },
    ...changes,
  }),
  economics: { ...aSession().economics, claimNumber },
})

/** A submission that was accepted and is not on chain yet. */
export const SUBMISSION = { kind: 'text', rawText: 'ok', evidenceText: 'ok' } as const

export const POLICY: EligibilityPolicy = {
  tierPerksEnabled: false,
  limits: {
    asset: { symbol: 'USDC', decimals: 6 },
    openExposureCapRaw: 2_500_000n,
    vestedOpenExposureUnitRaw: 500_000n,
    dailyExposureBudgetRaw: 1_500_000n,
    lifetimeCatalogueCreditRaw: 10_000_000n,
    graduationSettledJobs: 10,
    catalogueGlobalDailyBudgetRaw: 25_000_000n,
    subsidyDailyBudgetRaw: 8_000_000n,
    gasEstimateRaw: 59_000n,
  },
  funding: { posterFeeBps: 500, posterFeeFloorRaw: 50_000n },
  priority: PRIORITY_OFF,
  pullRequestReviewSeconds: 172_800,
  hasFaucet: false,
}

/** Economics of the wallet's next claim of a job that is not on chain yet. */
export const economicsFor = (job: JobRecord, claimCount = 0) =>
  previewEconomics({
    asset: POLICY.limits.asset,
    rewardRaw: job.rewardRaw,
    waiverEligible: job.definition.onboardingWaiverEligible,
    brokered: job.postingRoute === 'curated',
    policy: {
      stakeBps: 1000,
      feeBps: 200,
      minFeeRaw: 50_000n,
      waiverClaims: 3,
      claimFeeRetainedOnSuccess: false,
      gasRetentionSupported: true,
      retentionFlatRaw: 50_000n,
      retentionCapBps: 2000,
    },
    claimCount,
    onChain: null,
  })

/** A claim of a delegate that counts for `forMs` more. */
export const aCountedClaim = (bondRaw: bigint, forMs = 3_600_000): CountedClaim => ({ bondRaw, freesAt: NOW + forMs })

/** A delegate with 1 USDC and 10 jobs a day and every tier, unless other terms are given. */
export const aDelegate = (
  terms: Partial<DelegateTerms> = {},
  claims: readonly CountedClaim[] = [],
  ended: GrantEnd | null = null,
): Delegate => ({
  terms: { scopes: ['read', 'claim', 'submit'], bondPerDayRaw: '1000000', jobsPerDay: 10, tiers: [...TIERS], ...terms },
  ended,
  use: useOf(claims),
})

/** Complete facts under which a wallet with enough of everything can claim; changes say what is different. */
export const someFacts = (changes: Partial<EligibilityFacts> = {}): EligibilityFacts => {
  const job = changes.job ?? aJob()
  return {
    now: NOW,
    job,
    latestSession: null,
    claimAttemptCount: 0,
    wallet: WALLET,
    rewardBank: known({ fresh: true, asset: 'USDC', liquidRaw: 100_000_000n }),
    externalPosting: known(null),
    readiness: known({ reason: null, checkedAt: NOW, lastVerdictAt: null }),
    identity: known({ mapped: true }),
    scores: known({ skill: tierSkill(job.definition.tier), reliability: 0, economic: 0 }),
    priority: {
      directoryListed: known(false),
      capacity: known({ vestedDepositRaw: 0n, lockTier: 'flex' }),
      outstandingCreditRaw: known(0n),
    },
    exposure: known({ openRaw: 0n, lifetimeSettledRaw: 0n, settledJobs: 0, rolling: [] }),
    catalogueUse: known({ totalRaw: 0n, earliestClaimedAt: null }),
    subsidyAllocatedRaw: known(0n),
    paidSource: known(null),
    maintainers: known(null),
    responsiblePerson: known(null),
    delegate: known(null),
    definitionIntact: known(true),
    economics: known(economicsFor(job)),
    liquidity: aBalance(10_000_000n),
    vestedRaw: known(0n),
    locks: known({ tier: 'flex', encumberedRaw: 0n }),
    chainJob: known(null),
    paused: known(false),
    ...changes,
  }
}

/** The same facts as a list for a wallet has them: nothing of the chain was read. */
export const asListed = (facts: EligibilityFacts): EligibilityFacts => ({
  ...facts,
  economics: 'unknown',
  liquidity: 'unknown',
  vestedRaw: 'unknown',
  locks: 'unknown',
  chainJob: 'unknown',
  paused: 'unknown',
  priority: { ...facts.priority, capacity: 'unknown', outstandingCreditRaw: 'unknown' },
})
