import { describe, expect, test } from '@jest/globals'
import { z } from 'zod'
import { known } from '../../../domain/common/fact.ts'
import { WAIVED_BOND } from '../../../domain/eligibility/claim-economics.ts'
import {
  allowanceValve,
  bankShareRaw,
  catalogueBudgetValve,
  claimExposureRaw,
  dailyExposureValve,
  exposureLimits,
  externalCeilingValve,
  lifetimeCreditValve,
  notApplicable,
  onboardingSubsidy,
  openExposureValve,
  subsidyCostRaw,
  unavailableValve,
  vestedCapacity,
  type WalletExposure,
} from '../../../domain/eligibility/exposure.ts'
import { BANK_SHARE_BPS } from '../../../domain/locked-deposits/tiers.ts'
import { settings } from '../../../schemas/eligibility/settings.ts'

const usdc = (raw: string, display: string) => ({ asset: 'USDC', raw, decimals: 6, display })

const LIMITS = exposureLimits(z.object(settings).parse({}), { symbol: 'USDC', decimals: 6 })
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
    const capacity = vestedCapacity(vestedRaw, LIMITS, 0n)
    expect([capacity.openExposureCapRaw, capacity.externalRewardCeilingRaw]).toEqual([capRaw, ceilingRaw])
  })

  test('the next raise is the next whole square', () => {
    expect(vestedCapacity(5_000_000n, LIMITS, 0n)).toMatchObject({
      nextConcurrentRaiseVestedRaw: 9_000_000n,
      nextConcurrentRaiseAmountRaw: 4_000_000n,
    })
  })
})

test('a tier shares in the reward bank while its reading is fresh', () => {
  const bank = (fresh: boolean) => known({ fresh, asset: 'USDC', liquidRaw: 1_000_000n })
  const shares = (['flex', 't7', 't30', 't90'] as const).map((tier) => bankShareRaw(tier, bank(true)))
  expect(shares).toEqual(Object.values(BANK_SHARE_BPS).map((share) => BigInt(share) * 100n))
  expect([bankShareRaw('t90', bank(false)), bankShareRaw('t90', 'unknown'), bankShareRaw('t90', 'unreadable')]).toEqual([0n, 0n, 0n])
})

describe('a valve', () => {
  const fitting = {
    applies: true,
    allowed: true,
    asset: 'USDC',
    decimals: 6,
    vested: '4',
    vestedRaw: '4000000',
  }

  test('of open exposure shows what it measured, and what raised its cap', () => {
    const use4 = use({ openRaw: 500_000n })
    expect(openExposureValve(use4, 1_000_000n, vestedCapacity(4_000_000n, LIMITS, 0n), LIMITS)).toEqual({
      refusal: null,
      evidence: {
        ...fitting,
        reason: 'worker_open_exposure_within_cap',
        limit: '3.5',
        limitRaw: '3500000',
        base: '2.5',
        baseRaw: '2500000',
        raise: '1',
        raiseRaw: '1000000',
        used: '0.5',
        usedRaw: '500000',
        candidate: '1',
        candidateRaw: '1000000',
        projected: '1.5',
        projectedRaw: '1500000',
        remaining: '3',
        remainingRaw: '3000000',
      },
    })
  })

  test('of the external ceiling shows what it measured, and what raised it', () => {
    expect(externalCeilingValve(3_000_000n, vestedCapacity(4_000_000n, LIMITS, 0n), LIMITS)).toEqual({
      refusal: null,
      evidence: {
        ...fitting,
        reason: 'external_reward_within_capital_ceiling',
        limit: '5',
        limitRaw: '5000000',
        base: '1',
        baseRaw: '1000000',
        raise: '4',
        raiseRaw: '4000000',
        used: '0',
        usedRaw: '0',
        candidate: '3',
        candidateRaw: '3000000',
        projected: '3',
        projectedRaw: '3000000',
        remaining: '5',
        remainingRaw: '5000000',
      },
    })
  })

  test('that does not apply allows, one that cannot be read refuses', () => {
    expect(notApplicable('designated')).toEqual({ refusal: null, evidence: { applies: false, allowed: true, reason: 'designated' } })
    const code = 'worker_open_exposure_unavailable'
    expect(unavailableValve(code)).toEqual({ refusal: { code }, evidence: { applies: true, allowed: false, reason: code } })
  })
})

describe('open exposure', () => {
  const capacity = vestedCapacity(0n, LIMITS, 0n)

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
    expect(lifetimeCreditValve(nearly, 1_000_000n, LIMITS).evidence).toMatchObject({
      applies: true,
      allowed: true,
      reason: 'lifetime_catalogue_credit_available',
      graduated: false,
      settledJobs: 9,
      graduationSettledJobs: 10,
    })
    expect(allowanceValve(nearly, 1_000_001n, LIMITS, NOW).refusal).toEqual({ code: 'lifetime_catalogue_credit_exhausted' })
  })

  test('a graduate has used up no lifetime credit, however much was settled', () => {
    expect(lifetimeCreditValve(graduate({ lifetimeSettledRaw: 90_000_000n }), 1_000_000n, LIMITS)).toEqual({
      refusal: null,
      evidence: { applies: false, allowed: true, reason: 'graduated', graduated: true, settledJobs: 10, graduationSettledJobs: 10 },
    })
  })

  test('before graduation the rolling day is shown and refuses no claim', () => {
    const busy = use({ settledJobs: 9, rolling: [{ exposureRaw: 1_500_000n, claimedAt: NOW - HOUR }] })
    const { refusal, evidence } = dailyExposureValve(busy, 1n, LIMITS, NOW)
    expect(refusal).toBeNull()
    expect(evidence).toMatchObject({
      applies: false,
      allowed: true,
      active: false,
      reason: 'daily_budget_starts_at_graduation',
      windowSeconds: 86_400,
      usedRaw: '1500000',
      remaining: '0',
    })
    expect(evidence).not.toHaveProperty('retryAfterSeconds')
  })

  test('after ten settled jobs the rolling day takes over and says when the earliest claim leaves it', () => {
    const busy = graduate({
      lifetimeSettledRaw: 90_000_000n,
      rolling: [
        { exposureRaw: 800_000n, claimedAt: NOW - 2 * HOUR },
        { exposureRaw: 500_000n, claimedAt: NOW - 20 * HOUR },
      ],
    })
    const fits = allowanceValve(busy, 200_000n, LIMITS, NOW)
    expect(fits).toMatchObject({
      refusal: null,
      evidence: { usedRaw: '1300000', applies: true, active: true, windowSeconds: 86_400, reason: 'daily_exposure_within_budget' },
    })
    expect(fits.evidence).not.toHaveProperty('retryAfterSeconds')
    const refused = { code: 'daily_exposure_budget_reached', retryAfterSeconds: 4 * 3600 }
    expect(allowanceValve(busy, 200_001n, LIMITS, NOW)).toMatchObject({
      refusal: refused,
      evidence: { reason: refused.code, retryAfterSeconds: refused.retryAfterSeconds },
    })
  })

  test('a claim leaves the window exactly 24 hours after it was made', () => {
    const entry = graduate({ rolling: [{ exposureRaw: 1_500_000n, claimedAt: NOW - 24 * HOUR }] })
    expect(allowanceValve(entry, 1n, LIMITS, NOW - 1).refusal?.code).toBe('daily_exposure_budget_reached')
    expect(allowanceValve(entry, 1n, LIMITS, NOW).refusal).toBeNull()
  })

  test('a candidate larger than the whole budget names no time to wait for', () => {
    expect(allowanceValve(graduate(), 1_500_001n, LIMITS, NOW).refusal).toStrictEqual({ code: 'daily_exposure_budget_reached' })
  })

  test('the operator-wide budget is shared by all wallets', () => {
    const full = { totalRaw: 24_000_000n, earliestClaimedAt: NOW - 23 * HOUR }
    expect(catalogueBudgetValve(full, 1_000_000n, LIMITS, NOW).evidence).toMatchObject({
      reason: 'catalogue_daily_budget_within_budget',
      windowSeconds: 86_400,
    })
    expect(catalogueBudgetValve(full, 1_000_001n, LIMITS, NOW).refusal).toEqual({
      code: 'catalogue_daily_budget_exhausted',
      retryAfterSeconds: 3600,
    })
  })
})

describe('onboarding subsidy', () => {
  const waivedClaim = { waived: true, brokered: true, unwaived: { ...WAIVED_BOND, claimStakeRaw: 20_000n, gasRetainedRaw: 0n } }

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
      dailyBudget: usdc('8000000', '8'),
      allocated: usdc('7921000', '7.921'),
      headroom: usdc('79000', '0.079'),
      source: 'reservations',
      applies: true,
      available: true,
      estimatedClaimSubsidy: usdc('79000', '0.079'),
      waivedClaimStake: usdc('20000', '0.02'),
      brokeredGasEstimate: usdc('59000', '0.059'),
    })
    expect(onboardingSubsidy(waivedClaim, 7_921_001n, LIMITS, NOW).available).toBe(false)
  })

  test.each([
    ['not waived', { waived: false }],
    ['not brokered', { brokered: false }],
  ])('a claim that is %s draws nothing from it', (_what, changes) => {
    expect(onboardingSubsidy({ ...waivedClaim, ...changes }, 8_000_000n, LIMITS, NOW)).toMatchObject({
      applies: false,
      available: true,
      estimatedClaimSubsidy: usdc('0', '0'),
      waivedClaimStake: usdc('0', '0'),
    })
  })
})
