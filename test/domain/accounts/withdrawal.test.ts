import { describe, expect, test } from '@jest/globals'
import { quoteWithdrawal, totalGasUnits, type WithdrawalFacts, withdrawalGas } from '../../../domain/accounts/withdrawal.ts'

const WALLET = `0x${'a1'.repeat(20)}`
const OTHER = `0x${'b2'.repeat(20)}`
const ASSET = `0x${'c3'.repeat(20)}`
const facts: WithdrawalFacts = {
  position: {
    liquid: 10_000_000n,
    reserved: 7n,
    strategyAllocated: 7n,
    collateralLocked: 7n,
    jobStakeLocked: 7n,
    debtOutstanding: 1_000_000n,
  },
  encumberedRaw: 4_000_000n,
  sinks: [ASSET],
}
const ask = (amountRaw: bigint, destination: string | null = null) => quoteWithdrawal({ wallet: WALLET, amountRaw, destination }, facts)

describe('a withdrawal', () => {
  test('pays the exact base units to the wallet', () => {
    expect(ask(4_999_999n).quote).toEqual({
      amountRaw: 4_999_999n,
      firstLandingAddress: WALLET,
      destination: WALLET,
      transfers: false,
      availableBeforeRaw: 5_000_000n,
      availableAfterRaw: 1n,
    })
  })

  test('to another address lands at the wallet first and transfers from there', () => {
    expect(ask(1n, OTHER).quote).toMatchObject({ firstLandingAddress: WALLET, destination: OTHER, transfers: true })
    expect(ask(1n, WALLET).quote?.transfers).toBe(false)
  })

  test.each([
    [5_000_000n, null],
    [5_000_001n, 'locked_deposit_encumbered'],
    [9_000_000n, 'locked_deposit_encumbered'],
    [9_000_001n, 'amount_exceeds_available'],
  ])('of %d base units of 5000000 available and 4000000 bound is refused with %s', (amountRaw, reason) => {
    const amounts = { requested: amountRaw, available: 5_000_000n, encumbered: 4_000_000n }
    expect(ask(amountRaw).refusal).toEqual(reason === null ? null : { reason, amounts })
  })

  test('of a wallet in debt is refused', () => {
    const inDebt = { ...facts, encumberedRaw: 0n, position: { ...facts.position, debtOutstanding: 10_000_000n } }
    expect(quoteWithdrawal({ wallet: WALLET, amountRaw: 1n, destination: null }, inDebt).refusal?.reason).toBe('amount_exceeds_available')
  })

  test.each([
    ['the zero address', `0x${'0'.repeat(40)}`],
    ['the contract of the asset', ASSET],
  ])('to %s is refused, whatever the amount', (_name, destination) => {
    expect(ask(1n, destination).refusal).toEqual({ reason: 'destination_refused', amounts: {} })
  })
})

test.each([
  [2_999_999n, false],
  [3_000_000n, true],
])('the gas of a withdrawal with a balance of %s: %s', (balanceRaw, sufficient) => {
  expect(withdrawalGas(100_000n, { feePerGasRaw: 30n, balanceRaw })).toEqual({ estimatedFeeRaw: 3_000_000n, sufficient })
})

test.each<[string, (bigint | null)[], bigint[], bigint | null]>([
  ['no transaction', [], [], 0n],
  ['estimates', [30n, 40n], [3n, 4n], 70n],
  ['a transaction that waits for another one', [30n, null], [3n, 4n], 34n],
  ['a transaction that neither tells', [null, 40n], [], null],
])('the gas of %s is that of each estimate, else what the simulation used', (_what, estimates, used, total) => {
  expect(totalGasUnits(estimates, used)).toBe(total)
})
