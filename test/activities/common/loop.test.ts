import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { startLoop } from '../../../activities/common/loop.ts'

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

/** Starts a loop whose rounds return their number. */
const startCounting = (changes: Partial<Parameters<typeof startLoop<number>>[0]> = {}) => {
  const failures: unknown[] = []
  let rounds = 0
  const round = async () => {
    rounds += 1
    return rounds
  }
  const loop = startLoop<number>({ round, every: 100, onFailure: (error) => failures.push(error), ...changes })
  return { loop, failures, count: () => rounds }
}
const pass = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds)

describe('a loop', () => {
  test('runs a round at once and one in each period, until it is stopped', async () => {
    const { loop, count } = startCounting()
    await loop.first
    expect(count()).toBe(1)
    await pass(99)
    expect(count()).toBe(1)
    await pass(201)
    expect(count()).toBe(4)
    await loop.stop()
    await pass(1_000)
    expect(count()).toBe(4)
  })

  test('begins after its first pause', async () => {
    const { loop, count } = startCounting({ firstMs: 500 })
    await pass(499)
    expect(count()).toBe(0)
    await pass(1)
    expect(count()).toBe(1)
    await loop.stop()
  })

  test('takes the pause from what the round returned', async () => {
    const { loop, count } = startCounting({ every: (found = 0) => (found < 3 ? 0 : 1_000) })
    await pass(10)
    expect(count()).toBe(3)
    await pass(1_000)
    expect(count()).toBe(4)
    await loop.stop()
  })

  test('reports a failed round and goes on', async () => {
    const broken = new Error('broken')
    const { loop, failures } = startCounting({ round: () => Promise.reject(broken), every: (found) => (found === undefined ? 10 : 1_000) })
    await pass(20)
    expect(failures).toEqual([broken, broken, broken])
    expect(await loop.round()).toBeUndefined()
    await loop.stop()
  })

  test('runs a requested round after the running one', async () => {
    const ends: (() => void)[] = []
    const { loop } = startCounting({
      round: () => new Promise((resolve) => ends.push(() => resolve(ends.length))),
    })
    const requested = loop.round()
    await pass(0)
    expect(ends).toHaveLength(1)
    ends[0]?.()
    await pass(0)
    expect(ends).toHaveLength(2)
    ends[1]?.()
    expect(await requested).toBe(2)
    await loop.stop()
  })

  test('waits at its stop for the running round', async () => {
    const running = Promise.withResolvers<number>()
    const { loop } = startCounting({ round: () => running.promise })
    const isStopped = jest.fn()
    const stopping = loop.stop().then(isStopped)
    await pass(1_999)
    expect(isStopped).not.toHaveBeenCalled()
    running.resolve(1)
    await stopping
  })

  test('waits at its stop no longer than two seconds for a round that hangs', async () => {
    const { loop } = startCounting({ round: () => new Promise(() => undefined) })
    const isStopped = jest.fn()
    void loop.stop().then(isStopped)
    await pass(2_000)
    expect(isStopped).toHaveBeenCalled()
  })
})
