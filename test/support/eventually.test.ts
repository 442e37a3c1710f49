import { expect, test } from '@jest/globals'
import { eventually } from './eventually.ts'

test('a wait returns the first value that holds, and ends at once when its process has ended', async () => {
  let count = 0
  const next = () => {
    count += 1
    return count
  }
  expect(await eventually('the count is 3', next, (value) => value === 3)).toBe(3)
  const endsAfterFive = () => {
    if (count === 5) throw new Error('the worker has ended')
  }
  await expect(eventually('the count is 9', next, (value) => value === 9, endsAfterFive)).rejects.toThrow('the worker has ended')
})
