import { describe, expect, test } from '@jest/globals'
import { known } from '../../../domain/common/fact.ts'
import { assess } from '../../../domain/eligibility/assessment.ts'
import { assertClaimable, certainRefusal, evaluate, recheckRacing } from '../../../domain/eligibility/evaluate.ts'
import { type EligibilityFacts, type FactName, unreadFacts } from '../../../domain/eligibility/facts.ts'
import { ERRORS } from '../../../schemas/errors.ts'
import { aBalance, aChainJob, aClaim, aDelegate, aJob, aStarter, NOW, POLICY, someFacts } from '../builders/eligibility.ts'
import { FACT_NAMES, without } from '../builders/eligibility-generator.ts'
import { UNREADABLE } from '../identity/native/accounts.ts'

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
const external = aJob({ postingRoute: 'external-direct' })

test('a wallet with enough of everything can claim', () => {
  expect(evaluated()).toMatchObject({
    eligible: true,
    reason: 'claimable',
    blockers: [],
    claimStatus: { currentWalletCanClaim: true, claimable: true },
  })
  expect(refusal({})).toBeNull()
})

test('every blocker is listed, in the order of the gates', () => {
  const { blockers } = evaluated({
    job: aJob({ delistedAt: NOW, lifecycleStatus: 'paused', definition: { tier: 'elite', requiredRole: 'arbitrator' } }),
    scores: known({ skill: 0, reliability: 0, economic: 0 }),
    identity: known(UNREADABLE),
    paidSource: 'unreadable',
    liquidity: aBalance(0n),
    definitionIntact: known(false),
    exposure: 'unreadable',
    catalogueUse: 'unreadable',
    chainJob: aChainJob({ state: 'closed' }),
  })
  expect(blockers.map((found) => found.gate)).toEqual([
    ...['delisted', 'claim_state', 'earning_identity', 'tier', 'role', 'paid_source'],
    ...['wallet_funding', 'definition_integrity', 'open_exposure', 'allowance', 'catalogue_budget', 'chain_state'],
  ])
})

describe('the refusal of a claim', () => {
  test.each<[string, string, Partial<EligibilityFacts>]>([
    ['claimed_by_other_wallet', 'job_already_claimed', { latestSession: aClaim() }],
    ['session_submitted', 'job_already_claimed', { latestSession: aClaim({ status: 'submitted' }) }],
    ['job_stale', 'job_not_claimable', { job: aJob({ staleAt: NOW }) }],
    ['job_archived', 'job_not_claimable', { job: aJob({ lifecycleStatus: 'archived' }) }],
  ])('%s becomes %s and stays its reason', (reason, code, changes) => {
    expect(refusal(changes)).toMatchObject({ code, info: { reason } })
  })

  test('an error code of the table stays itself and carries details and ways out', () => {
    const error = refusal({ liquidity: aBalance(0n) })
    expect(error).toMatchObject({
      code: 'insufficient_liquidity',
      message: ERRORS.insufficient_liquidity.meaning,
      info: {
        details: { shortfallRaw: '150000' },
        nextActions: [{ path: '/account/deposit/transactions', description: 'Deposit 0.15 USDC and claim again.' }],
      },
    })
    expect(error).not.toHaveProperty('info.reason')
  })

  test('a claim is never decided on unread facts', () => {
    expect(() => assertClaimable(evaluated({ vestedRaw: 'unknown' }))).toThrow('without reading: vestedRaw')
    expect(() => recheckRacing(assess(someFacts({ exposure: 'unknown' }), POLICY))).toThrow('without reading: exposure')
    const priority = { ...someFacts().priority, directoryListed: 'unknown' as const, outstandingCreditRaw: 'unknown' as const }
    expect(() => assertClaimable(evaluated({ scores: 'unknown', priority }))).toThrow(
      'without reading: scores, priority.directoryListed, priority.outstandingCreditRaw',
    )
  })
})

describe('the refusal that is certain before all was read', () => {
  const certain = (changes: Partial<EligibilityFacts>) => certainRefusal(evaluated(changes))?.code ?? null
  const USED_UP = { claimAttemptCount: 1 }

  test('is none where nothing stands in the way', () => {
    expect(certain({})).toBeNull()
  })

  test.each<[string, string | null, Partial<EligibilityFacts>]>([
    ['the first of several blockers', 'retry_limit_exhausted', { ...USED_UP, paidSource: 'unreadable' }],
    ['what no unread fact stands before', 'retry_limit_exhausted', { ...USED_UP, identity: 'unknown', chainJob: 'unknown' }],
    ['a blocker after a gate that waits for a fact', null, { identity: 'unknown', paidSource: 'unreadable' }],
    [
      'a gate that waits for one of its facts',
      null,
      { liquidity: 'unknown', subsidyAllocatedRaw: known(0n), definitionIntact: known(false) },
    ],
    ['a gate that refuses on one fact and waits for the other', null, { definitionIntact: known(false), chainJob: 'unknown' }],
    ['a blocker before the unread fact', 'source_payment_history_unavailable', { paidSource: 'unreadable', liquidity: 'unknown' }],
  ])('%s: %s', (_name, code, changes) => {
    expect(certain(changes)).toBe(code)
  })

  test('is the blocker that a claim on all facts refuses with', () => {
    const evaluation = evaluated({ claimAttemptCount: 1, paidSource: 'unreadable' })
    expect(certainRefusal(evaluation)).toEqual(evaluation.blockers[0])
  })
})

describe('what is not known', () => {
  test('an unread fact never refuses', () => {
    const read: FactName[] = ['externalPosting', 'readiness', 'paused', 'locks']
    const facts = someFacts({ job: aJob({ definition: { tier: 'elite' } }) })
    const unread = evaluate(
      without(
        facts,
        FACT_NAMES.filter((name) => !read.includes(name)),
      ),
      POLICY,
    )
    expect(unread).toMatchObject({ eligible: true, fundingState: null })
  })

  test.each(['liquidity', 'subsidyAllocatedRaw'] as const)('terms of a claim that are known refuse nothing while %s is unread', (name) => {
    const unread = evaluated({ [name]: 'unknown' })
    expect(unread.blockers).toEqual([])
    expect(unread.assessment.subsidy === null).toBe(name === 'subsidyAllocatedRaw')
  })

  test('an unreadable deposit refuses nothing below the base cap and nothing for good, an unreadable escrow lets a claim pass', () => {
    expect(evaluated({ vestedRaw: 'unreadable' }).eligible).toBe(true)
    expect(
      first({ vestedRaw: 'unreadable', exposure: known({ openRaw: 2_000_000n, lifetimeSettledRaw: 0n, settledJobs: 0, rolling: [] }) })
        ?.code,
    ).toBe('worker_open_exposure_unavailable')
    expect(evaluated({ chainJob: 'unreadable' }).eligible).toBe(true)
  })

  test('an anonymous reader gets no verdict about a wallet', () => {
    const anonymous = evaluated({ wallet: null, scores: 'unknown', job: aJob({ definition: { tier: 'elite' } }) })
    expect(anonymous.claimStatus).toMatchObject({ currentWalletCanClaim: null, claimable: true, reason: 'claimable' })
  })
})

test.each(FACT_NAMES)('an unread %s is named, and leaves no refusal of a later gate certain', (name) => {
  const paused = someFacts({ paused: known(true) })
  expect([unreadFacts(paused), unreadFacts(without(paused, [name]))]).toEqual([[], [name]])
  const certain = (facts: EligibilityFacts) => certainRefusal(evaluate(facts, POLICY))?.gate
  expect([certain(paused), certain(without(paused, [name]))]).toEqual(['protocol_pause', undefined])
})

describe('designated and external jobs', () => {
  test('a designated job is outside the exposure valves', () => {
    const reason = 'designated_claimants_job'
    const job = aJob({ designatedClaimants: [someFacts().wallet ?? ''] })
    expect(evaluated({ job, exposure: 'unreadable', catalogueUse: 'unreadable' })).toMatchObject({
      assessment: {
        openExposure: { evidence: { reason } },
        allowance: { evidence: { reason } },
        catalogueBudget: { evidence: { reason } },
      },
      eligible: true,
      reason: 'designated_claimant_authorized',
      claimStatus: { claimable: false, currentWalletCanClaim: true, effectiveState: 'restricted' },
    })
  })

  test('an external job knows only the capital ceiling', () => {
    const evaluation = evaluated({ job: external, exposure: 'unreadable', catalogueUse: 'unreadable', rewardBank: 'unreadable' })
    expect(evaluation).toMatchObject({ eligible: true })
    expect(evaluation.assessment).toMatchObject({
      openExposure: { evidence: { reason: 'external_reward_within_capital_ceiling' } },
      allowance: { evidence: { reason: 'external_job_has_no_catalogue_allowance' } },
      catalogueBudget: { evidence: { reason: 'external_job_has_no_catalogue_budget' } },
    })
  })
})

describe('the re-check under locks', () => {
  const using = (changes: object) => known({ openRaw: 0n, lifetimeSettledRaw: 0n, settledJobs: 0, rolling: [], ...changes })
  test.each<[string, Partial<EligibilityFacts>]>([
    ['delisted', { job: aJob({ delistedAt: NOW, delistReason: 'spam' }) }],
    ['claim_state', { latestSession: aClaim() }],
    ['paid_source', { paidSource: 'unreadable' }],
    ['delegate_budget', { delegate: known(aDelegate({ jobsPerDay: 0 })) }],
    ['onboarding_subsidy', { job: aStarter(), subsidyAllocatedRaw: known(8_000_000n) }],
    ['open_exposure', { exposure: using({ openRaw: 100_000_000n }) }],
    ['allowance', { exposure: using({ lifetimeSettledRaw: 9_500_000n, settledJobs: 9 }) }],
    ['catalogue_budget', { catalogueUse: known({ totalRaw: 25_000_000n, earliestClaimedAt: NOW }) }],
  ])('asks the gate %s again', (gate, changes) => {
    expect(recheckRacing(assess(someFacts(changes), POLICY))?.gate).toBe(gate)
  })

  test('finds nothing on facts under which the wallet can claim', () => {
    expect(recheckRacing(assess(someFacts(), POLICY))).toBeNull()
  })

  test('leaves alone what cannot change between admission and reservation', () => {
    const locked = { scores: known({ skill: 0, reliability: 0, economic: 0 }), job: aJob({ definition: { tier: 'pro' } }) }
    expect(recheckRacing(assess(someFacts(locked), POLICY))).toBeNull()
  })
})
