import { describe, expect, test } from '@jest/globals'
import * as constants from '../../domain/constants.ts'
import { isPast, nextUtcDay, secondsUntil, utcDay } from '../../domain/instants.ts'

test('the clocks of the specification', () => {
  expect(constants.DISPUTE_WINDOW_SECONDS).toBe(604_800)
  expect(constants.ARBITRATOR_SLA_SECONDS).toBe(1_209_600)
  expect(constants.CANCEL_FLOOR_SECONDS).toBe(3600)
  expect(constants.REVIEW_SLA_SECONDS).toBe(172_800)
  expect(constants.CLAIM_TTL_CODEHOST_SECONDS).toBe(7200)
  expect(constants.LISTING_STALE_SECONDS).toBe(1_209_600)
  expect(constants.DEPOSIT_VESTING_SECONDS).toBe(172_800)
  expect(constants.PRIORITY_WINDOW_MAX_SECONDS).toBe(1800)
  expect(constants.WAIVER_CLAIMS_PER_WALLET).toBe(3)
})

describe('instants', () => {
  const noon = Date.parse('2026-03-01T12:00:00.000Z')

  test('a deadline has passed only in a later second', () => {
    expect([isPast(noon, noon), isPast(noon, noon + 999), isPast(noon, noon + 1000)]).toEqual([false, false, true])
    expect(isPast(noon + 500, noon + 999)).toBe(false)
  })

  test('a wait is whole seconds, rounded up, and absent for the past', () => {
    expect([secondsUntil(noon + 1, noon), secondsUntil(noon + 1001, noon), secondsUntil(noon, noon)]).toEqual([1, 2, undefined])
  })

  test('days are UTC days', () => {
    expect(utcDay(Date.parse('2026-03-01T23:59:59.999Z'))).toBe('2026-03-01')
    expect(nextUtcDay(noon)).toBe(Date.parse('2026-03-02T00:00:00.000Z'))
    expect(nextUtcDay(Date.parse('2026-03-02T00:00:00.000Z'))).toBe(Date.parse('2026-03-03T00:00:00.000Z'))
  })
})
