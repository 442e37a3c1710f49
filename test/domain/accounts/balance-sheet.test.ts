import { expect, test } from '@jest/globals'
import { balanceSheetView } from '../../../domain/accounts/balance-sheet.ts'
import { owedRaw, spendableRaw } from '../../../domain/chain/account-position.ts'

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

test('a wallet owes what it borrowed from the credit pool and the debt of its account, as far as the pool was read', () => {
  expect([owedRaw(5n, position), owedRaw(0n, position), owedRaw(null, position)]).toEqual([30_000_005n, 30_000_000n, null])
})

test('the sheet is a map from symbol to amount for each of the named balances', () => {
  const usdc = (raw: string, display: string) => ({ USDC: { raw, decimals: 6, display } })
  expect(sheetOf()).toEqual({
    liquid: usdc('100000000', '100'),
    reserved: usdc('1', '0.000001'),
    strategyAllocated: usdc('2', '0.000002'),
    collateralLocked: usdc('3', '0.000003'),
    jobStakeLocked: usdc('4', '0.000004'),
    debtOutstanding: usdc('30000000', '30'),
    lockedDepositEncumbered: usdc('0', '0'),
    withdrawable: usdc('70000000', '70'),
  })
})

test('a wallet never seen has zeros of the settlement asset', () => {
  const sheet = sheetOf({ position: NONE })
  expect(Object.values(sheet)).toEqual(Array.from({ length: 8 }, () => ({ USDC: { raw: '0', decimals: 6, display: '0' } })))
})
