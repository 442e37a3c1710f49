import { describe, expect, test } from '@jest/globals'
import { known } from '../../../../domain/common/fact.ts'
import { parseUnitsExact } from '../../../../domain/common/money.ts'
import { evaluate } from '../../../../domain/eligibility/evaluate.ts'
import type { EligibilityFacts } from '../../../../domain/eligibility/facts.ts'
import { type DefinitionParts, explainView, preflightView } from '../../../../domain/eligibility/views/preflight.ts'
import { explainEligibility, preflightJob } from '../../../../schemas/eligibility/operations.ts'
import { ERRORS } from '../../../../schemas/errors.ts'
import { aBalance, aChainJob, aClaim, aJob, economicsFor, NOW, POLICY, someFacts, WALLET } from '../../builders/eligibility.ts'

const PARTS = {
  lifecycle: { status: 'open' },
  submissionContract: { endpoint: 'POST /jobs/submit' },
  verificationContract: { version: 'verification-contract-v1' },
} as unknown as DefinitionParts
const UNREADABLE = { economics: 'unreadable', liquidity: 'unreadable', vestedRaw: 'unreadable', chainJob: 'unreadable' } as const
const preflight = (changes: Partial<EligibilityFacts> = {}) => preflightView(evaluate(someFacts(changes), POLICY), PARTS)
const explain = (changes: Partial<EligibilityFacts> = {}) => explainView(evaluate(someFacts(changes), POLICY), PARTS)

describe('preflight', () => {
  test('of an open job says what the claim locks and pays', () => {
    expect(preflight()).toMatchObject({
      wallet: WALLET,
      jobId: 'job-1',
      catalogEligible: true,
      eligible: true,
      reason: 'claimable',
      blockers: [],
      claimStake: '0.1',
      claimStakeRaw: '100000',
      claimFee: '0.05',
      totalClaimLock: '0.15',
      totalClaimLockRaw: '150000',
      netReward: '0.95',
      netRewardRaw: '950000',
      availableLiquidity: '10',
      claimNumber: 1,
      claimEconomicsWaived: false,
      claimEconomicsWaiverScope: 'next_claim_projection',
      claimEconomicsSource: 'current_local_before_ensure',
      claimFundingAsset: 'USDC',
      claimFundingSufficient: true,
      claimFundingShortfall: '0',
      strategyUnwindNeeded: false,
      waiverClaimsPerWallet: 3,
      waiverSlotsRemaining: 3,
      requiredOutputSchema: 'schema://jobs/coding-output',
      verifierHandler: 'deterministic',
      supportsVerifier: true,
      preferredCategory: true,
      reputationTier: 'starter',
      jobDefinitionIntegrity: { eligible: true, applies: false, status: 'not_on_chain', reason: null },
      dailyExposureRemaining: '1.5',
      dailyExposureRemainingRaw: '1500000',
      delisted: false,
    })
  })

  test.each([{}, { latestSession: aClaim() }, UNREADABLE])(
    'says what holds for the deadline of a claim, whatever the job: %#',
    (changes) => {
      const rules = [expect.stringMatching(/last 12 seconds.*brokered_submit_expired/), expect.stringMatching(/pause.*moves no deadline/)]
      expect(preflight(changes).deadlineRules).toEqual(rules)
      expect(ERRORS).toHaveProperty('brokered_submit_expired')
    },
  )

  test('the lock parses back to base units, which is what a depositor needs', () => {
    const body = preflight()
    expect(parseUnitsExact(body.totalClaimLock ?? '', 6).toString()).toBe(body.totalClaimLockRaw)
  })

  test('a short balance names the shortfall and whether a strategy could cover it', () => {
    expect(preflight({ liquidity: aBalance(100_000n, { strategyAllocatedRaw: 5n }) })).toMatchObject({
      eligible: false,
      catalogEligible: true,
      reason: 'insufficient_liquidity',
      reasonMessage: expect.any(String),
      claimFundingSufficient: false,
      claimFundingShortfall: '0.05',
      claimFundingShortfallRaw: '50000',
      strategyUnwindNeeded: true,
    })
  })

  test.each([
    ['a short balance with strategies', 149_999n, 1n, true],
    ['a short balance without any', 149_999n, 0n, false],
    ['a balance of exactly the bond', 150_000n, 1n, false],
  ])(
    '%s: strategies are needed for what is missing, and only where there are some',
    (_name, spendableRaw, strategyAllocatedRaw, needed) => {
      expect(preflight({ liquidity: aBalance(spendableRaw, { strategyAllocatedRaw }) }).strategyUnwindNeeded).toBe(needed)
    },
  )

  test.each(['economics', 'liquidity'] as const)('without %s it is unknown whether the balance is enough', (name) => {
    expect(preflight({ [name]: 'unreadable' })).toMatchObject({
      claimFundingSufficient: null,
      claimFundingShortfall: null,
      claimFundingShortfallRaw: null,
      strategyUnwindNeeded: false,
    })
  })

  test.each([
    [0, 3],
    [2, 1],
    [3, 0],
    [9, 0],
  ])('after %i claims %i waivers are left', (claimCount, left) => {
    expect(preflight({ economics: known(economicsFor(aJob(), claimCount)) }).waiverSlotsRemaining).toBe(left)
  })

  test('a locked tier sets the reason and shows in the gate', () => {
    expect(
      preflight({ job: aJob({ definition: { tier: 'pro' } }), scores: known({ skill: 60, reliability: 1, economic: 2 }) }),
    ).toMatchObject({
      eligible: false,
      catalogEligible: false,
      reason: 'tier_locked',
      tierGate: {
        tier: 'pro',
        unlocked: false,
        requires: { skill: 100 },
        has: { skill: 60, reliability: 1, economic: 2 },
        missing: { skill: 40 },
      },
      claimStatus: { reason: 'tier_locked', claimable: true, currentWalletCanClaim: false },
    })
  })

  test('failure states are the standing ones and every active blocker, each once', () => {
    expect(preflight().failureStates).toEqual([
      'verifier_timeout',
      'submission_rejected',
      'dispute_opened',
      'insufficient_liquidity',
      'onboarding_subsidy_exhausted',
      'paused_system',
    ])
    expect(preflight({ liquidity: aBalance(0n), claimAttemptCount: 1 }).failureStates).toEqual(
      expect.arrayContaining(['retry_limit_exhausted', 'insufficient_liquidity']),
    )
    expect(preflight({ liquidity: aBalance(0n) }).failureStates).toHaveLength(6)
  })

  test('claim status is repeated at the top, except what preflight says itself', () => {
    const body = preflight({ latestSession: aClaim() })
    expect(body).toMatchObject({
      claimState: 'claimed',
      claimable: false,
      claimedBy: aClaim().wallet,
      sessionId: aClaim().sessionId,
      fundingState: 'funded',
    })
    expect(body.claimStatus.claimNumber).toBe(1)
    expect(body.claimNumber).toBe(1)
    expect(preflight({ latestSession: aClaim({ claimNumber: 8 }) })).toMatchObject({ claimNumber: 1, claimStatus: { claimNumber: 8 } })
  })

  test('an unreadable chain leaves its values null and names the blocker; nothing becomes zero', () => {
    expect(preflight(UNREADABLE)).toMatchObject({
      eligible: false,
      reason: 'claim_economics_unavailable',
      totalClaimLock: null,
      totalClaimLockRaw: null,
      netReward: null,
      availableLiquidity: null,
      claimFundingSufficient: null,
      onboardingSubsidy: null,
      jobDefinitionIntegrity: { eligible: true, status: 'chain_unavailable_fail_open' },
    })
  })

  test('the window shows when it applies', () => {
    const policy = { ...POLICY, priority: { ...POLICY.priority, enabled: true } }
    const body = preflightView(evaluate(someFacts({ job: aJob({ listedAt: NOW }) }), policy), PARTS)
    expect(body).toMatchObject({
      reason: 'priority_window_active',
      openAt: '2026-03-01T12:30:00.000Z',
      priorityWindow: { openAt: '2026-03-01T12:30:00.000Z', qualifiesWith: expect.any(String) },
      priorityQualification: { status: 'priority_window_active', qualifies: false, thresholdRaw: '1000000' },
    })
    expect(preflight()).not.toHaveProperty('priorityWindow')
    expect(preflight().priorityQualification).toMatchObject({ status: 'not_windowed' })
  })

  test('a verified definition says that the chain agrees, a different one that it does not', () => {
    expect(preflight({ chainJob: aChainJob() }).jobDefinitionIntegrity).toMatchObject({
      eligible: true,
      applies: true,
      status: 'chain_verified',
    })
    expect(preflight({ chainJob: aChainJob({ specHash: '0x00' }) }).jobDefinitionIntegrity).toMatchObject({
      eligible: false,
      applies: true,
      status: 'job_definition_chain_mismatch',
    })
  })
})

test('an answer for a wallet whose facts were not read is a fault, not a body with holes', () => {
  expect(() => preflight({ scores: 'unknown' })).toThrow('without reading: scores')
  expect(() => preflight({ wallet: null })).toThrow('without reading: wallet')
})

describe('explain', () => {
  test('adds which cap binds, where it comes from and what raises it', () => {
    expect(explain({ vestedRaw: known(4_000_000n) })).toMatchObject({
      tierLabel: 'claim tier',
      currentCap: { asset: 'USDC', raw: '3500000', decimals: 6, display: '3.5', source: 'base_and_vested_deposit' },
      capSource: {
        gate: 'worker_open_exposure',
        tier: 'starter',
        tierLabel: 'claim tier',
        deposit: { vested: { raw: '4000000' }, perJobRaise: { raw: '4000000' }, concurrentRaise: { raw: '1000000' } },
      },
      nextRaise: { action: 'keep_completing', effect: expect.stringMatching(/more settled jobs/) },
    })
    expect(explain({ job: aJob({ postingRoute: 'external-direct' }) })).toMatchObject({
      currentCap: { raw: '1000000', source: 'base' },
      capSource: { gate: 'external_reward_ceiling' },
    })
  })
})

describe('published shapes', () => {
  const shapeOf = (operation: { responses: object }) =>
    Reflect.get(operation.responses, '200') as { shape: Record<string, { safeParse: (value: unknown) => { success: boolean } }> }
  const PARTIAL = ['lifecycle', 'submissionContract', 'verificationContract', 'claimStatus']

  test.each([
    ['preflight', preflightJob, preflight, {}],
    ['explain', explainEligibility, explain, {}],
    ['preflight with an unreadable chain', preflightJob, preflight, UNREADABLE],
    ['explain with an unreadable chain', explainEligibility, explain, UNREADABLE],
  ] as const)('%s has every published member with a value of its shape', (_name, operation, answer, changes) => {
    const body = answer(changes)
    const wrong = Object.entries(shapeOf(operation).shape)
      .filter(([member]) => !PARTIAL.includes(member))
      .filter(([member, shape]) => !shape.safeParse(Reflect.get(body, member)).success)
      .map(([member]) => member)
    expect(wrong).toEqual([])
  })
})
