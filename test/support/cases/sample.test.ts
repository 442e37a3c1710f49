import { describe, expect, test } from '@jest/globals'
import { inTurns, oneIn, PLAYS_ALL, sampleOf } from './sample.ts'

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

test('one in two of the cases is every second, and a whole run has each', () => {
  const [first, second] = [CASES.filter((_, index) => index % 2 === 0), CASES.filter((_, index) => index % 2 === 1)]
  expect(PLAYS_ALL ? [CASES] : [first, second]).toContainEqual(oneIn(2, CASES))
})

describe('tests that are declared in turns', () => {
  const played: number[] = []
  const inThree = inTurns(3)
  for (const index of [0, 1, 2, 3, 4, 5]) inThree(`number ${index} of six plays`, () => void played.push(index))

  test('play one in three in a gate, and all in a whole run', () => {
    const [first = 0] = played
    expect(played).toEqual(PLAYS_ALL ? [0, 1, 2, 3, 4, 5] : [first, first + 3])
  })
})
