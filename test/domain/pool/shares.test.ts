import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import {
  assetsPerShareRaw,
  convertToAssets,
  convertToShares,
  holderHeadroomRaw,
  poolHeadroomRaw,
  sharesToRedeem,
  valueAfterDeposit,
} from '../../../domain/pool/shares.ts'

const CAPS = { totalRaw: 1_000_000_000n, perHolderRaw: 100_000_000n }
const EMPTY = { managedRaw: 0n, supplyRaw: 0n }
const GROWN = { managedRaw: 15n, supplyRaw: 10n }
const LOST = { managedRaw: 0n, supplyRaw: 10n }
const SHRUNK = { managedRaw: 7n, supplyRaw: 10n }

describe('pool shares', () => {
  test.each([
    ['an empty pool', EMPTY, 7n, 7n, 7n, 1_000_000n],
    ['a pool that grew', GROWN, 7n, 4n, 10n, 1_500_000n],
    ['a pool that lost a part', SHRUNK, 7n, 10n, 4n, 700_000n],
    ['a pool that lost everything', LOST, 7n, 0n, 0n, 0n],
  ])('of %s convert both ways, rounded down', (_name, book, raw, shares, assets, price) => {
    expect([convertToShares(book, raw), convertToAssets(book, raw), assetsPerShareRaw(book, 1_000_000n)]).toEqual([shares, assets, price])
  })

  test('to redeem are the fewest whose value reaches the assets', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 60n), fc.bigInt(1n, 60n), fc.bigInt(1n, 60n), (managedRaw, supplyRaw, assets) => {
        const book = { managedRaw, supplyRaw }
        let fewest = 0n
        while (convertToAssets(book, fewest) < assets) fewest++
        expect(sharesToRedeem(book, assets)).toBe(fewest)
      }),
    )
  })

  test('a deposit never takes value from the other holders', () => {
    const amounts = fc.bigInt(1n, 10n ** 12n)
    fc.assert(
      fc.property(amounts, amounts, amounts, (managedRaw, supplyRaw, assets) => {
        const book = { managedRaw, supplyRaw }
        const shares = convertToShares(book, assets)
        expect(valueAfterDeposit(book, 0n, assets, shares)).toBeLessThanOrEqual(assets)
        expect(valueAfterDeposit(book, supplyRaw, assets, 0n)).toBeGreaterThanOrEqual(managedRaw)
      }),
    )
  })

  test('leave headroom below both caps, never less than nothing', () => {
    const book = { managedRaw: 150_000_000n, supplyRaw: 100_000_000n }
    expect([poolHeadroomRaw({ ...book, caps: CAPS }), holderHeadroomRaw({ ...book, caps: CAPS, balanceRaw: 40_000_000n })]).toEqual([
      850_000_000n,
      40_000_000n,
    ])
    const full = { managedRaw: 1_200_000_000n, supplyRaw: 100_000_000n }
    expect([poolHeadroomRaw({ ...full, caps: CAPS }), holderHeadroomRaw({ ...full, caps: CAPS, balanceRaw: 40_000_000n })]).toEqual([
      0n,
      0n,
    ])
  })
})
