import { describe, expect, test } from '@jest/globals'
import {
  allowanceValve,
  catalogueBudgetValve,
  claimExposureRaw,
  exposureLimits,
  externalCeilingValve,
  lifetimeCreditValve,
  onboardingSubsidy,
  openExposureValve,
  subsidyCostRaw,
  vestedCapacity,
  type WalletExposure,
} from '../../domain/exposure.ts'
import { readSettings } from '../../schemas/config.ts'

const LIMITS = exposureLimits(readSettings({ DATABASE_URL: 'postgres://x', CHAIN_FILE: 'x' }), { symbol: 'USDC', decimals: 6 })
const NOW = Date.parse('2026-03-01T12:00:00.000Z')
const HOUR = 3_600_000
const use = (changes: Partial<WalletExposure> = {}): WalletExposure => ({
  openRaw: 0n,
  lifetimeSettledRaw: 0n,
  settledJobs: 0,
  rolling: [],
  ...changes,
})
const graduate = (changes: Partial<WalletExposure> = {}) => use({ settledJobs: 10, ...changes })

describe('vested deposits', () => {
  test.each([
    [0n, 2_500_000n, 1_000_000n],
    [1_000_000n, 3_000_000n, 2_000_000n],
    [4_000_000n, 3_500_000n, 5_000_000n],
    [9_000_000n, 4_000_000n, 10_000_000n],
    [99_999_999n, 7_000_000n, 100_999_999n],
    [100_000_000n, 7_500_000n, 101_000_000n],
  ])('%d vested raise the cap to %d and the external ceiling to %d', (vestedRaw, capRaw, ceilingRaw) => {
    const capacity = vestedCapacity(vestedRaw, LIMITS)
    expect([capacity.openExposureCapRaw, capacity.externalRewardCeilingRaw]).toEqual([capRaw, ceilingRaw])
  })

  test('the next raise is the next whole square', () => {
    expect(vestedCapacity(5_000_000n, LIMITS)).toMatchObject({
      nextConcurrentRaiseVestedRaw: 9_000_000n,
      nextConcurrentRaiseAmountRaw: 4_000_000n,
    })
  })
})

describe('open exposure', () => {
  const capacity = vestedCapacity(0n, LIMITS)

  test('a claim that lands exactly on the cap is allowed, one base unit more is not', () => {
    const fits = openExposureValve(use({ openRaw: 1_500_000n }), 1_000_000n, capacity, LIMITS)
    expect(fits).toMatchObject({
      refusal: null,
      evidence: { allowed: true, reason: 'worker_open_exposure_within_cap', limit: '2.5', remainingRaw: '1000000' },
    })
    const over = openExposureValve(use({ openRaw: 1_500_001n }), 1_000_000n, capacity, LIMITS)
    expect(over.refusal).toEqual({ code: 'worker_open_exposure_cap_reached' })
    expect(over.evidence).toMatchObject({ allowed: false, reason: 'worker_open_exposure_cap_reached', projectedRaw: '2500001' })
  })

  test('a brokered claim puts its gas at risk beside its reward', () => {
    expect(claimExposureRaw(1_000_000n, true, LIMITS)).toBe(1_059_000n)
    expect(claimExposureRaw(1_000_000n, false, LIMITS)).toBe(1_000_000n)
  })

  test('an external reward is held to the capital ceiling', () => {
    expect(externalCeilingValve(1_000_000n, capacity, LIMITS).evidence.reason).toBe('external_reward_within_capital_ceiling')
    expect(externalCeilingValve(1_000_001n, capacity, LIMITS).refusal).toEqual({ code: 'external_reward_exceeds_capital_ceiling' })
  })
})

describe('catalogue allowance', () => {
  test('before graduation settled and open work together count against the lifetime credit', () => {
    const nearly = use({ lifetimeSettledRaw: 7_000_000n, openRaw: 2_000_000n, settledJobs: 9 })
    expect(lifetimeCreditValve(nearly, 1_000_000n, LIMITS).evidence.reason).toBe('lifetime_catalogue_credit_available')
    expect(allowanceValve(nearly, 1_000_001n, LIMITS, NOW).refusal).toEqual({ code: 'lifetime_catalogue_credit_exhausted' })
  })

  test('after ten settled jobs the rolling day takes over and says when the earliest claim leaves it', () => {
    const busy = graduate({
      lifetimeSettledRaw: 90_000_000n,
      rolling: [
        { exposureRaw: 800_000n, claimedAt: NOW - 2 * HOUR },
        { exposureRaw: 500_000n, claimedAt: NOW - 20 * HOUR },
      ],
    })
    expect(allowanceValve(busy, 200_000n, LIMITS, NOW)).toMatchObject({ refusal: null, evidence: { usedRaw: '1300000' } })
    expect(allowanceValve(busy, 200_001n, LIMITS, NOW).refusal).toEqual({
      code: 'daily_exposure_budget_reached',
      retryAfterSeconds: 4 * 3600,
    })
  })

  test('a claim leaves the window exactly 24 hours after it was made', () => {
    const entry = graduate({ rolling: [{ exposureRaw: 1_500_000n, claimedAt: NOW - 24 * HOUR }] })
    expect(allowanceValve(entry, 1n, LIMITS, NOW - 1).refusal?.code).toBe('daily_exposure_budget_reached')
    expect(allowanceValve(entry, 1n, LIMITS, NOW).refusal).toBeNull()
  })

  test('a candidate larger than the whole budget names no time to wait for', () => {
    expect(allowanceValve(graduate(), 1_500_001n, LIMITS, NOW).refusal).toEqual({ code: 'daily_exposure_budget_reached' })
  })

  test('the operator-wide budget is shared by all wallets', () => {
    const full = { totalRaw: 24_000_000n, earliestClaimedAt: NOW - 23 * HOUR }
    expect(catalogueBudgetValve(full, 1_000_000n, LIMITS, NOW).evidence.reason).toBe('catalogue_daily_budget_within_budget')
    expect(catalogueBudgetValve(full, 1_000_001n, LIMITS, NOW).refusal).toEqual({
      code: 'catalogue_daily_budget_exhausted',
      retryAfterSeconds: 3600,
    })
  })
})

describe('onboarding subsidy', () => {
  const waivedClaim = { waived: true, brokered: true, unwaivedStakeRaw: 20_000n }

  test('a waived, brokered claim costs the waived stake and the gas', () => {
    expect(subsidyCostRaw(waivedClaim, LIMITS)).toBe(79_000n)
    expect(subsidyCostRaw({ ...waivedClaim, waived: false }, LIMITS)).toBe(0n)
    expect(subsidyCostRaw({ ...waivedClaim, brokered: false }, LIMITS)).toBe(0n)
  })

  test('the object speaks of the UTC day and of what is left in it', () => {
    expect(onboardingSubsidy(waivedClaim, 7_921_000n, LIMITS, Date.parse('2026-03-01T23:59:59.999Z'))).toEqual({
      scope: 'tier-0-onboarding-subsidy',
      day: '2026-03-01',
      clock: 'UTC',
      resetAt: '2026-03-02T00:00:00.000Z',
      dailyBudgetUsdc: '8',
      allocatedUsdc: '7.921',
      headroomUsdc: '0.079',
      source: 'reservations',
      applies: true,
      available: true,
      estimatedClaimSubsidyUsdc: '0.079',
      waivedClaimStakeUsdc: '0.02',
      brokeredGasEstimateUsdc: '0.059',
    })
    expect(onboardingSubsidy(waivedClaim, 7_921_001n, LIMITS, NOW).available).toBe(false)
  })
})
