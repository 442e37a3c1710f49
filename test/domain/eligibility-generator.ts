// Any job, wallet and chain the evaluator may have to judge: mostly plain, each way of being special now and then.
import fc from 'fast-check'
import type { LatestSession } from '../../domain/claim-state.ts'
import { type Fact, known } from '../../domain/eligibility/fact.ts'
import type { ChainJob, EligibilityFacts } from '../../domain/eligibility/facts.ts'
import type { WorkerProfile } from '../../domain/preflight.ts'
import type { JobRole, Tier } from '../../schemas/job-definition.ts'
import { VERIFIER_MODES } from '../../schemas/job-definition.ts'
import type { JobRecord, LifecycleStatus, PostingRoute } from '../../schemas/job-record.ts'
import { CHAIN_JOB_STATES, SESSION_STATUSES } from '../../schemas/session-record.ts'
import { aClaim, aJob, economicsFor, NOW, OTHER, someFacts, WALLET } from './eligibility-builder.ts'

const HOUR = 3_600_000
const raw = (max: bigint) => fc.bigInt({ min: 0n, max })
const mostly = <T>(usual: T, ...others: T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(usual, ...others) })
const readable = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<Fact<T>> =>
  fc.oneof({ weight: 19, arbitrary: value.map(known) }, { weight: 1, arbitrary: fc.constant('unreadable' as const) })

const jobs: fc.Arbitrary<JobRecord> = fc
  .record({
    rewardRaw: fc.constantFrom(200_000n, 1_000_000n, 2_400_000n),
    tier: mostly<Tier>('starter', 'pro', 'elite'),
    requiredRole: mostly<JobRole>('worker', 'curator', 'arbitrator'),
    retryLimit: fc.constantFrom(0, 1, 2),
    onboardingWaiverEligible: fc.boolean(),
    lifecycleStatus: mostly<LifecycleStatus>('open', 'paused', 'archived'),
    staleAt: mostly(NOW + HOUR, NOW),
    listedAt: fc.constantFrom(NOW - HOUR, NOW - 60_000),
    delistedAt: mostly<number | null>(null, NOW - HOUR),
    postingRoute: mostly<PostingRoute>('curated', 'external-direct'),
    designatedClaimants: fc.constantFrom<(string[] | null)[]>(null, null, null, [WALLET], [OTHER]),
    category: fc.constantFrom('coding', 'docs'),
    verifierMode: fc.constantFrom(...VERIFIER_MODES),
  })
  .map(({ tier, requiredRole, retryLimit, onboardingWaiverEligible, category, verifierMode, ...row }) =>
    aJob({
      ...row,
      definition: {
        tier,
        requiredRole,
        retryLimit,
        category,
        verifierMode,
        onboardingWaiverEligible: onboardingWaiverEligible && row.postingRoute === 'curated' && row.designatedClaimants === null,
      },
    }),
  )

const sessions: fc.Arbitrary<LatestSession | null> = fc.option(
  fc
    .record({
      wallet: fc.constantFrom(WALLET, OTHER),
      status: fc.constantFrom(...SESSION_STATUSES),
      submissionAccepted: fc.boolean(),
      claimExpiresAt: fc.constantFrom(NOW - HOUR, NOW, NOW + HOUR),
      rejectedAt: fc.constantFrom(null, NOW - HOUR, NOW - 200 * HOUR),
      rejectionFinalizedAt: fc.constantFrom(null, NOW),
    })
    .map(aClaim),
  { freq: 2 },
)

const exposures = fc.record({
  openRaw: raw(2_000_000n),
  lifetimeSettledRaw: raw(11_000_000n),
  settledJobs: fc.constantFrom(0, 9, 10, 50),
  rolling: fc.array(fc.record({ exposureRaw: raw(1_000_000n), claimedAt: fc.constantFrom(NOW - HOUR, NOW - 30 * HOUR) }), { maxLength: 3 }),
})

const chainJobs: fc.Arbitrary<ChainJob | null> = fc.option(
  fc.record({
    state: mostly('open' as const, ...CHAIN_JOB_STATES),
    worker: fc.constantFrom(null, WALLET, OTHER),
    claimExpiresAt: fc.constantFrom(null, NOW - HOUR, NOW + HOUR),
    specHash: mostly<string>(aJob().specHash, `0x${'9'.repeat(64)}`),
  }),
)

/** Complete facts of a claim: everything was read, some of it could not be had. */
export const fullFacts: fc.Arbitrary<EligibilityFacts> = fc
  .record({
    job: jobs,
    latestSession: sessions,
    claimAttemptCount: fc.constantFrom(0, 1, 2),
    liquidRaw: fc.constantFrom(0n, 100_000_000n),
    rewardBank: readable(raw(4_000_000n).map((liquidRaw) => ({ readable: true, fresh: true, asset: 'USDC', liquidRaw: liquidRaw * 2n }))),
    externalPosting: readable(mostly(null, 'external_posting_not_open_on_chain' as const)),
    identity: readable(mostly({ mapped: true }, { mapped: false })),
    skill: fc.constantFrom(0, 60, 150, 600),
    priority: fc.record({
      directoryListed: readable(fc.boolean()),
      capacity: readable(
        fc.record({ vestedDepositRaw: fc.constantFrom(0n, 5_000_000n), lockTier: fc.constantFrom('flex' as const, 't30' as const) }),
      ),
      outstandingCreditRaw: readable(fc.constantFrom(0n, 1n)),
    }),
    exposure: readable(exposures),
    catalogueUse: readable(
      fc.record({ totalRaw: fc.constantFrom(0n, 9_000_000n, 24_500_000n), earliestClaimedAt: fc.constantFrom(null, NOW - HOUR) }),
    ),
    subsidyAllocatedRaw: readable(fc.constantFrom(0n, 1_000_000n, 8_000_000n)),
    paidSource: readable(mostly(null, { sourceKey: 'en:1:2', paidJobId: 'j', paidSessionId: 's' })),
    definitionIntact: mostly<Fact<boolean>>(known(true), known(false)),
    claimCount: fc.constantFrom(0, 3),
    vestedRaw: readable(fc.constantFrom(0n, 9_000_000n)),
    chainJob: readable(chainJobs),
    economicsReadable: mostly(true, false),
    liquidityReadable: mostly(true, false),
  })
  .map(({ liquidRaw, skill, claimCount, economicsReadable, liquidityReadable, ...facts }) =>
    someFacts({
      ...facts,
      scores: known({ skill, reliability: 0, economic: 0 }),
      economics: economicsReadable ? known(economicsFor(facts.job, claimCount)) : 'unreadable',
      liquidity: liquidityReadable
        ? known({ spendableRaw: liquidRaw, liquidRaw, encumberedRaw: 0n, strategyAllocatedRaw: 0n })
        : 'unreadable',
    }),
  )

/** What the worker says it prefers and can serve. */
export const profiles: fc.Arbitrary<WorkerProfile> = fc.record({
  preferredCategories: fc.subarray(['coding', 'docs']),
  verifierCompatibility: fc.subarray([...VERIFIER_MODES]),
})
