import { describe, expect, test } from '@jest/globals'
import { iso, isoOrNull, isPast, nextUtcDay, plusSeconds, secondsUntil, utcDay } from '../../../domain/common/instants.ts'

describe('instants', () => {
  const noon = Date.parse('2026-03-01T12:00:00.000Z')

  test('are written in UTC, to the millisecond, and null where nothing happened', () => {
    expect([iso(noon + 7), isoOrNull(noon), isoOrNull(0), isoOrNull(null)]).toEqual([
      '2026-03-01T12:00:00.007Z',
      '2026-03-01T12:00:00.000Z',
      '1970-01-01T00:00:00.000Z',
      null,
    ])
  })

  test('move on by seconds', () => {
    expect([plusSeconds(noon, 90), plusSeconds(noon, -1)]).toEqual([noon + 90_000, noon - 1_000])
  })

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
