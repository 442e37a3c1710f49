import { bps, floorSubtract, minRaw } from '../common/money.ts'

/** Terms of new loans, read from the credit pool. */
export interface CreditTerms {
  /** Share of the collateral that can be lent. */
  ltvBps: number
  /** Interest on the amount of a loan, fixed when it begins; it does not grow. */
  interestBps: number
}

/** What secures a wallet's loans and what it owes, base units. */
export interface Collateral {
  /** Value of all pledged pool shares of the wallet. */
  pledgedValueRaw: bigint
  /** Vested principal of its pool deposits. */
  vestedRaw: bigint
  /** Principal and interest of its active loans. */
  debtRaw: bigint
}

/** What all loans of a wallet may be together: a share of its pledges or of its vested principal, whichever is less. */
export const grossLimitRaw = ({ pledgedValueRaw, vestedRaw }: Collateral, { ltvBps }: CreditTerms): bigint =>
  bps(minRaw(pledgedValueRaw, vestedRaw), ltvBps)

/** What the wallet may still borrow by the contract's limit, whether or not the pool has the tokens. */
export const loanLimitRaw = (collateral: Collateral, terms: CreditTerms): bigint =>
  floorSubtract(grossLimitRaw(collateral, terms), collateral.debtRaw)

/** What the wallet can borrow now: its limit, at most the tokens in the pool. */
export const loanableRaw = (collateral: Collateral, terms: CreditTerms, bufferRaw: bigint): bigint =>
  minRaw(loanLimitRaw(collateral, terms), bufferRaw)

/** Interest of a loan. */
export const interestRaw = (amountRaw: bigint, { interestBps }: CreditTerms): bigint => bps(amountRaw, interestBps)

/** Multiple of a loan below which its pledge can be seized. */
export const IMPAIRMENT = { numerator: 105, denominator: 100 } as const

/** Value of a pledge below which any caller can seize it; `outstandingRaw` is principal and interest of its loan. */
export const impairmentThresholdRaw = (outstandingRaw: bigint): bigint =>
  (outstandingRaw * BigInt(IMPAIRMENT.numerator)) / BigInt(IMPAIRMENT.denominator)

/** Whether a pledge can be seized. Each loan is judged by its own pledge, while the limit counts all pledges of the wallet. */
export const isImpaired = (pledgeValueRaw: bigint, outstandingRaw: bigint): boolean =>
  pledgeValueRaw < impairmentThresholdRaw(outstandingRaw)
