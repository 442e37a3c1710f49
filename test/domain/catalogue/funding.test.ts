import { expect, test } from '@jest/globals'
import { fundingOf, isFreshReading, type RewardBankReading, requiredFundingRaw } from '../../../domain/catalogue/funding.ts'
import { known } from '../../../domain/common/fact.ts'
import { aJob } from '../builders/eligibility.ts'

const TERMS = { posterFeeBps: 500, posterFeeFloorRaw: 50_000n }
const bank = (changes: Partial<RewardBankReading> = {}) => known({ fresh: true, asset: 'USDC', liquidRaw: 1_050_000n, ...changes })
const waived = aJob({ definition: { onboardingWaiverEligible: true } })

test('a curated job needs its reward and the poster fee, which waiver-eligible jobs do not pay', () => {
  expect(requiredFundingRaw(1_000_000n, TERMS, false)).toBe(1_050_000n)
  expect(requiredFundingRaw(10_000_000n, TERMS, false)).toBe(10_500_000n)
  expect(requiredFundingRaw(1_000_000n, TERMS, true)).toBe(1_000_000n)
})

test('the bank holds exactly enough, or one base unit too little', () => {
  expect(fundingOf(aJob(), bank(), TERMS)).toEqual({ fundingState: 'available', blocking: null })
  expect(fundingOf(aJob(), bank({ liquidRaw: 1_049_999n }), TERMS)).toEqual({ fundingState: 'pending', blocking: 'reward_funding_pending' })
  expect(fundingOf(waived, bank({ liquidRaw: 1_000_000n }), TERMS)).toEqual({ fundingState: 'available', blocking: null })
})

test.each([
  ['unreadable', 'unreadable' as const],
  ['stale', bank({ fresh: false })],
  ['in another asset', bank({ asset: 'vDOT' })],
])('a bank that is %s is unverified, never pending', (_what, reading) => {
  expect(fundingOf(aJob(), reading, TERMS)).toEqual({ fundingState: 'unverified', blocking: 'reward_funding_unverified' })
})

test.each([
  [0, true],
  [60, true],
  [61, false],
])('a reading of %d seconds, of which 60 are allowed, proves something: %p', (age, fresh) => {
  expect(isFreshReading(age, 60)).toBe(fresh)
})

test('an unread bank refuses nothing, and an external job does not need it', () => {
  expect(fundingOf(aJob(), 'unknown', TERMS)).toEqual({ fundingState: null, blocking: null })
  expect(fundingOf(aJob({ postingRoute: 'external-direct' }), 'unreadable', TERMS)).toEqual({ fundingState: 'funded', blocking: null })
})
