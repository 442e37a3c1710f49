import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { createKeyedLimiter } from '../../../api/claims/concurrency.ts'

test('work on one key runs a few at a time and in order; another key does not wait', async () => {
  const lane = createKeyedLimiter(3)
  let inside = 0
  let most = 0
  const order: number[] = []
  const crowd = Array.from({ length: 20 }, (_, index) =>
    lane('busy', async () => {
      inside += 1
      most = Math.max(most, inside)
      order.push(index)
      await turn()
      inside -= 1
    }),
  )
  expect(await lane('quiet', async () => order.length)).toBeLessThanOrEqual(3)
  await Promise.all(crowd)
  expect([most, order]).toEqual([3, Array.from({ length: 20 }, (_, index) => index)])
})

test('failed work passes its place to the next caller', async () => {
  const lane = createKeyedLimiter(1)
  const failing = Array.from({ length: 3 }, () => lane('a', () => Promise.reject(new Error('no'))))
  const last = lane('a', async () => 'done')
  expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(await last).toBe('done')
  expect(await lane('a', async () => 'again')).toBe('again')
})
