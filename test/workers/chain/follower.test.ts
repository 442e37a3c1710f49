import { expect, test } from '@jest/globals'
import { MockActivityEnvironment } from '@temporalio/testing'
import { createWait } from '../../../workers/chain/follower.ts'

const PROGRESS = { cursor: '5', head: '9', lagSeconds: 1, trouble: null }

test('the round of the chain follower goes on after a wait, and ends when the worker stops or the activity is cancelled', async () => {
  const stopping = new AbortController()
  const wait = createWait(stopping.signal)
  const environment = new MockActivityEnvironment()
  const waitOnce = (milliseconds: number) => environment.run(() => wait(milliseconds, PROGRESS))
  expect(await waitOnce(0)).toBe(true)
  stopping.abort()
  expect(await waitOnce(0)).toBe(false)

  const endless = environment.run(() => createWait(new AbortController().signal)(2 ** 30, PROGRESS))
  environment.cancel('CANCELLED')
  expect(await endless).toBe(false)
})
