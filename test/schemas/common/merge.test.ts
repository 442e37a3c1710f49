import { expect, test } from '@jest/globals'
import { merge } from '../../../schemas/common/merge.ts'

test('the members of all parts stand in their order', () => {
  const merged = merge([{ zebra: 1 }, {}, { ant: 2, bee: 3 }])
  expect(Object.entries(merged)).toEqual([
    ['zebra', 1],
    ['ant', 2],
    ['bee', 3],
  ])
})

test('a name with two values is refused, and one that repeats its value is not', () => {
  expect(() => merge([{ claim: 1 }, { claim: 2 }])).toThrow('claim stands in two subjects')
  expect(merge([{ claim: 1 }, { claim: 1 }])).toEqual({ claim: 1 })
})
