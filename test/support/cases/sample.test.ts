import { expect, test } from '@jest/globals'
import { PLAYS_ALL, sampleOf } from './sample.ts'

const CASES = ['a1', 'a2', 'a3', 'b1', 'b2', 'c3'] as const
const letterAndDigit = (one: string): unknown[] => [one[0], Number(one[1])]

test('a sample holds every kind that occurs, each case once and in its place, and is the same at each time', () => {
  const sample = sampleOf(CASES, letterAndDigit)
  expect(new Set(sample.flatMap(letterAndDigit))).toEqual(new Set(['a', 'b', 'c', 1, 2, 3]))
  expect(sample).toEqual(CASES.filter((one) => sample.includes(one)))
  expect(sampleOf(CASES, letterAndDigit)).toEqual(sample)
})

test('a sample leaves out what shows no further kind, and a whole run leaves out nothing', () => {
  expect(sampleOf(CASES, () => ['one kind'])).toHaveLength(PLAYS_ALL ? CASES.length : 1)
})
