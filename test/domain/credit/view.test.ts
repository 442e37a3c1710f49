import { describe, expect, test } from '@jest/globals'
import {
  borrowPreview,
  type CreditFacts,
  creditFiguresView,
  lenderDepositPreview,
  lenderWithdrawalPreview,
  repayPreview,
} from '../../../domain/credit/view.ts'
import { inBaseUnits } from '../builders/amounts.ts'

/** Of both pools shares are worth one and a half units; no two amounts are equal. */
const facts: CreditFacts = {
  pool: {
    managedRaw: 150_000_000n,
    supplyRaw: 100_000_000n,
    seedRaw: 1_000_000n,
    bufferRaw: 70_000_000n,
    balanceRaw: 40_000_000n,
    lockedRaw: 10_000_000n,
    walletRaw: 80_000_000n,
    caps: { totalRaw: 250_000_000n, perHolderRaw: 110_000_000n },
  },
  depositPool: {
    managedRaw: 300_000_000n,
    supplyRaw: 200_000_000n,
    seedRaw: 1_000_000n,
    bufferRaw: 120_000_000n,
    balanceRaw: 50_000_000n,
    lockedRaw: 5_000_000n,
    pledgedRaw: 20_000_000n,
    walletRaw: 80_000_000n,
    caps: { totalRaw: 1_000_000_000n, perHolderRaw: 100_000_000n },
  },
  terms: { ltvBps: 5000, interestBps: 300 },
  principalOutstandingRaw: 33_000_000n,
  totalPledgedSharesRaw: 44_000_000n,
  defaults: 2,
  allowanceRaw: 7_000_000n,
  debtRaw: 4_000_000n,
  vestedRaw: 28_000_000n,
}
const sharePrice = {
  model: 'principal-cost-basis',
  assetsPerShare: '1500000',
  numeratorAssets: '150000000',
  denominatorShares: '100000000',
}

describe('the figures of the credit pool', () => {
  test('are its totals and terms, and what the wallet lends, pledges and may borrow', () => {
    expect(inBaseUnits(creditFiguresView(facts, '0xa', 6))).toEqual({
      supply: {
        totalAssets: '150000000',
        totalShares: '100000000',
        buffer: '70000000',
        principalOutstanding: '33000000',
        cap: '250000000',
        headroom: '100000000',
        perLenderCap: '110000000',
      },
      schedule: {
        ltvBps: 5000,
        interestBps: 300,
        maxLtvBps: 9000,
        maxInterestBps: 2000,
        platformFeeBps: 0,
        impairmentTrigger: { numerator: 105, denominator: 100 },
      },
      lifecycle: { totalPledgedShares: '44000000', defaults: 2 },
      wallet: {
        address: '0xa',
        assetBalance: '80000000',
        allowanceToCreditPool: '7000000',
        lenderAssets: '60000000',
        lenderShares: '40000000',
        availableLenderShares: '30000000',
        depositPoolShares: '50000000',
        availableDepositPoolShares: '25000000',
        pledgedShares: '20000000',
        pledgedAssetValue: '30000000',
        vestedAssets: '28000000',
        vestingAvailable: true,
        grossWalletLimit: '14000000',
        loanable: '10000000',
        outstanding: '4000000',
      },
    })
  })

  test('lend nothing on a vesting that could not be read', () => {
    const { wallet } = creditFiguresView({ ...facts, vestedRaw: null }, '0xa', 6)
    expect(inBaseUnits(wallet)).toMatchObject({ vestedAssets: '0', vestingAvailable: false, grossWalletLimit: '0', loanable: '0' })
  })
})

describe('a preview', () => {
  const quote = { assetsRaw: 30_000_000n, sharesRaw: 20_000_000n }

  test('of a lender’s deposit and withdrawal names assets and shares', () => {
    const deposit = { assets: '30000000', expectedShares: '20000000', sharePrice, quoteBlockNumber: '7' }
    expect(inBaseUnits(lenderDepositPreview(facts.pool, quote, 6, 7n))).toEqual(deposit)
    const withdrawal = { sharesToRedeem: '20000000', expectedAssets: '30000000', sharePrice, quoteBlockNumber: '7' }
    expect(inBaseUnits(lenderWithdrawalPreview(facts.pool, quote, 6, 7n))).toEqual(withdrawal)
  })

  test('of a loan names what decides it, and until when its attestation holds', () => {
    const borrowed = {
      pledgeSharesRaw: 1n,
      pledgedAssetValueRaw: 2n,
      aggregatePledgedAssetValueRaw: 3n,
      vestedRaw: 4n,
      existingDebtRaw: 5n,
      grossWalletLimitRaw: 6n,
      maximumLoanRaw: 7n,
      amountRaw: 8n,
      interestBps: 300,
      repaymentRaw: 1_000n,
      seizableAtOnce: true,
    }
    expect(inBaseUnits(borrowPreview(borrowed as never, '0xb', 1_772_366_400, 6))).toEqual({
      loanId: '0xb',
      pledgeShares: '1',
      pledgedAssetValue: '2',
      aggregatePledgedAssetValue: '3',
      vestedAssets: '4',
      existingDebt: '5',
      grossWalletLimit: '6',
      maximumLoan: '7',
      requestedAmount: '8',
      interestBps: 300,
      repaymentAmount: '1000',
      impairmentThreshold: '1050',
      seizableAtOnce: true,
      attestationExpiresAt: '2026-03-01T12:00:00.000Z',
    })
  })

  test('of a repayment names the debt before and after, and whether the pledge is released', () => {
    const repaid = { outstandingBeforeRaw: 9n, outstandingAfterRaw: 0n, pledgeReleased: true }
    expect(inBaseUnits(repayPreview(repaid as never, '0xb', 6))).toEqual({
      loanId: '0xb',
      outstandingBefore: '9',
      outstandingAfter: '0',
      pledgeReleased: true,
    })
  })
})
