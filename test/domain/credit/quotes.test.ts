import { describe, expect, test } from '@jest/globals'
import { known } from '../../../domain/common/fact.ts'
import {
  type BorrowFacts,
  type LenderPosition,
  quoteBorrow,
  quoteLenderDeposit,
  quoteLenderWithdrawal,
  quoteRepay,
} from '../../../domain/credit/quotes.ts'
import type { PoolPosition } from '../../../domain/pool/quotes.ts'

/** A credit pool of 100 units of each, of which the wallet lent 60. */
const lender = (changes: Partial<LenderPosition> = {}): LenderPosition => ({
  managedRaw: 100_000_000n,
  supplyRaw: 100_000_000n,
  seedRaw: 1_000_000n,
  bufferRaw: 70_000_000n,
  balanceRaw: 60_000_000n,
  caps: { totalRaw: 250_000_000n, perHolderRaw: 100_000_000n },
  lockedRaw: 10_000_000n,
  walletRaw: 80_000_000n,
  ...changes,
})

describe('a lender’s deposit', () => {
  test('gives shares at the price of the block', () => {
    const { quote } = quoteLenderDeposit(lender({ managedRaw: 125_000_000n }), 5_000_000n)
    expect(quote).toEqual({ assetsRaw: 5_000_000n, sharesRaw: 4_000_000n })
  })

  test.each([
    ['ZeroAmount', 0n, {}, {}],
    ['TotalAssetCapExceeded', 1n, { managedRaw: 250_000_000n }, { attempted: 250_000_001n, cap: 250_000_000n }],
    ['LenderAssetCapExceeded', 40_000_001n, {}, { attempted: 100_000_001n, cap: 100_000_000n }],
    ['ZeroShares', 1n, { managedRaw: 100_000_001n }, { assets: 1n }],
    ['InsufficientBalance', 30_000_000n, { walletRaw: 29_999_999n }, { required: 30_000_000n, available: 29_999_999n }],
    ['LossTooHigh', 500n, { managedRaw: 100_000_100n }, { value: 500n, received: 499n, loss: 1n }],
  ] as const)('is refused with %s and the amounts that decide it', (reason, assets, changes, amounts) => {
    expect(quoteLenderDeposit(lender(changes), assets).refusal).toEqual({ reason, amounts })
  })

  test('is refused as the contract would, which checks the lender’s cap before the shares', () => {
    const above = lender({ managedRaw: 249_000_000n, balanceRaw: 100_000_000n })
    expect(quoteLenderDeposit(above, 1n).refusal?.reason).toBe('LenderAssetCapExceeded')
  })

  test('may reach every bound', () => {
    expect(quoteLenderDeposit(lender({ walletRaw: 40_000_000n }), 40_000_000n).refusal).toBeNull()
    const full = lender({ managedRaw: 249_999_999n, supplyRaw: 249_999_999n })
    expect(quoteLenderDeposit(full, 1n).refusal).toBeNull()
    expect(quoteLenderDeposit(lender({ managedRaw: 0n, supplyRaw: 0n, balanceRaw: 0n }), 1n).quote?.sharesRaw).toBe(1n)
  })
})

describe('a lender’s withdrawal', () => {
  test('pays the value of the shares', () => {
    expect(quoteLenderWithdrawal(lender({ managedRaw: 150_000_000n }), 7_001n).quote).toEqual({ sharesRaw: 7_001n, assetsRaw: 10_501n })
    expect(quoteLenderWithdrawal(lender({ bufferRaw: 50_000_000n }), 50_000_000n).refusal).toBeNull()
    const last = lender({ managedRaw: 150_000_000n, balanceRaw: 7n, lockedRaw: 0n })
    expect(quoteLenderWithdrawal(last, 7n).quote).toEqual({ sharesRaw: 7n, assetsRaw: 10n })
  })

  test.each([
    ['ZeroShares', 0n, {}, {}],
    ['InsufficientUnlockedShares', 50_000_001n, {}, { required: 50_000_001n, available: 50_000_000n }],
    ['ZeroAmount', 1n, { managedRaw: 99_999_999n }, { shares: 1n }],
    ['InsufficientBuffer', 20_000_000n, { bufferRaw: 19_999_999n }, { required: 20_000_000n, available: 19_999_999n }],
    ['LossTooHigh', 7n, { managedRaw: 150_000_000n }, { value: 11n, received: 10n, loss: 1n }],
  ] as const)('is refused with %s and the amounts that decide it', (reason, shares, changes, amounts) => {
    expect(quoteLenderWithdrawal(lender(changes), shares).refusal).toEqual({ reason, amounts })
  })
})

const depositPool = (changes: Partial<PoolPosition> = {}): PoolPosition => ({
  ...lender(),
  balanceRaw: 30_000_000n,
  lockedRaw: 5_000_000n,
  pledgedRaw: 0n,
  ...changes,
})
const facts = (changes: Partial<BorrowFacts> = {}): BorrowFacts => ({
  depositPool: depositPool(),
  terms: { ltvBps: 8000, interestBps: 0 },
  bufferRaw: 70_000_000n,
  debtRaw: 0n,
  pledge: null,
  vestedRaw: known(8_000_000n),
  canAttest: true,
  ...changes,
})

describe('a loan', () => {
  test('shows what secures it, its limit and its repayment', () => {
    expect(quoteBorrow(facts({ terms: { ltvBps: 8000, interestBps: 1000 } }), 10_000_000n, 6_000_000n).quote).toEqual({
      pledgeSharesRaw: 10_000_000n,
      needsPledge: true,
      amountRaw: 6_000_000n,
      interestBps: 1000,
      repaymentRaw: 6_600_000n,
      pledgedAssetValueRaw: 10_000_000n,
      aggregatePledgedAssetValueRaw: 10_000_000n,
      vestedRaw: 8_000_000n,
      existingDebtRaw: 0n,
      grossWalletLimitRaw: 6_400_000n,
      maximumLoanRaw: 6_400_000n,
      seizableAtOnce: false,
    })
  })

  test('counts a pledge that is mined already once, whatever the request names', () => {
    const mined = facts({ depositPool: depositPool({ pledgedRaw: 10_000_000n }), pledge: { sharesRaw: 10_000_000n, active: true } })
    const asked = quoteBorrow(mined, 20_000_000n, 6_400_000n).quote
    expect(asked).toMatchObject({ needsPledge: false, pledgeSharesRaw: 10_000_000n, aggregatePledgedAssetValueRaw: 10_000_000n })
    expect(quoteBorrow(mined, 0n, 6_400_001n).refusal?.reason).toBe('LoanLimitExceeded')
  })

  test('adds its pledge to those of earlier loans, and says when its own pledge does not cover it', () => {
    const second = facts({ depositPool: depositPool({ pledgedRaw: 20_000_000n }), debtRaw: 1_000_000n, vestedRaw: known(30_000_000n) })
    const quote = quoteBorrow(second, 1_000_000n, 2_000_000n).quote
    expect(quote).toMatchObject({ aggregatePledgedAssetValueRaw: 21_000_000n, maximumLoanRaw: 15_800_000n, seizableAtOnce: true })
    expect(quoteBorrow(second, 1_000_000n, 952_380n).quote?.seizableAtOnce).toBe(false)
  })

  const RELEASED = { sharesRaw: 3n, active: false }
  test.each<[string, Partial<BorrowFacts>, bigint, bigint, Record<string, bigint>]>([
    ['VestingAttestorUnavailable', { canAttest: false, vestedRaw: 'unreadable' }, 1n, 1n, {}],
    ['VestingReadUnavailable', { vestedRaw: 'unreadable' }, 1n, 1n, {}],
    ['VestingReadUnavailable', { vestedRaw: 'unknown' }, 1n, 1n, {}],
    ['ZeroShares', {}, 0n, 1n, {}],
    ['PledgeAlreadyExists', { pledge: RELEASED }, 1n, 1n, { shares: 3n }],
    ['InsufficientUnlockedShares', {}, 25_000_001n, 1n, { required: 25_000_001n, available: 25_000_000n }],
    ['ZeroAmount', {}, 1n, 0n, {}],
    ['LoanLimitExceeded', {}, 10_000_000n, 6_400_001n, { requested: 6_400_001n, maximum: 6_400_000n }],
    ['InsufficientBuffer', { bufferRaw: 6_399_999n }, 10_000_000n, 6_400_000n, { required: 6_400_000n, available: 6_399_999n }],
  ])('is refused with %s and the amounts that decide it (row %#)', (reason, changes, shares, amount, amounts) => {
    expect(quoteBorrow(facts(changes), shares, amount).refusal).toEqual({ reason, amounts })
  })

  test('is at most the tokens in the credit pool', () => {
    expect(quoteBorrow(facts({ bufferRaw: 6_000_000n }), 10_000_000n, 6_000_000n).quote?.maximumLoanRaw).toBe(6_000_000n)
  })
})

describe('a repayment', () => {
  const LOAN = { active: true, outstandingPrincipalRaw: 6_000_000n, outstandingInterestRaw: 600_000n }

  test('releases the pledge only in full', () => {
    expect(quoteRepay(LOAN, 6_599_999n, 10_000_000n).quote).toEqual({
      amountRaw: 6_599_999n,
      outstandingBeforeRaw: 6_600_000n,
      outstandingAfterRaw: 1n,
      pledgeReleased: false,
    })
    expect(quoteRepay(LOAN, 6_600_000n, 6_600_000n).quote).toMatchObject({ outstandingAfterRaw: 0n, pledgeReleased: true })
  })

  test.each([
    ['LoanNotActive', { ...LOAN, active: false }, 0n, 0n, {}],
    ['ZeroAmount', LOAN, 0n, 0n, {}],
    ['RepaymentExceedsOutstanding', LOAN, 6_600_001n, 0n, { attempted: 6_600_001n, outstanding: 6_600_000n }],
    ['InsufficientBalance', LOAN, 5n, 4n, { required: 5n, available: 4n }],
  ])('is refused with %s and the amounts that decide it', (reason, loan, amount, wallet, amounts) => {
    expect(quoteRepay(loan, amount, wallet).refusal).toEqual({ reason, amounts })
  })
})
