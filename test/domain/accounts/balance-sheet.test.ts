import { expect, test } from '@jest/globals'
import { availabilityView, balanceSheetView, withdrawableOnChainRaw } from '../../../domain/accounts/balance-sheet.ts'
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
const usdc = (changes: object = {}) => ({ symbol: 'USDC', decimals: 6, position, encumberedRaw: 25_000_000n, ...changes })

test('spendable is liquid less debt less locked deposits, never below zero', () => {
  expect(spendableRaw(position, 25_000_000n)).toBe(45_000_000n)
  expect(spendableRaw(position, 80_000_000n)).toBe(0n)
  expect(spendableRaw({ ...position, debtOutstanding: 200_000_000n }, 0n)).toBe(0n)
  expect(withdrawableOnChainRaw(position)).toBe(70_000_000n)
})

test('the sheet is a map from symbol to amount for each of the named balances', () => {
  expect(balanceSheetView([usdc()])).toEqual({
    liquid: { USDC: { raw: '100000000', decimals: 6, display: '100' } },
    reserved: { USDC: { raw: '1', decimals: 6, display: '0.000001' } },
    strategyAllocated: { USDC: { raw: '2', decimals: 6, display: '0.000002' } },
    collateralLocked: { USDC: { raw: '3', decimals: 6, display: '0.000003' } },
    jobStakeLocked: { USDC: { raw: '4', decimals: 6, display: '0.000004' } },
    debtOutstanding: { USDC: { raw: '30000000', decimals: 6, display: '30' } },
    lockedDepositEncumbered: { USDC: { raw: '25000000', decimals: 6, display: '25' } },
    withdrawable: { USDC: { raw: '45000000', decimals: 6, display: '45' } },
  })
})

test('a wallet never seen has empty maps', () => {
  const sheet = balanceSheetView([usdc({ position: NONE, encumberedRaw: 0n })])
  expect(Object.values(sheet)).toEqual(Array.from({ length: 8 }, () => ({})))
})

test('a wallet known by something else shows its zeros', () => {
  const sheet = balanceSheetView([usdc({ position: NONE, encumberedRaw: 0n, isKnown: true })])
  expect(Object.values(sheet)).toEqual(Array.from({ length: 8 }, () => ({ USDC: { raw: '0', decimals: 6, display: '0' } })))
})

test('a locked deposit alone is shown', () => {
  const { lockedDepositEncumbered, withdrawable } = balanceSheetView([usdc({ position: NONE, encumberedRaw: 5n })])
  expect(lockedDepositEncumbered).toMatchObject({ USDC: { raw: '5' } })
  expect(withdrawable).toMatchObject({ USDC: { raw: '0' } })
})

test.each(['liquid', 'reserved', 'strategyAllocated', 'collateralLocked', 'jobStakeLocked', 'debtOutstanding'] as const)(
  'one amount alone is shown: %s',
  (name) => {
    const sheet = balanceSheetView([usdc({ position: { ...NONE, [name]: 5n }, encumberedRaw: 0n })])
    expect(sheet[name]).toMatchObject({ USDC: { raw: '5' } })
  },
)

test('chain balance and what may be spent stand side by side', () => {
  expect(availabilityView(usdc())).toMatchObject({
    chainLiquid: { display: '100' },
    debtOutstanding: { display: '30' },
    lockedDepositEncumbered: { display: '25' },
    available: { raw: '45000000', display: '45' },
  })
})
