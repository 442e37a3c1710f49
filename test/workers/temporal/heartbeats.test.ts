import { describe, expect, test } from '@jest/globals'
import { MockActivityEnvironment } from '@temporalio/testing'
import { heartbeatInterceptor } from '../../../workers/temporal/heartbeats.ts'

const sleep = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds))

/** Heartbeats of a step that takes 200 ms and never speaks of itself, and of the time after its end. */
const beatsOf = async (info: { heartbeatTimeoutMs?: number }): Promise<{ during: number; afterwards: number }> => {
  const environment = new MockActivityEnvironment(info)
  let beats = 0
  environment.on('heartbeat', () => {
    beats += 1
  })
  const step = async () => heartbeatInterceptor().execute?.({ args: [], headers: {} }, async () => sleep(200))
  await environment.run(step)
  const during = beats
  await sleep(100)
  return { during, afterwards: beats - during }
}

describe('a step at work', () => {
  test('is heard of several times within its time-out, and not after its end', async () => {
    const { during, afterwards } = await beatsOf({ heartbeatTimeoutMs: 90 })
    expect(during).toBeGreaterThanOrEqual(3)
    expect(afterwards).toBe(0)
  })

  test('is silent when nobody listens', async () => {
    expect(await beatsOf({})).toEqual({ during: 0, afterwards: 0 })
  })
})
