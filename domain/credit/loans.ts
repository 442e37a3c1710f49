import { encodePacked, keccak256 } from 'viem/utils'
import type { CreditRefusal } from '../../schemas/credit/record.ts'
import type { Hex } from '../common/hashes.ts'
import { amounts } from '../common/money.ts'
import { type Quoted, quoted, refused } from '../common/quotes.ts'
import { convertToAssets, type ShareBook } from '../pool/shares.ts'
import type { CreditPoolRef } from './attestation.ts'
import { type LoanRecord, outstandingRaw } from './quotes.ts'

/** An active loan with its id and its pledge. */
export interface OwnLoan extends LoanRecord {
  loanId: Hex
  pledgeSharesRaw: bigint
}

/** Id of a wallet's loan, as the contract makes it from the number of the loan. */
export const loanIdOf = ({ chainId, address }: CreditPoolRef, borrower: Hex, nonce: bigint): Hex =>
  keccak256(encodePacked(['uint256', 'address', 'address', 'uint256'], [BigInt(chainId), address, borrower, nonce]))

/** The loan that a repayment without an id pays: the only one. The amounts of a refusal name the loans. */
export const chooseLoan = (loans: readonly OwnLoan[]): Quoted<Hex, CreditRefusal> => {
  const [found, ...others] = loans
  if (found === undefined) return refused('LoanNotActive', {})
  if (others.length === 0) return quoted(found.loanId)
  return refused('LoanNotNamed', Object.fromEntries(loans.map((loan) => [loan.loanId, outstandingRaw(loan)])))
}

/** A row of `loans` of `GET /credit`; `pool` is the deposit pool, whose shares are pledged. */
export const ownLoanView = (loan: OwnLoan, pool: ShareBook, decimals: number) => ({
  loanId: loan.loanId,
  ...amounts(
    {
      outstanding: outstandingRaw(loan),
      principal: loan.outstandingPrincipalRaw,
      interest: loan.outstandingInterestRaw,
      pledgedShares: loan.pledgeSharesRaw,
      pledgedAssetValue: convertToAssets(pool, loan.pledgeSharesRaw),
    },
    decimals,
  ),
})
