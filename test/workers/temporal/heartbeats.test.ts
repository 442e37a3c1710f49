import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { MockActivityEnvironment } from '@temporalio/testing'
import { heartbeatInterceptor } from '../../../workers/temporal/heartbeats.ts'

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

/** Heartbeats during a step of 200 ms that sends none itself, and after its end. */
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

describe('a running step', () => {
  test('sends several heartbeats within its time-out, and none after its end', async () => {
    expect(await beatsOf({ heartbeatTimeoutMs: 90 })).toEqual({ during: 6, afterwards: 0 })
  })

  test('sends no heartbeat without a heartbeat time-out', async () => {
    expect(await beatsOf({})).toEqual({ during: 0, afterwards: 0 })
  })
})
