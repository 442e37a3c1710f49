import { expect, test } from '@jest/globals'
import { known } from '../../../domain/common/fact.ts'
import { assess } from '../../../domain/eligibility/assessment.ts'
import type { EligibilityFacts } from '../../../domain/eligibility/facts.ts'
import { POLICY, someFacts } from '../builders/eligibility.ts'

/** What a wallet may have open by its tier, of a bank of 100 USDC; null where a fact that decides it is unread. */
const capOf = (changes: Partial<EligibilityFacts>, tierPerksEnabled = true): bigint | null =>
  assess(someFacts(changes), { ...POLICY, tierPerksEnabled }).capacity?.openExposureCapRaw ?? null
const held = (tier: 'flex' | 't7' | 't30' | 't90') => ({ locks: known({ tier, encumberedRaw: 0n }) })
const owing = (outstandingCreditRaw: EligibilityFacts['priority']['outstandingCreditRaw']) => ({
  priority: { ...someFacts().priority, outstandingCreditRaw },
})

test.each<[string, Partial<EligibilityFacts>, bigint | null]>([
  ['without a lock', held('flex'), 5_000_000n],
  ['with a lock of t7', held('t7'), 10_000_000n],
  ['with a lock of t30', held('t30'), 15_000_000n],
  ['with a lock of t90', held('t90'), 20_000_000n],
  ['with a lock of t90 and a debt', { ...held('t90'), ...owing(known(1n)) }, 5_000_000n],
  ['with a lock of t90 and an unreadable debt', { ...held('t90'), ...owing('unreadable') }, 5_000_000n],
  ['with a lock of t90 and an unread debt', { ...held('t90'), ...owing('unknown') }, null],
  ['with a lock of t30 and an unread debt', { ...held('t30'), ...owing('unknown') }, 15_000_000n],
  ['whose locks are unread', { locks: 'unknown' }, null],
  ['while the bank is unread', { ...held('t30'), rewardBank: 'unknown' }, null],
  ['while the bank is unreadable', { ...held('t30'), rewardBank: 'unreadable' }, 2_500_000n],
  ['whose deposit is unread', { ...held('t30'), vestedRaw: 'unknown' }, null],
  ['whose deposit is unreadable', { ...held('t30'), vestedRaw: 'unreadable' }, 15_000_000n],
])('a wallet %s may have the larger of the base cap and its share of the bank open', (_what, changes, capRaw) => {
  expect(capOf(changes)).toBe(capRaw)
})

test('without perks of tiers a lock raises nothing, whether the bank was read or not', () => {
  expect([capOf(held('t90'), false), capOf({ ...held('t90'), rewardBank: 'unknown' }, false)]).toEqual([2_500_000n, 2_500_000n])
})
