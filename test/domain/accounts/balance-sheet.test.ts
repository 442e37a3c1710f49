import { expect, test } from '@jest/globals'
import { balanceSheetView } from '../../../domain/accounts/balance-sheet.ts'
import { spendableRaw } from '../../../domain/chain/account-position.ts'

const position = {
  liquid: 100_000_000n,
  reserved: 1n,
  strategyAllocated: 2n,
  collateralLocked: 3n,
  jobStakeLocked: 4n,
  debtOutstanding: 30_000_000n,
}
const NONE = { liquid: 0n, reserved: 0n, strategyAllocated: 0n, collateralLocked: 0n, jobStakeLocked: 0n, debtOutstanding: 0n }
const sheetOf = (changes: object = {}) => balanceSheetView({ symbol: 'USDC', decimals: 6, position, encumberedRaw: 0n, ...changes })

test('spendable is liquid less debt, never below zero', () => {
  expect(spendableRaw(position)).toBe(70_000_000n)
  expect(spendableRaw({ ...position, debtOutstanding: 200_000_000n })).toBe(0n)
})

test('the sheet is a map from symbol to amount for each of the named balances', () => {
  expect(sheetOf()).toEqual({
    liquid: { USDC: { raw: '100000000', decimals: 6, display: '100' } },
    reserved: { USDC: { raw: '1', decimals: 6, display: '0.000001' } },
    strategyAllocated: { USDC: { raw: '2', decimals: 6, display: '0.000002' } },
    collateralLocked: { USDC: { raw: '3', decimals: 6, display: '0.000003' } },
    jobStakeLocked: { USDC: { raw: '4', decimals: 6, display: '0.000004' } },
    debtOutstanding: { USDC: { raw: '30000000', decimals: 6, display: '30' } },
    lockedDepositEncumbered: { USDC: { raw: '0', decimals: 6, display: '0' } },
    withdrawable: { USDC: { raw: '70000000', decimals: 6, display: '70' } },
  })
})

test('a wallet never seen has zeros of the settlement asset', () => {
  const sheet = sheetOf({ position: NONE })
  expect(Object.values(sheet)).toEqual(Array.from({ length: 8 }, () => ({ USDC: { raw: '0', decimals: 6, display: '0' } })))
})
