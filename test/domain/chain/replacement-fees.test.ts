import { describe, expect, test } from '@jest/globals'
import { assert, bigInt, integer, property, record } from 'fast-check'
import { isOutgrown, raisedFees, replacementFees } from '../../../domain/chain/replacement-fees.ts'

const GWEI = 1_000_000_000n
const fees = (max: number, tip: number) => ({ maxFeePerGas: BigInt(max) * GWEI, maxPriorityFeePerGas: BigInt(tip) * GWEI })

describe('a transaction', () => {
  test.each([
    [5n, false],
    [6n, true],
    [20n, true],
  ])('whose price has room for a base fee of 5 and its tip is outgrown at %s: %s', (baseFee, expected) => {
    expect(isOutgrown(fees(6, 1), baseFee * GWEI)).toBe(expected)
  })
})

describe('a raise of fees', () => {
  const first = fees(6, 1)
  const raise = (baseFee: number, factor: number, newest = first) =>
    raisedFees({ first, newest, quote: fees(baseFee * 3, 1), baseFee: BigInt(baseFee) * GWEI, factor })

  test('takes what the chain asks, up to the cap', () => {
    expect(raise(8, 5)?.maxFeePerGas).toBe(24n * GWEI)
    expect(raise(20, 5)?.maxFeePerGas).toBe(30n * GWEI)
  })

  test('is none where the cap is too low for the base fee or for a node, or where the price has reached it', () => {
    expect([raise(30, 5), raise(8, 1), raise(31, 5, fees(30, 1))]).toEqual([null, null, null])
  })

  test('is never above the cap, and always a replacement that nodes take and the chain lets in', () => {
    const fee = bigInt({ min: 0n, max: 10n ** 12n })
    const prices = record({ maxFeePerGas: fee, maxPriorityFeePerGas: fee })
    assert(
      property(prices, prices, prices, fee, integer({ min: 1, max: 100 }), (start, newest, quote, baseFee, factor) => {
        const raised = raisedFees({ first: start, newest, quote, baseFee, factor })
        if (raised === null) return
        const least = replacementFees(newest, { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n })
        expect(raised.maxFeePerGas).toBeLessThanOrEqual(start.maxFeePerGas * BigInt(factor))
        expect(raised.maxFeePerGas >= newest.maxFeePerGas + newest.maxFeePerGas / 8n).toBe(true)
        expect(raised.maxPriorityFeePerGas).toBe(least.maxPriorityFeePerGas)
        expect(isOutgrown(raised, baseFee)).toBe(false)
      }),
    )
  })
})
