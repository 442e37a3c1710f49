import { describe, expect, test } from '@jest/globals'
import { retryDelayMs } from '../../../workflows/common/operator-view.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** Events that one attempt of a blocked step adds to the history of its process. */
const EVENTS_OF_TRY = 15
/** Where the engine ends a run. */
const MOST_EVENTS = 51_200

describe('a blocked step', () => {
  test('is retried after a tenth of the time it has been blocked, within 10 minutes and 3 hours', () => {
    const rests = [0, 99, 100, 101, 500, 1_800, 1_801, 100_000].map((held) => [held, retryDelayMs(held * MINUTE) / MINUTE])
    expect(rests).toEqual([
      [0, 10],
      [99, 10],
      [100, 10],
      [101, 10.1],
      [500, 50],
      [1_800, 180],
      [1_801, 180],
      [100_000, 180],
    ])
  })

  test('can be blocked for a year before its history is full', () => {
    let tries = 0
    for (let held = 0; held < 365 * DAY; held += retryDelayMs(held)) tries += 1
    expect(tries * EVENTS_OF_TRY).toBeLessThan(MOST_EVENTS)
  })
})
