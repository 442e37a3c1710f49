import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { keccak256, stringToHex } from 'viem'
import {
  expectedArrival,
  judgeBalance,
  nextReading,
  OBSERVATION_TIMEOUT_CODE,
  uncertaintyOf,
  watchEnd,
} from '../../../domain/cross-chain/watch.ts'

const START = Date.UTC(2026, 0, 15, 12)
const END = START + 900_000
const balance = { startRaw: 100n, expectedRaw: 50n, endsAt: END, balanceRaw: 100n, now: START }

test('a watch ends 15 minutes after its start, and its code is the hash of its name', () => {
  expect(watchEnd(START)).toBe(END)
  expect(OBSERVATION_TIMEOUT_CODE).toBe(keccak256(stringToHex('BALANCE_OBSERVATION_TIMEOUT')))
})

test.each([
  [START, START + 15_000],
  [END - 15_001, END - 1],
  [END - 15_000, END],
  [END - 1_000, END],
  [END, END + 15_000],
  [END + 1_000, END + 16_000],
])('the reading after one at %d is at %d', (now, next) => {
  expect(nextReading(now, END)).toBe(next)
})

test.each([
  [0n, 1n],
  [1n, 1n],
  [4_980_000n, 4_980_000n],
])('of a least output of %s at least %s has to arrive', (minimum, expected) => {
  expect(expectedArrival(minimum)).toBe(expected)
})

test.each([
  ['before the end, nothing arrived', 100n, END - 1_000, 0n, 'open'],
  ['before the end, one unit missing', 149n, END - 1_000, 49n, 'open'],
  ['before the end, all arrived', 150n, END - 1_000, 50n, 'succeeded'],
  ['at the end, one unit missing', 149n, END, 49n, 'timed_out'],
  ['at the end, all arrived', 150n, END, 50n, 'succeeded'],
  ['after the end, one unit missing', 149n, END + 1_000, 49n, 'timed_out'],
  ['after the end, more arrived', 151n, END + 1_000, 51n, 'succeeded'],
  ['a balance below the one before', 20n, START, 0n, 'open'],
])('a watched balance %s', (_case, balanceRaw, now, arrivedRaw, decision) => {
  expect(judgeBalance({ ...balance, balanceRaw, now })).toEqual({ arrivedRaw, decision })
})

const arrival = { kind: 'deposit', arrivedRaw: 98n, requestedAssetsRaw: 100n, minimumOutputRaw: 98n, isAnotherUnderWay: false } as const

test.each([
  [{}, null],
  [{ arrivedRaw: 100n }, null],
  [{ arrivedRaw: 101n }, 'more_than_requested'],
  [{ kind: 'withdraw', arrivedRaw: 101n }, null],
  [{ minimumOutputRaw: 0n }, 'no_least_output'],
  [{ isAnotherUnderWay: true }, 'another_request_under_way'],
  [{ isAnotherUnderWay: true, minimumOutputRaw: 0n }, 'another_request_under_way'],
] as const)('%#: an arrival is certain, or an operator has to decide', (changes, uncertainty) => {
  expect(uncertaintyOf({ ...arrival, ...changes })).toBe(uncertainty)
})

test('a reading of a balance that never reaches the amount ends at its end and no earlier', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2_000_000 }), fc.bigInt({ min: 0n, max: 149n }), (offset, balanceRaw) => {
      const { decision } = judgeBalance({ ...balance, balanceRaw, now: START + offset })
      expect(decision).toBe(offset < 900_000 ? 'open' : 'timed_out')
    }),
  )
})
