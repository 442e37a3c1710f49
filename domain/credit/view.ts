import { iso } from '../common/instants.ts'
import { amount } from '../common/money.ts'
import { availableSharesRaw, type PoolPosition, type ShareQuote } from '../pool/quotes.ts'
import { convertToAssets, poolHeadroomRaw } from '../pool/shares.ts'
import { sharePriceView } from '../pool/view.ts'
import { type CreditTerms, grossLimitRaw, IMPAIRMENT, impairmentThresholdRaw, loanableRaw } from './limits.ts'
import type { BorrowQuote, LenderPosition, RepayQuote } from './quotes.ts'

/** Bounds and trigger of the credit pool's contract, for `schedule`. */
const CREDIT_BOUNDS = {
  maxLtvBps: 9000,
  maxInterestBps: 2000,
  platformFeeBps: 0,
  impairmentTrigger: IMPAIRMENT,
} as const

/** The credit pool and the wallet at one block, base units. */
export interface CreditFacts {
  pool: LenderPosition
  depositPool: PoolPosition
  terms: CreditTerms
  principalOutstandingRaw: bigint
  totalPledgedSharesRaw: bigint
  /** Number of loans that were seized. */
  defaults: number
  /** Tokens that the credit pool may take from the wallet. */
  allowanceRaw: bigint
  /** Principal and interest that the wallet owes. */
  debtRaw: bigint
  /** Null where the vesting could not be read; then nothing counts as vested. */
  vestedRaw: bigint | null
}

const supplyView = ({ pool, principalOutstandingRaw }: CreditFacts, decimals: number) => ({
  totalAssets: amount({ raw: pool.managedRaw, decimals }),
  totalShares: amount({ raw: pool.supplyRaw, decimals }),
  buffer: amount({ raw: pool.bufferRaw, decimals }),
  principalOutstanding: amount({ raw: principalOutstandingRaw, decimals }),
  cap: amount({ raw: pool.caps.totalRaw, decimals }),
  headroom: amount({ raw: poolHeadroomRaw(pool), decimals }),
  perLenderCap: amount({ raw: pool.caps.perHolderRaw, decimals }),
})

const walletView = (facts: CreditFacts, decimals: number) => {
  const { pool, depositPool, terms, debtRaw } = facts
  const shown = (raw: bigint) => amount({ raw, decimals })
  const vestedRaw = facts.vestedRaw ?? 0n
  const pledgedValueRaw = convertToAssets(depositPool, depositPool.pledgedRaw)
  const collateral = { pledgedValueRaw, vestedRaw, debtRaw }
  return {
    assetBalance: shown(pool.walletRaw),
    allowanceToCreditPool: shown(facts.allowanceRaw),
    lenderAssets: shown(convertToAssets(pool, pool.balanceRaw)),
    lenderShares: shown(pool.balanceRaw),
    availableLenderShares: shown(pool.balanceRaw - pool.lockedRaw),
    depositPoolShares: shown(depositPool.balanceRaw),
    availableDepositPoolShares: shown(availableSharesRaw(depositPool)),
    pledgedShares: shown(depositPool.pledgedRaw),
    pledgedAssetValue: shown(pledgedValueRaw),
    vestedAssets: shown(vestedRaw),
    vestingAvailable: facts.vestedRaw !== null,
    grossWalletLimit: shown(grossLimitRaw(collateral, terms)),
    loanable: shown(loanableRaw(collateral, terms, pool.bufferRaw)),
    outstanding: shown(debtRaw),
  }
}

/** Amounts and terms of `GET /credit`. */
export const creditFiguresView = (facts: CreditFacts, address: string, decimals: number) => ({
  supply: supplyView(facts, decimals),
  schedule: { ltvBps: facts.terms.ltvBps, interestBps: facts.terms.interestBps, ...CREDIT_BOUNDS },
  lifecycle: { totalPledgedShares: amount({ raw: facts.totalPledgedSharesRaw, decimals }), defaults: facts.defaults },
  wallet: { address, ...walletView(facts, decimals) },
})

/** `preview` of a lender's deposit at one block. */
export const lenderDepositPreview = (pool: LenderPosition, quote: ShareQuote, decimals: number, blockNumber: bigint) => ({
  assets: amount({ raw: quote.assetsRaw, decimals }),
  expectedShares: amount({ raw: quote.sharesRaw, decimals }),
  sharePrice: sharePriceView(pool, decimals),
  quoteBlockNumber: blockNumber.toString(),
})

/** `preview` of a lender's withdrawal at one block. */
export const lenderWithdrawalPreview = (pool: LenderPosition, quote: ShareQuote, decimals: number, blockNumber: bigint) => ({
  sharesToRedeem: amount({ raw: quote.sharesRaw, decimals }),
  expectedAssets: amount({ raw: quote.assetsRaw, decimals }),
  sharePrice: sharePriceView(pool, decimals),
  quoteBlockNumber: blockNumber.toString(),
})

/** `preview` of a loan; `validUntil` is the last second of its attestation (epoch seconds). */
export const borrowPreview = (quote: BorrowQuote, loanId: string, validUntil: number, decimals: number) => {
  const shown = (raw: bigint) => amount({ raw, decimals })
  return {
    loanId,
    pledgeShares: shown(quote.pledgeSharesRaw),
    pledgedAssetValue: shown(quote.pledgedAssetValueRaw),
    aggregatePledgedAssetValue: shown(quote.aggregatePledgedAssetValueRaw),
    vestedAssets: shown(quote.vestedRaw),
    existingDebt: shown(quote.existingDebtRaw),
    grossWalletLimit: shown(quote.grossWalletLimitRaw),
    maximumLoan: shown(quote.maximumLoanRaw),
    requestedAmount: shown(quote.amountRaw),
    interestBps: quote.interestBps,
    repaymentAmount: shown(quote.repaymentRaw),
    impairmentThreshold: shown(impairmentThresholdRaw(quote.repaymentRaw)),
    seizableAtOnce: quote.seizableAtOnce,
    attestationExpiresAt: iso(validUntil * 1000),
  }
}

/** `preview` of a repayment. */
export const repayPreview = (quote: RepayQuote, loanId: string, decimals: number) => ({
  loanId,
  outstandingBefore: amount({ raw: quote.outstandingBeforeRaw, decimals }),
  outstandingAfter: amount({ raw: quote.outstandingAfterRaw, decimals }),
  pledgeReleased: quote.pledgeReleased,
})
