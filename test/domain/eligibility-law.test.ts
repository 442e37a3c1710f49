import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { LatestSession } from '../../domain/claim-state.ts'
import { type Blocker, GATES, type GateName, refusalCode } from '../../domain/eligibility/blocker.ts'
import { type Fact, known } from '../../domain/eligibility/fact.ts'
import type { ChainJob, EligibilityFacts } from '../../domain/eligibility/facts.ts'
import { assertClaimable, evaluate, recheckRacing } from '../../domain/eligibility.ts'
import { type DefinitionParts, explainView, preflightView } from '../../domain/preflight.ts'
import { recommendationRow } from '../../domain/recommendations.ts'
import type { JobRole, Tier } from '../../schemas/job-definition.ts'
import type { JobRecord, LifecycleStatus, PostingRoute } from '../../schemas/job-record.ts'
import { CHAIN_JOB_STATES, SESSION_STATUSES } from '../../schemas/session-record.ts'
import { aClaim, aJob, asListed, economicsFor, NOW, OTHER, POLICY, someFacts, WALLET } from './eligibility-builder.ts'

/** The priority window is open to be tested; half of the generated jobs are inside it. */
const POLICY_WITH_WINDOW = { ...POLICY, priority: { ...POLICY.priority, enabled: true } }

/** Gates that may stand in a full evaluation because of what only the chain knows. */
const CHAIN_GATES: readonly GateName[] = [
  'priority_window',
  'claim_economics',
  'wallet_funding',
  'onboarding_subsidy',
  'definition_integrity',
  'open_exposure',
  'chain_state',
]

const RUNS = { numRuns: 2000 }
const FEWER_RUNS = { numRuns: 1000 }
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
    verifierMode: fc.constantFrom('deterministic', 'benchmark'),
  })
  .map(({ tier, requiredRole, retryLimit, onboardingWaiverEligible, category, ...row }) =>
    aJob({
      ...row,
      definition: {
        tier,
        requiredRole,
        retryLimit,
        category,
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
const fullFacts: fc.Arbitrary<EligibilityFacts> = fc
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

const PARTS = { lifecycle: {}, submissionContract: {}, verificationContract: {} } as unknown as DefinitionParts
const key = ({ gate, code }: Blocker): string => `${gate}/${code}`
const judge = (facts: EligibilityFacts) => evaluate(facts, POLICY_WITH_WINDOW)

const claimCodeOf = (facts: EligibilityFacts): unknown => {
  try {
    assertClaimable(judge(facts))
    return null
  } catch (error) {
    return (error as { code?: unknown }).code
  }
}

describe('over all jobs, wallets, sessions and chain facts', () => {
  test('a "no" of a list is among the blockers of the preflight, and its first unless a chain fact stands before it', () => {
    fc.assert(
      fc.property(fullFacts, (facts) => {
        const listed = judge(asListed(facts)).blockers
        const full = judge(facts).blockers
        expect(full.map(key)).toEqual(expect.arrayContaining(listed.map(key)))
        const [firstListed] = listed
        const [firstFull] = full
        if (firstListed && firstFull && !CHAIN_GATES.includes(firstFull.gate)) expect(key(firstFull)).toBe(key(firstListed))
      }),
      RUNS,
    )
  })

  test('list and preflight show the same claim status, and a list never hides a "no" that it knows', () => {
    fc.assert(
      fc.property(fullFacts, (facts) => {
        const listed = judge(asListed(facts))
        const full = judge(facts)
        const { currentWalletCanClaim: listSays, ...listStatus } = listed.claimStatus
        const { currentWalletCanClaim: fullSays, ...fullStatus } = full.claimStatus
        expect(listStatus).toEqual(fullStatus)
        if (listSays === false) expect(fullSays).toBe(false)
        const anonymous = judge({ ...asListed(facts), wallet: null }).claimStatus
        expect(anonymous.currentWalletCanClaim).toBeNull()
        expect(anonymous.claimable).toBe(fullStatus.claimable)
      }),
      RUNS,
    )
  })

  test('preflight, explain, recommendations and claim agree on the same facts', () => {
    fc.assert(
      fc.property(fullFacts, (facts) => {
        const evaluation = judge(facts)
        const preflight = preflightView(evaluation, PARTS)
        const code = claimCodeOf(facts)
        expect(code).toBe(evaluation.blockers[0] ? refusalCode(evaluation.blockers[0].code) : null)
        expect([preflight.eligible, evaluation.claimStatus.currentWalletCanClaim]).toEqual([code === null, code === null])
        expect(preflight.blockers.map(key)).toEqual(evaluation.blockers.map(key))
        if (code !== null) expect(preflight.reason).toBe(evaluation.blockers[0]?.code)
        const explained = explainView(evaluation, PARTS)
        const shared = Object.keys(explained).filter((name) => name in preflight)
        for (const name of shared) expect(Reflect.get(explained, name)).toEqual(Reflect.get(preflight, name))
        if (facts.economics !== 'unreadable') expect(recommendationRow(evaluation).eligible).toBe(preflight.eligible)
      }),
      RUNS,
    )
  })

  test('blockers come in gate order, each once, and the first is the reason', () => {
    fc.assert(
      fc.property(fullFacts, (facts) => {
        const { blockers, reason } = judge(facts)
        const ranks = blockers.map((found) => GATES.indexOf(found.gate))
        expect(ranks).toEqual([...new Set(ranks)].sort((left, right) => left - right))
        expect(new Set(blockers.map((found) => found.code)).size).toBe(blockers.length)
        if (blockers[0]) expect(reason).toBe(blockers[0].code)
      }),
      FEWER_RUNS,
    )
  })

  test('the re-check under locks refuses nothing that the evaluator allows, with the same gates', () => {
    fc.assert(
      fc.property(fullFacts, (facts) => {
        const raced = recheckRacing(facts, POLICY_WITH_WINDOW)
        const { blockers } = judge(facts)
        if (raced === null) return
        expect(blockers.map(key)).toContain(key(raced))
      }),
      FEWER_RUNS,
    )
  })

  test('the generator reaches every gate', () => {
    const reached = new Set<GateName>()
    let eligible = 0
    fc.assert(
      fc.property(fullFacts, (facts) => {
        const { blockers } = judge(facts)
        for (const found of blockers) reached.add(found.gate)
        if (blockers.length === 0) eligible += 1
      }),
      RUNS,
    )
    expect([...reached].sort()).toEqual([...GATES].sort())
    expect(eligible).toBeGreaterThan(10)
  })
})
