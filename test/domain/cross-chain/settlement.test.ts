import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { nextTry, SETTLEMENT_TRIES, settledAmounts, sharesOfDeposit } from '../../../domain/cross-chain/settlement.ts'
import { valueOfShares } from '../../../domain/strategies/position.ts'

const NOW = Date.UTC(2026, 0, 15)
const TOTALS = { totalAssetsRaw: 5_029_800n, totalSharesRaw: 4_980_000n }
const EMPTY = { totalAssetsRaw: 0n, totalSharesRaw: 0n }

test('the pauses between the tries double from 15 s to 5 min', () => {
  const pauses = [1, 2, 3, 4, 5, 6, 7, 30].map((tries) => (nextTry(NOW, tries) - NOW) / 1000)
  expect(pauses).toEqual([15, 30, 60, 120, 240, 300, 300, 300])
  expect(SETTLEMENT_TRIES).toBe(5)
})

test('the first deposit gets a share for each unit, a later one the floor of the price', () => {
  expect(sharesOfDeposit(4_980_000n, EMPTY)).toBe(4_980_000n)
  expect(sharesOfDeposit(1_000_000n, TOTALS)).toBe(990_099n)
})

test('a withdrawal pays what came home, at most what its shares are worth', () => {
  const withdraw = (arrivedRaw: bigint) => settledAmounts({ kind: 'withdraw', requestedSharesRaw: 1_000_000n, arrivedRaw }, TOTALS)
  expect(valueOfShares(TOTALS, 1_000_000n)).toBe(1_010_000n)
  expect(withdraw(1_009_999n)).toEqual({ assetsRaw: 1_009_999n, sharesRaw: 1_000_000n })
  expect(withdraw(1_010_000n)).toEqual({ assetsRaw: 1_010_000n, sharesRaw: 1_000_000n })
  expect(withdraw(1_010_001n)).toEqual({ assetsRaw: 1_010_000n, sharesRaw: 1_000_000n })
  expect(valueOfShares(EMPTY, 1n)).toBe(0n)
})

test('a deposit is settled with what arrived', () => {
  expect(settledAmounts({ kind: 'deposit', requestedSharesRaw: 0n, arrivedRaw: 1_000_000n }, TOTALS)).toEqual({
    assetsRaw: 1_000_000n,
    sharesRaw: 990_099n,
  })
})

test('shares of a deposit are never worth more than it', () => {
  const amount = fc.bigInt({ min: 1n, max: 10n ** 30n })
  fc.assert(
    fc.property(amount, amount, amount, (assets, totalAssetsRaw, totalSharesRaw) => {
      const totals = { totalAssetsRaw, totalSharesRaw }
      expect(valueOfShares(totals, sharesOfDeposit(assets, totals))).toBeLessThanOrEqual(assets)
    }),
  )
})
