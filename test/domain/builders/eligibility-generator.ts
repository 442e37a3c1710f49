// Any job, wallet and chain the evaluator may have to judge: something that can be claimed, with some things about it that are otherwise.

import fc from 'fast-check'
import type { Readiness } from '../../../domain/catalogue/readiness.ts'
import type { PayoutMode } from '../../../domain/chain/escrow-terms.ts'
import { type Fact, known, type RecordFact } from '../../../domain/common/fact.ts'
import type { ExternalPostingProblem } from '../../../domain/eligibility/claim-state.ts'
import type { ChainJob, EligibilityFacts, FactName } from '../../../domain/eligibility/facts.ts'
import type { EarningIdentity } from '../../../domain/identity/native/earning.ts'
import type { MaintainerFacts } from '../../../domain/pull-requests/policy/standing.ts'
import type { JobRole, LifecycleStatus, PostingRoute } from '../../../schemas/catalogue/job-terms.ts'
import { VERIFIER_MODES } from '../../../schemas/catalogue/job-terms.ts'
import type { ReadinessReason } from '../../../schemas/catalogue/readiness.ts'
import type { JobRecord } from '../../../schemas/catalogue/record.ts'
import { CHAIN_JOB_STATES } from '../../../schemas/chain/job-state.ts'
import type { Tier } from '../../../schemas/common/tiers.ts'
import type { RepositoryPolicy, SourceIssue } from '../../../schemas/pull-requests/policy.ts'
import { SESSION_STATUSES, type SessionRecord } from '../../../schemas/sessions/record.ts'
import { UNMAPPED, UNREADABLE } from '../identity/native/accounts.ts'
import { aClaim, aCountedClaim, aDelegate, aJob, economicsFor, NOW, OTHER, SUBMISSION, someFacts, WALLET } from './eligibility.ts'
import { policyOf } from './maintainers.ts'

const HOUR = 3_600_000
const raw = (max: bigint) => fc.bigInt({ min: 0n, max })

/** Mostly what lets a claim pass; about two of all things are otherwise in one case. */
const usually = <T>(usual: T, otherwise: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: otherwise })
const mostly = <T>(usual: T, ...others: T[]): fc.Arbitrary<T> => usually(usual, fc.constantFrom(...others))
/** A fact that may also be one that could not be had. */
const readable = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<Fact<T>> =>
  fc.oneof({ weight: 29, arbitrary: value.map((one): Fact<T> => known(one)) }, { weight: 1, arbitrary: fc.constant<Fact<T>>('unreadable') })

const jobs: fc.Arbitrary<JobRecord> = fc
  .record({
    rewardRaw: fc.constantFrom(200_000n, 1_000_000n, 2_400_000n),
    tier: mostly<Tier>('starter', 'pro', 'elite'),
    requiredRole: mostly<JobRole>('worker', 'curator', 'arbitrator'),
    retryLimit: fc.constantFrom(0, 1, 2),
    onboardingWaiverEligible: fc.boolean(),
    lifecycleStatus: mostly<LifecycleStatus>('open', 'paused', 'archived'),
    staleAt: mostly<number | null>(NOW + HOUR, NOW, null),
    listedAt: fc.constantFrom(NOW - HOUR, NOW - 60_000),
    delistedAt: mostly<number | null>(null, NOW - HOUR),
    postingRoute: mostly<PostingRoute>('curated', 'external-direct'),
    posterAddress: fc.constantFrom(null, OTHER, OTHER, WALLET),
    designatedClaimants: mostly<string[] | null>(null, [WALLET], [OTHER]),
    rewardAsset: fc.oneof({ weight: 29, arbitrary: fc.constant('USDC') }, { weight: 1, arbitrary: fc.constant('OTHER') }),
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
        rewardAsset: row.rewardAsset,
        onboardingWaiverEligible: onboardingWaiverEligible && row.postingRoute === 'curated' && row.designatedClaimants === null,
      },
    }),
  )

const anySession: fc.Arbitrary<SessionRecord> = fc
  .record({
    wallet: fc.constantFrom(WALLET, OTHER),
    status: fc.constantFrom(...SESSION_STATUSES),
    submission: fc.constantFrom(null, SUBMISSION),
    claimExpiresAt: fc.constantFrom(NOW - HOUR, NOW, NOW + HOUR),
    rejectedAt: fc.constantFrom(null, NOW - HOUR, NOW - 200 * HOUR),
    rejectionFinalizedAt: fc.constantFrom(null, NOW),
  })
  .map(aClaim)
const sessions = fc.oneof(
  { weight: 3, arbitrary: fc.constant<SessionRecord | null>(null) },
  { weight: 1, arbitrary: anySession },
  { weight: 1, arbitrary: fc.constantFrom(WALLET, OTHER).map((wallet) => aClaim({ wallet, claimExpiresAt: NOW - HOUR })) },
)

const exposures = usually(
  { openRaw: 0n, lifetimeSettledRaw: 0n, settledJobs: 0, rolling: [] as { exposureRaw: bigint; claimedAt: number }[] },
  fc.record({
    openRaw: fc.oneof(fc.constant(0n), raw(3_000_000n)),
    lifetimeSettledRaw: fc.constantFrom(0n, 9_000_000n, 10_000_000n),
    settledJobs: fc.constantFrom(0, 9, 10, 50),
    rolling: fc.array(fc.record({ exposureRaw: raw(1_000_000n), claimedAt: fc.constantFrom(NOW - HOUR, NOW - 30 * HOUR) }), {
      maxLength: 3,
    }),
  }),
)

const issueIn = (state: SourceIssue['state']): SourceIssue => ({ number: 7, state, verdict: 'allows', reason: null, quote: null })

const SPEC_HASH = aJob().specHash
const chainJobs = usually<ChainJob | null>(
  null,
  fc.record({
    state: fc.constantFrom(...CHAIN_JOB_STATES),
    worker: fc.constantFrom(null, WALLET, OTHER),
    claimExpiresAt: fc.constantFrom(null, NOW - HOUR, NOW + HOUR),
    specHash: fc.constantFrom(SPEC_HASH, SPEC_HASH, SPEC_HASH.toUpperCase().replace('0X', '0x'), `0x${'9'.repeat(64)}`),
    payoutMode: mostly<PayoutMode>('single', 'milestone'),
    asset: mostly('USDC', OTHER),
    rewardRaw: mostly(1_000_000n, 1n, 999_999n),
    claimTtlSeconds: mostly(3_600n, 1n, 2n ** 256n - 1n),
  }),
)

const banks = usually(
  { fresh: true, asset: 'USDC', liquidRaw: 100_000_000n },
  fc.record({ fresh: fc.boolean(), asset: fc.constantFrom('USDC', 'OTHER'), liquidRaw: raw(8_000_000n) }),
)

/** The pin of a session; its title tells it from the catalogue's terms. */
const pinned = (session: SessionRecord, { definition }: JobRecord): SessionRecord => ({
  ...session,
  jobSnapshot: { ...session.jobSnapshot, specDefinition: { ...definition, title: 'As claimed' } },
})

/** The wallet itself, or a delegate with more or less left. */
const delegates: fc.Arbitrary<EligibilityFacts['delegate']> = mostly<EligibilityFacts['delegate']>(
  known(null),
  known(aDelegate()),
  known(aDelegate({ tiers: ['elite'] })),
  known(aDelegate({ jobsPerDay: 1 }, [aCountedClaim(0n)])),
  known(aDelegate({ bondPerDayRaw: '250000' }, [aCountedClaim(150_000n)])),
)

/** Mostly a job whose maintainers are not asked; else a policy, an issue and a cap of every kind. */
const maintainers: fc.Arbitrary<EligibilityFacts['maintainers']> = usually<MaintainerFacts | null>(
  null,
  fc.record({
    repo: fc.constant('acme/widgets'),
    policy: mostly<RepositoryPolicy | null>(
      policyOf('acme/widgets'),
      null,
      policyOf('acme/widgets', { isClosed: true }),
      policyOf('acme/widgets', { verdict: 'denies', reason: 'maintainer_stop_signal' }),
    ).chain((policy) => fc.constantFrom(policy, policy && { ...policy, reason: null, verdict: 'human_required' as const })),
    issue: mostly<SourceIssue | null>(issueIn('open'), null, issueIn('closed'), issueIn('missing')),
    isFresh: mostly(true, false),
    mustBeFresh: fc.boolean(),
    capacity: fc.constantFrom(null, ...[2, 3, 4].map((openCount) => ({ repo: 'acme/widgets', openCount, openPrCap: 3 }))),
  }),
).map(known)

/** Complete facts of a claim: everything was read, some of it could not be had. */
export const fullFacts: fc.Arbitrary<EligibilityFacts> = fc
  .record({
    job: jobs,
    latestSession: sessions,
    claimAttemptCount: mostly(0, 1, 2),
    liquidRaw: mostly(100_000_000n, 0n),
    rewardBank: readable(banks),
    externalPosting: readable(
      mostly<ExternalPostingProblem | null>(
        null,
        'external_posting_not_open_on_chain',
        'legacy_posting_unclaimable',
        'external_posting_escrow_unverified',
      ),
    ),
    readiness: readable(
      mostly<ReadinessReason | null>(null, 'verifier_gas_missing', 'check_overdue').map(
        (reason): Readiness => ({ reason, checkedAt: NOW, lastVerdictAt: null }),
      ),
    ),
    identity: mostly<EarningIdentity>({ mapped: true }, UNMAPPED, UNREADABLE).map(known),
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
      fc.record({ totalRaw: mostly(0n, 9_000_000n, 24_500_000n), earliestClaimedAt: fc.constantFrom(null, NOW - HOUR) }),
    ),
    subsidyAllocatedRaw: readable(fc.constantFrom(0n, 0n, 1_000_000n, 8_000_000n)),
    paidSource: readable(mostly(null, { sourceKey: 'en:1:2', paidJobId: 'j', paidSessionId: 's' })),
    maintainers,
    responsiblePerson: mostly<string | null>(null, '@jane').map(known),
    delegate: delegates,
    definitionIntact: mostly<RecordFact<boolean>>(known(true), known(false)),
    claimCount: fc.constantFrom(0, 3),
    vestedRaw: readable(fc.constantFrom(0n, 9_000_000n)),
    locks: fc.constantFrom('flex' as const, 't30' as const, 't90' as const).map((tier) => known({ tier, encumberedRaw: 0n })),
    chainJob: readable(chainJobs),
    paused: readable(mostly(false, true)),
    economicsReadable: mostly(true, false),
    liquidityReadable: mostly(true, false),
  })
  .map(({ liquidRaw, skill, claimCount, economicsReadable, liquidityReadable, latestSession, ...facts }) =>
    someFacts({
      ...facts,
      latestSession: latestSession && pinned(latestSession, facts.job),
      scores: known({ skill, reliability: 0, economic: 0 }),
      economics: economicsReadable ? known(economicsFor(facts.job, claimCount)) : 'unreadable',
      liquidity: liquidityReadable
        ? known({ block: 1n, withdrawableRaw: liquidRaw, spendableRaw: liquidRaw, encumberedRaw: 0n, strategyAllocatedRaw: 0n })
        : 'unreadable',
    }),
  )

/** Facts that a reader may not have asked for. */
export const FACT_NAMES = [
  ...(['rewardBank', 'externalPosting', 'readiness', 'identity', 'scores', 'exposure', 'catalogueUse', 'subsidyAllocatedRaw'] as const),
  ...([
    'paidSource',
    'maintainers',
    'responsiblePerson',
    'delegate',
    'definitionIntact',
    'economics',
    'liquidity',
    'vestedRaw',
    'locks',
    'chainJob',
    'paused',
  ] as const),
  ...(['priority.directoryListed', 'priority.capacity', 'priority.outstandingCreditRaw'] as const),
] as const satisfies readonly FactName[]

/** The same facts, some of them unread. */
export const without = (facts: EligibilityFacts, names: readonly FactName[]): EligibilityFacts => {
  const unread = (prefix: string, wanted: (name: string) => boolean) =>
    Object.fromEntries(names.filter(wanted).map((name) => [name.replace(prefix, ''), 'unknown' as const]))
  return {
    ...facts,
    ...unread('', (name) => !name.includes('.')),
    priority: { ...facts.priority, ...unread('priority.', (name) => name.includes('.')) },
  }
}
