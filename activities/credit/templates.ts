import { encodeFunctionData, type Hex } from 'viem'
import type { Asset } from '../../domain/common/money.ts'
import type { BorrowQuote } from '../../domain/credit/quotes.ts'
import { creditPoolAbi } from '../chain/abi/credit-pool.ts'
import { depositPoolAbi } from '../chain/abi/deposit-pool.ts'
import { type WatchedBalance, walletTokens } from '../chain/simulation.ts'
import { amountUnit, contractCall, type TemplateStep } from '../chain/templates.ts'
import { type SpendAmounts, withApproval } from '../chain/unsigned-transactions.ts'
import { shareAsset } from '../pool/templates.ts'
import type { CreditChain } from './reads.ts'

const LENDER_SHARES = 'CREDIT-SHARES'

/** Lender shares as an asset; they have the decimals of the settlement asset. */
export const lenderShareAsset = ({ chain }: CreditChain): Asset => ({ symbol: LENDER_SHARES, decimals: chain.asset.decimals })

/** Steps that lend an amount, for lender shares of the wallet itself. */
export const lenderDepositSteps = ({ chain, credit }: CreditChain, wallet: Hex, amounts: SpendAmounts): TemplateStep[] => {
  const args = [amounts.amountRaw, wallet] as const
  const call = contractCall(credit.address, { abi: creditPoolAbi, functionName: 'deposit', args }, amountUnit(chain.asset))
  return withApproval(chain, credit.address, amounts, { step: 'deposit', call })
}

/** The step that redeems lender shares of the wallet to the wallet. */
export const lenderWithdrawalSteps = (on: CreditChain, wallet: Hex, sharesRaw: bigint): TemplateStep[] => {
  const args = [sharesRaw, wallet, wallet] as const
  const call = contractCall(on.credit.address, { abi: creditPoolAbi, functionName: 'redeem', args }, amountUnit(lenderShareAsset(on)))
  return [{ step: 'redeem', call }]
}

/** Steps that begin a loan: the pledge, unless it is mined already, then `originate` with its attestation. */
export const borrowSteps = (
  { chain, credit, pool }: CreditChain,
  loanId: Hex,
  quote: BorrowQuote,
  attested: { validUntil: number; signature: Hex },
): TemplateStep[] => {
  const { pledgeSharesRaw, amountRaw, vestedRaw, needsPledge } = quote
  const args = [pledgeSharesRaw, amountRaw, vestedRaw, BigInt(attested.validUntil), attested.signature] as const
  const originate: TemplateStep = {
    step: 'originate',
    call: contractCall(credit.address, { abi: creditPoolAbi, functionName: 'originate', args }, amountUnit(chain.asset)),
  }
  if (!needsPledge) return [originate]
  const pledge: TemplateStep = {
    step: 'pledge',
    call: contractCall(pool.address, { abi: depositPoolAbi, functionName: 'pledge', args: [pledgeSharesRaw, loanId] }),
  }
  const reason = 'The loan reverts until the pledge is mined, so its gas cannot be estimated before.'
  return [pledge, { ...originate, prerequisite: { code: 'pledge_confirmed_on_chain', reason } }]
}

/** Steps that pay a loan back from the wallet's tokens. */
export const repaySteps = ({ chain, credit }: CreditChain, loanId: Hex, amounts: SpendAmounts): TemplateStep[] => {
  const args = [loanId, amounts.amountRaw] as const
  const call = contractCall(credit.address, { abi: creditPoolAbi, functionName: 'repay', args }, amountUnit(chain.asset))
  return withApproval(chain, credit.address, amounts, { step: 'repay', call })
}

/** Balances that a transaction of the credit pool changes; `borrower` is the wallet itself unless it repays the loan of another. */
export const creditBalances = (on: CreditChain, wallet: Hex, borrower: Hex): WatchedBalance[] => {
  const { chain, credit, pool } = on
  const lender = encodeFunctionData({ abi: creditPoolAbi, functionName: 'balanceOf', args: [wallet] })
  const debt = encodeFunctionData({ abi: creditPoolAbi, functionName: 'outstandingDebt', args: [borrower] })
  const pledged = encodeFunctionData({ abi: depositPoolAbi, functionName: 'pledgedShares', args: [borrower] })
  return [
    walletTokens(chain, wallet),
    { kind: 'credit.shares', holder: wallet, asset: lenderShareAsset(on), word: 0, call: { to: credit.address, data: lender } },
    { kind: 'credit.debt', holder: borrower, asset: chain.asset, word: 0, call: { to: credit.address, data: debt } },
    { kind: 'pool.pledged', holder: borrower, asset: shareAsset(on), word: 0, call: { to: pool.address, data: pledged } },
  ]
}
