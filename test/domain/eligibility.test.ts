import { describe, expect, test } from '@jest/globals'
import { GATES } from '../../domain/eligibility/blocker.ts'
import { known } from '../../domain/eligibility/fact.ts'
import type { EligibilityFacts } from '../../domain/eligibility/facts.ts'
import { assertClaimable, evaluate, recheckRacing } from '../../domain/eligibility.ts'
import { ERRORS } from '../../schemas/errors.ts'
import { aClaim, aJob, economicsFor, NOW, OTHER, POLICY, someFacts } from './eligibility-builder.ts'

const evaluated = (changes: Partial<EligibilityFacts> = {}) => evaluate(someFacts(changes), POLICY)
const first = (changes: Partial<EligibilityFacts>) => evaluated(changes).blockers[0]
const refusal = (changes: Partial<EligibilityFacts>) => {
  try {
    assertClaimable(evaluated(changes))
  } catch (error) {
    return error
  }
  return null
}
const starter = aJob({ rewardRaw: 200_000n, definition: { onboardingWaiverEligible: true } })
const external = aJob({ postingRoute: 'external-direct' })
const chainJob = (changes: object = {}) =>
  known({ state: 'open' as const, worker: null, claimExpiresAt: null, specHash: aJob().specHash, ...changes })

test('a wallet with enough of everything can claim', () => {
  expect(evaluated()).toMatchObject({
    eligible: true,
    reason: 'claimable',
    blockers: [],
    claimStatus: { currentWalletCanClaim: true, claimable: true },
  })
  expect(refusal({})).toBeNull()
})

describe('each gate refuses with its code, its details and a way out', () => {
  test.each<[string, Partial<EligibilityFacts>, object]>([
    ['external_job_delisted', { job: aJob({ delistedAt: NOW, delistReason: 'spam' }) }, { delistReason: 'spam' }],
    ['claimed_by_other_wallet', { latestSession: aClaim() }, { claimedBy: OTHER, claimTtlSeconds: 3600 }],
    ['retry_limit_exhausted', { claimAttemptCount: 1 }, { retryLimit: 1, claimAttemptCount: 1 }],
    ['job_session_completed', { latestSession: aClaim({ status: 'resolved' }) }, { sessionId: aClaim().sessionId }],
    ['job_paused', { job: aJob({ lifecycleStatus: 'paused' }) }, { lifecycle: 'paused' }],
    ['reward_funding_unverified', { rewardBank: 'unreadable' }, { fundingState: 'unverified' }],
    ['native_account_mapping_required', { identity: known({ mapped: false, remedy: { method: 'map' } }) }, { method: 'map' }],
    ['native_mapping_unreadable', { identity: 'unreadable' }, {}],
    ['designated_claimants_only', { job: aJob({ designatedClaimants: [OTHER] }) }, {}],
    [
      'tier_locked',
      { job: aJob({ definition: { tier: 'pro' } }), scores: known({ skill: 60, reliability: 0, economic: 0 }) },
      { missing: { skill: 40 } },
    ],
    ['role_locked', { job: aJob({ definition: { requiredRole: 'curator' } }) }, { role: 'curator', missing: { skill: 50 } }],
    ['source_already_paid', { paidSource: known({ sourceKey: 'en:1:2', paidJobId: 'j', paidSessionId: 's' }) }, { sourceKey: 'en:1:2' }],
    ['source_payment_history_unavailable', { paidSource: 'unreadable' }, {}],
    ['claim_economics_unavailable', { economics: 'unreadable' }, {}],
    [
      'insufficient_liquidity',
      { liquidity: known({ spendableRaw: 100_000n, liquidRaw: 400_000n, encumberedRaw: 300_000n, strategyAllocatedRaw: 0n }) },
      { requiredRaw: '150000', availableRaw: '100000', shortfallRaw: '50000', encumberedRaw: '300000' },
    ],
    ['blockchain_unavailable', { liquidity: 'unreadable' }, {}],
    ['onboarding_subsidy_exhausted', { job: starter, subsidyAllocatedRaw: known(7_921_001n) }, { resetAt: '2026-03-02T00:00:00.000Z' }],
    ['job_definition_integrity_invalid', { definitionIntact: known(false) }, {}],
    [
      'job_definition_chain_mismatch',
      { chainJob: chainJob({ specHash: `0x${'9'.repeat(64)}` }) },
      { chainSpecHash: `0x${'9'.repeat(64)}` },
    ],
    [
      'worker_open_exposure_cap_reached',
      { exposure: known({ openRaw: 1_500_000n, lifetimeSettledRaw: 0n, settledJobs: 0, rolling: [] }) },
      { workerExposure: expect.objectContaining({ allowed: false }) },
    ],
    ['worker_open_exposure_unavailable', { exposure: 'unreadable' }, {}],
    ['external_reward_exceeds_capital_ceiling', { job: { ...external, rewardRaw: 1_000_001n } }, {}],
    [
      'lifetime_catalogue_credit_exhausted',
      { exposure: known({ openRaw: 0n, lifetimeSettledRaw: 9_500_000n, settledJobs: 9, rolling: [] }) },
      { dailyAllowance: expect.objectContaining({ allowed: false }) },
    ],
    ['catalogue_daily_budget_exhausted', { catalogueUse: known({ totalRaw: 24_500_000n, earliestClaimedAt: NOW - 3_600_000 }) }, {}],
    ['catalogue_daily_budget_unavailable', { catalogueUse: 'unreadable' }, {}],
    ['job_not_claimable', { chainJob: chainJob({ state: 'submitted' }) }, { chainState: 'submitted' }],
  ])('%s', (code, changes, details) => {
    expect(first(changes)).toMatchObject({ code, details, message: expect.any(String), gate: expect.any(String) })
    expect(evaluated(changes)).toMatchObject({ eligible: false, reason: code, claimStatus: { currentWalletCanClaim: false } })
  })

  test('a refusal with a date is retryable and says when', () => {
    const exposure = known({
      openRaw: 0n,
      lifetimeSettledRaw: 0n,
      settledJobs: 10,
      rolling: [{ exposureRaw: 1_000_000n, claimedAt: NOW - 82_800_000 }],
    })
    expect(first({ exposure })).toMatchObject({ code: 'daily_exposure_budget_reached', retryable: true, retryAfterSeconds: 3600 })
    expect(first({ job: starter, subsidyAllocatedRaw: known(8_000_000n) })).toMatchObject({ retryable: true, retryAfterSeconds: 43_200 })
  })

  test('the priority window refuses with the time to wait, only while it is open and only those who do not qualify', () => {
    const policy = { ...POLICY, priority: { ...POLICY.priority, enabled: true } }
    const job = aJob({ listedAt: NOW - 600_000 })
    const facts = someFacts({ job })
    expect(evaluate(facts, policy).blockers).toMatchObject([
      { code: 'priority_window_active', retryAfterSeconds: 1200, details: { openAt: '2026-03-01T12:20:00.000Z' } },
    ])
    expect(evaluate({ ...facts, priority: { ...facts.priority, directoryListed: known(true) } }, policy).eligible).toBe(true)
    expect(evaluate({ ...facts, now: NOW + 1_200_000 }, policy).eligible).toBe(true)
    expect(evaluate({ ...facts, latestSession: aClaim() }, policy).blockers.map((found) => found.code)).toEqual(['claimed_by_other_wallet'])
    expect(evaluate(facts, POLICY).eligible).toBe(true)
  })
})

describe('the order of blockers', () => {
  test('everything that stands in the way is listed, in gate order', () => {
    const { blockers } = evaluated({
      job: aJob({ delistedAt: NOW, lifecycleStatus: 'paused', definition: { tier: 'elite', requiredRole: 'arbitrator' } }),
      scores: known({ skill: 0, reliability: 0, economic: 0 }),
      identity: 'unreadable',
      paidSource: 'unreadable',
      liquidity: known({ spendableRaw: 0n, liquidRaw: 0n, encumberedRaw: 0n, strategyAllocatedRaw: 0n }),
      definitionIntact: known(false),
      exposure: 'unreadable',
      catalogueUse: 'unreadable',
      chainJob: chainJob({ state: 'closed' }),
    })
    expect(blockers.map((found) => found.gate)).toEqual([
      'delisted',
      'claim_state',
      'earning_identity',
      'tier',
      'role',
      'paid_source',
      'wallet_funding',
      'definition_integrity',
      'open_exposure',
      'allowance',
      'catalogue_budget',
      'chain_state',
    ])
    const ranks = blockers.map((found) => GATES.indexOf(found.gate))
    expect(ranks).toEqual([...ranks].sort((left, right) => left - right))
  })

  test('a designated job taken by somebody says both, an untaken one says it once', () => {
    const job = aJob({ designatedClaimants: [OTHER] })
    expect(evaluated({ job, latestSession: aClaim() }).blockers.map((found) => found.code)).toEqual([
      'claimed_by_other_wallet',
      'designated_claimants_only',
    ])
    expect(evaluated({ job }).blockers.map((found) => found.code)).toEqual(['designated_claimants_only'])
  })
})

describe('the refusal of a claim', () => {
  test.each<[string, string, Partial<EligibilityFacts>]>([
    ['claimed_by_other_wallet', 'job_already_claimed', { latestSession: aClaim() }],
    ['session_submitted', 'job_already_claimed', { latestSession: aClaim({ status: 'submitted' }) }],
    ['job_stale', 'job_not_claimable', { job: aJob({ staleAt: NOW }) }],
    ['job_archived', 'job_not_claimable', { job: aJob({ lifecycleStatus: 'archived' }) }],
  ])('%s becomes %s and keeps the word as its reason', (reason, code, changes) => {
    expect(refusal(changes)).toMatchObject({ code, info: { reason } })
  })

  test('an error code of the table stays itself and carries details and ways out', () => {
    const error = refusal({ liquidity: known({ spendableRaw: 0n, liquidRaw: 0n, encumberedRaw: 0n, strategyAllocatedRaw: 0n }) })
    expect(error).toMatchObject({
      code: 'insufficient_liquidity',
      message: ERRORS.insufficient_liquidity.meaning,
      info: {
        details: { shortfallRaw: '150000' },
        nextActions: [{ path: '/account/deposit/transactions', description: 'Deposit 0.15 USDC and claim again.' }],
      },
    })
  })

  test('a claim is never decided on facts that nobody read', () => {
    expect(() => assertClaimable(evaluated({ vestedRaw: 'unknown' }))).toThrow('without reading: vestedRaw')
    expect(() => recheckRacing(someFacts({ exposure: 'unknown' }), POLICY)).toThrow('without reading: exposure')
  })
})

describe('what is not known', () => {
  test('an unread fact never refuses', () => {
    const unread = evaluated({
      identity: 'unknown',
      scores: 'unknown',
      exposure: 'unknown',
      catalogueUse: 'unknown',
      subsidyAllocatedRaw: 'unknown',
      paidSource: 'unknown',
      definitionIntact: 'unknown',
      economics: 'unknown',
      liquidity: 'unknown',
      vestedRaw: 'unknown',
      chainJob: 'unknown',
      rewardBank: 'unknown',
      job: aJob({ definition: { tier: 'elite' } }),
    })
    expect(unread).toMatchObject({ eligible: true, fundingState: null })
  })

  test('an unreadable deposit raises no cap, an unreadable escrow lets a claim pass', () => {
    expect(evaluated({ vestedRaw: 'unreadable' }).eligible).toBe(true)
    expect(
      first({ vestedRaw: 'unreadable', exposure: known({ openRaw: 2_000_000n, lifetimeSettledRaw: 0n, settledJobs: 0, rolling: [] }) })
        ?.code,
    ).toBe('worker_open_exposure_cap_reached')
    expect(evaluated({ chainJob: 'unreadable' }).eligible).toBe(true)
  })

  test('an anonymous reader gets no verdict about a wallet', () => {
    const anonymous = evaluated({ wallet: null, scores: 'unknown', job: aJob({ definition: { tier: 'elite' } }) })
    expect(anonymous.claimStatus).toMatchObject({ currentWalletCanClaim: null, claimable: true, reason: 'claimable' })
  })
})

describe('the escrow under a job', () => {
  test('an own claim without a session converges, a lapsed one is timed out first, a live one of another refuses', () => {
    const claimedBy = (worker: string, claimExpiresAt: number) =>
      evaluated({ chainJob: chainJob({ state: 'claimed', worker, claimExpiresAt }) })
    expect(claimedBy(someFacts().wallet ?? '', NOW + 1000).eligible).toBe(true)
    expect(claimedBy(OTHER, NOW - 1000).eligible).toBe(true)
    expect(claimedBy(OTHER, NOW).blockers).toMatchObject([{ code: 'job_not_claimable', gate: 'chain_state' }])
  })
})

describe('waived, designated and external jobs', () => {
  test('a waived claim needs no balance', () => {
    const liquidity = known({ spendableRaw: 0n, liquidRaw: 0n, encumberedRaw: 0n, strategyAllocatedRaw: 0n })
    expect(evaluated({ job: starter, liquidity }).eligible).toBe(true)
    expect(first({ job: starter, liquidity, economics: known(economicsFor(starter, 3)) })?.code).toBe('insufficient_liquidity')
  })

  test('a designated job is outside the exposure valves', () => {
    expect(
      evaluated({ job: aJob({ designatedClaimants: [someFacts().wallet ?? ''] }), exposure: 'unreadable', catalogueUse: 'unreadable' }),
    ).toMatchObject({
      eligible: true,
      reason: 'designated_claimant_authorized',
      claimStatus: { claimable: false, currentWalletCanClaim: true, effectiveState: 'restricted' },
    })
  })

  test('an external job knows only the capital ceiling and is claimed by the worker itself', () => {
    const evaluation = evaluated({ job: external, exposure: 'unreadable', catalogueUse: 'unreadable', rewardBank: 'unreadable' })
    expect(evaluation).toMatchObject({ eligible: true, selfPaidClaim: true })
    expect(evaluation.assessment).toMatchObject({
      openExposure: { evidence: { reason: 'external_reward_within_capital_ceiling' } },
      allowance: { evidence: { reason: 'external_job_has_no_catalogue_allowance' } },
      catalogueBudget: { evidence: { reason: 'external_job_has_no_catalogue_budget' } },
    })
  })
})

describe('the re-check under locks', () => {
  test('sees what two claims can race for', () => {
    expect(recheckRacing(someFacts(), POLICY)).toBeNull()
    expect(recheckRacing(someFacts({ latestSession: aClaim() }), POLICY)?.code).toBe('claimed_by_other_wallet')
    expect(recheckRacing(someFacts({ claimAttemptCount: 1 }), POLICY)?.code).toBe('retry_limit_exhausted')
    expect(recheckRacing(someFacts({ catalogueUse: known({ totalRaw: 25_000_000n, earliestClaimedAt: NOW }) }), POLICY)?.code).toBe(
      'catalogue_daily_budget_exhausted',
    )
    expect(recheckRacing(someFacts({ job: starter, subsidyAllocatedRaw: known(8_000_000n) }), POLICY)?.code).toBe(
      'onboarding_subsidy_exhausted',
    )
  })

  test('leaves alone what cannot change between admission and reservation', () => {
    expect(
      recheckRacing(
        someFacts({ scores: known({ skill: 0, reliability: 0, economic: 0 }), job: aJob({ definition: { tier: 'pro' } }) }),
        POLICY,
      ),
    ).toBeNull()
  })
})
