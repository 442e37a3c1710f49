import { describe, expect, test } from '@jest/globals'
import { nextAttemptAt } from '../../../domain/webhooks/schedule.ts'

const SECOND = 1_000
const HOUR = 3_600 * SECOND

describe('the next attempt of a failed delivery', () => {
  test.each([
    [1, 5],
    [2, 30],
    [3, 120],
    [4, 600],
    [5, 3_600],
    [6, 10_800],
    [7, 10_800],
  ])('after %i failures is due after %i s', (failures, seconds) => {
    expect(nextAttemptAt(failures, 0, HOUR)).toBe(HOUR + seconds * SECOND)
  })

  test('is due exactly when the failures have lasted 24 hours, and not after that', () => {
    expect(nextAttemptAt(9, 0, 23 * HOUR)).toBe(24 * HOUR)
    expect(nextAttemptAt(10, 0, 24 * HOUR - 1)).toBe(24 * HOUR)
    expect(nextAttemptAt(11, 0, 24 * HOUR)).toBeNull()
  })

  test('makes 14 attempts in 24 hours', () => {
    let [now, attempts]: [number | null, number] = [0, 0]
    while (now !== null) {
      attempts += 1
      now = nextAttemptAt(attempts, 0, now)
    }
    expect(attempts).toBe(14)
  })
})
