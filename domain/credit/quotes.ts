import type { CreditRefusal } from '../../schemas/credit/record.ts'
import { type Fact, knownValue } from '../common/fact.ts'
import { type Quoted, quoted, refused } from '../common/quotes.ts'
import { availableSharesRaw, limitDepositLoss, limitWithdrawalLoss, type PoolPosition, type ShareQuote } from '../pool/quotes.ts'
import { convertToAssets, convertToShares, valueAfterDeposit } from '../pool/shares.ts'
import { type Collateral, type CreditTerms, grossLimitRaw, interestRaw, isImpaired, loanableRaw, loanLimitRaw } from './limits.ts'

/** The credit pool and one wallet's lender shares at one block. Its managed assets are buffer and lent principal; it knows no pledges. */
export type LenderPosition = Omit<PoolPosition, 'pledgedRaw'>

/**
 * Shares for assets that a wallet lends. Refusals stand in the order of the contract, which checks the lender's cap before the shares; then the
 * wallet's own tokens and the loss.
 */
export const quoteLenderDeposit = (pool: LenderPosition, assetsRaw: bigint): Quoted<ShareQuote, CreditRefusal> => {
  if (assetsRaw === 0n) return refused('ZeroAmount', {})
  const attempted = pool.managedRaw + assetsRaw
  if (attempted > pool.caps.totalRaw) return refused('TotalAssetCapExceeded', { attempted, cap: pool.caps.totalRaw })
  const sharesRaw = convertToShares(pool, assetsRaw)
  const held = valueAfterDeposit(pool, pool.balanceRaw, assetsRaw, sharesRaw)
  if (held > pool.caps.perHolderRaw) return refused('LenderAssetCapExceeded', { attempted: held, cap: pool.caps.perHolderRaw })
  if (sharesRaw === 0n) return refused('ZeroShares', { assets: assetsRaw })
  if (assetsRaw > pool.walletRaw) return refused('InsufficientBalance', { required: assetsRaw, available: pool.walletRaw })
  return limitDepositLoss(pool, { assetsRaw, sharesRaw })
}

/** Assets for lender shares that a wallet redeems to itself. Refusals stand in the order of the contract, then the loss. */
export const quoteLenderWithdrawal = (pool: LenderPosition, sharesRaw: bigint): Quoted<ShareQuote, CreditRefusal> => {
  if (sharesRaw === 0n) return refused('ZeroShares', {})
  const available = pool.balanceRaw - pool.lockedRaw
  if (sharesRaw > available) return refused('InsufficientUnlockedShares', { required: sharesRaw, available })
  const assetsRaw = convertToAssets(pool, sharesRaw)
  if (assetsRaw === 0n) return refused('ZeroAmount', { shares: sharesRaw })
  if (assetsRaw > pool.bufferRaw) return refused('InsufficientBuffer', { required: assetsRaw, available: pool.bufferRaw })
  return limitWithdrawalLoss(pool, { assetsRaw, sharesRaw }, available)
}

/** Pledge that the deposit pool has under the wallet's next loan id. A released one cannot be made again. */
export interface PledgeRecord {
  sharesRaw: bigint
  active: boolean
}

export interface BorrowFacts {
  /** The deposit pool, whose shares secure the loan. */
  depositPool: PoolPosition
  terms: CreditTerms
  /** Tokens in the credit pool, base units. */
  bufferRaw: bigint
  /** Principal and interest that the wallet owes, base units. */
  debtRaw: bigint
  /** Null while the wallet has not pledged for its next loan. */
  pledge: PledgeRecord | null
  /** Vested principal at the same block, base units. */
  vestedRaw: Fact<bigint>
  /** Whether the service has the key that the credit pool names as its operator. */
  canAttest: boolean
}

export interface BorrowQuote {
  /** Shares that secure this loan: those of the wallet's open pledge, else the requested ones. */
  pledgeSharesRaw: bigint
  /** False when the pledge is mined already, so that only `originate` is left. */
  needsPledge: boolean
  amountRaw: bigint
  pledgedAssetValueRaw: bigint
  aggregatePledgedAssetValueRaw: bigint
  vestedRaw: bigint
  existingDebtRaw: bigint
  grossWalletLimitRaw: bigint
  /** The wallet's limit, at most the tokens in the pool. */
  maximumLoanRaw: bigint
  interestBps: number
  repaymentRaw: bigint
  /** Whether any caller could seize the pledge in the next block, because it alone does not cover this loan. */
  seizableAtOnce: boolean
}

interface Pledged {
  pledgeSharesRaw: bigint
  needsPledge: boolean
}

/** Shares of the loan. An open pledge is used as it is, whatever the request names; a released one blocks the wallet for good. */
const pledgeFor = (facts: BorrowFacts, requestedRaw: bigint): Quoted<Pledged, CreditRefusal> => {
  const { pledge } = facts
  if (pledge?.active) return quoted({ pledgeSharesRaw: pledge.sharesRaw, needsPledge: false })
  if (requestedRaw === 0n) return refused('ZeroShares', {})
  if (pledge !== null) return refused('PledgeAlreadyExists', { shares: pledge.sharesRaw })
  const available = availableSharesRaw(facts.depositPool)
  if (requestedRaw > available) return refused('InsufficientUnlockedShares', { required: requestedRaw, available })
  return quoted({ pledgeSharesRaw: requestedRaw, needsPledge: true })
}

const collateralOf = (facts: BorrowFacts, { pledgeSharesRaw, needsPledge }: Pledged, vestedRaw: bigint): Collateral => {
  const allPledged = facts.depositPool.pledgedRaw + (needsPledge ? pledgeSharesRaw : 0n)
  return { pledgedValueRaw: convertToAssets(facts.depositPool, allPledged), vestedRaw, debtRaw: facts.debtRaw }
}

/**
 * A loan against pool shares. First what the service needs to attest, then pledge and loan in the order of the contracts. A pledge that is
 * mined already is not counted twice. Source: money, "Credit".
 */
export const quoteBorrow = (facts: BorrowFacts, requestedSharesRaw: bigint, amountRaw: bigint): Quoted<BorrowQuote, CreditRefusal> => {
  if (!facts.canAttest) return refused('VestingAttestorUnavailable', {})
  const vestedRaw = knownValue(facts.vestedRaw)
  if (vestedRaw === undefined) return refused('VestingReadUnavailable', {})
  const pledged = pledgeFor(facts, requestedSharesRaw)
  if (pledged.quote === null) return pledged
  if (amountRaw === 0n) return refused('ZeroAmount', {})
  const collateral = collateralOf(facts, pledged.quote, vestedRaw)
  const maximum = loanLimitRaw(collateral, facts.terms)
  if (amountRaw > maximum) return refused('LoanLimitExceeded', { requested: amountRaw, maximum })
  if (amountRaw > facts.bufferRaw) return refused('InsufficientBuffer', { required: amountRaw, available: facts.bufferRaw })
  const pledgedAssetValueRaw = convertToAssets(facts.depositPool, pledged.quote.pledgeSharesRaw)
  const repaymentRaw = amountRaw + interestRaw(amountRaw, facts.terms)
  return quoted({
    ...pledged.quote,
    amountRaw,
    pledgedAssetValueRaw,
    aggregatePledgedAssetValueRaw: collateral.pledgedValueRaw,
    vestedRaw,
    existingDebtRaw: facts.debtRaw,
    grossWalletLimitRaw: grossLimitRaw(collateral, facts.terms),
    maximumLoanRaw: loanableRaw(collateral, facts.terms, facts.bufferRaw),
    interestBps: facts.terms.interestBps,
    repaymentRaw,
    seizableAtOnce: isImpaired(pledgedAssetValueRaw, repaymentRaw),
  })
}

/** A loan as the credit pool has it, base units. */
export interface LoanRecord {
  active: boolean
  outstandingPrincipalRaw: bigint
  outstandingInterestRaw: bigint
}

/** Principal and interest that are owed on a loan. */
export const outstandingRaw = ({ outstandingPrincipalRaw, outstandingInterestRaw }: LoanRecord): bigint =>
  outstandingPrincipalRaw + outstandingInterestRaw

export interface RepayQuote {
  amountRaw: bigint
  /** Principal and interest before and after. */
  outstandingBeforeRaw: bigint
  outstandingAfterRaw: bigint
  /** A full repayment releases the pledge. */
  pledgeReleased: boolean
}

/** A repayment from the wallet's tokens; any wallet may repay any loan. Refusals stand in the order of the contract. */
export const quoteRepay = (loan: LoanRecord, amountRaw: bigint, walletRaw: bigint): Quoted<RepayQuote, CreditRefusal> => {
  if (!loan.active) return refused('LoanNotActive', {})
  if (amountRaw === 0n) return refused('ZeroAmount', {})
  const outstandingBeforeRaw = outstandingRaw(loan)
  if (amountRaw > outstandingBeforeRaw)
    return refused('RepaymentExceedsOutstanding', { attempted: amountRaw, outstanding: outstandingBeforeRaw })
  if (amountRaw > walletRaw) return refused('InsufficientBalance', { required: amountRaw, available: walletRaw })
  const outstandingAfterRaw = outstandingBeforeRaw - amountRaw
  return quoted({ amountRaw, outstandingBeforeRaw, outstandingAfterRaw, pledgeReleased: outstandingAfterRaw === 0n })
}
