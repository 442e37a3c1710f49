import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { MockActivityEnvironment } from '@temporalio/testing'
import { heartbeatInterceptor } from '../../../workers/temporal/heartbeats.ts'

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

/** Heartbeats of a step that takes 200 ms and never speaks of itself, and of the time after its end. */
const beatsOf = async (info: { heartbeatTimeoutMs?: number }): Promise<{ during: number; afterwards: number }> => {
  const environment = new MockActivityEnvironment(info)
  let beats = 0
  environment.on('heartbeat', () => {
    beats += 1
  })
  const { promise: work, resolve: end } = Promise.withResolvers<void>()
  const step = environment.run(async () => heartbeatInterceptor().execute?.({ args: [], headers: {} }, () => work))
  await jest.advanceTimersByTimeAsync(200)
  end()
  await step
  const during = beats
  await jest.advanceTimersByTimeAsync(10_000)
  return { during, afterwards: beats - during }
}

describe('a step at work', () => {
  test('is heard of several times within its time-out, and not after its end', async () => {
    expect(await beatsOf({ heartbeatTimeoutMs: 90 })).toEqual({ during: 6, afterwards: 0 })
  })

  test('is silent when nobody listens', async () => {
    expect(await beatsOf({})).toEqual({ during: 0, afterwards: 0 })
  })
})
