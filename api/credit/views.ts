import type { Hex } from 'viem'
import { planApproval } from '../../activities/chain/approval.ts'
import type { BlockRef } from '../../activities/chain/node/answers.ts'
import { BOUNDARY, type BuiltTemplates, broadcastBy, expectedView } from '../../activities/chain/templates.ts'
import type { SignedAttestation } from '../../activities/credit/attestor.ts'
import type { CreditChain, CreditFigures } from '../../activities/credit/reads.ts'
import { lenderShareAsset } from '../../activities/credit/templates.ts'
import { iso } from '../../domain/common/instants.ts'
import { amount } from '../../domain/common/money.ts'
import type { VestingAttestation } from '../../domain/credit/attestation.ts'
import type { BorrowQuote, RepayQuote } from '../../domain/credit/quotes.ts'
import {
  borrowPreview,
  type CreditFacts,
  creditFiguresView,
  lenderDepositPreview,
  lenderWithdrawalPreview,
  repayPreview,
} from '../../domain/credit/view.ts'
import type { ShareQuote } from '../../domain/pool/quotes.ts'

const INPUT = 'base units, as digits'
const REPAYMENT =
  'Any wallet can repay a loan, in parts or in full; interest is paid first, and the last payment releases the pledge. A loan has no term. Any caller can seize a pledge that is worth less than 105 % of its loan, and nothing of it returns to the borrower.'
const UNUSED_PLEDGE =
  'If you pledge and do not begin the loan, ask again for a fresh attestation. Do not call cancelUnusedPledge: the pledge record stays, and the wallet can never pledge or borrow again.'

const CREDIT_BOUNDARY = { custody: 'credit_pool_contract', platformBrokersFunds: false, ...BOUNDARY } as const

const headView = ({ chain, credit }: CreditChain) => ({
  schemaVersion: 1 as const,
  available: true as const,
  creditPool: credit.address.toLowerCase(),
  chainId: chain.chainId,
  asset: { symbol: chain.asset.symbol, address: chain.asset.address.toLowerCase(), decimals: chain.asset.decimals },
})

const blockView = ({ number, hash }: BlockRef) => ({ number: number.toString(), hash })

/** Body of `GET /credit`. */
export const creditView = (on: CreditChain, wallet: Hex, block: BlockRef, facts: CreditFacts, riskDisclosure: string) => {
  const { symbol, decimals } = on.chain.asset
  return {
    ...headView(on),
    depositPool: on.pool.address.toLowerCase(),
    block: blockView(block),
    units: { asset: { symbol, decimals, input: INPUT }, shares: { ...lenderShareAsset(on), input: INPUT } },
    ...creditFiguresView(facts, wallet, decimals),
    disclosure: { statement: riskDisclosure },
    repayment: { statement: REPAYMENT },
    boundary: CREDIT_BOUNDARY,
    broadcast: broadcastBy(on.chain, wallet),
  }
}

/** Unsigned transactions of the credit pool with the reading that they were built on. */
export interface BuiltForCredit {
  on: CreditChain
  wallet: Hex
  block: BlockRef
  figures: CreditFigures
  built: BuiltTemplates
}

const transactionsHead = ({ on, wallet, block }: BuiltForCredit) => ({ ...headView(on), wallet, block: blockView(block) })

const PLEDGE_FIRST =
  'Send the pledge and wait until it is mined. Then ask again: the answer has only `originate`, with a fresh attestation, and the pledge counts once.'
const APPROVE_FIRST = 'Wait until the approval is mined, then estimate and send the second.'

const transactionsTail = ({ on, wallet, block, built }: BuiltForCredit, notes: readonly string[], order = APPROVE_FIRST) => ({
  templates: built.templates,
  ...expectedView(built, block),
  instructions: [
    `Sign and send each template from ${wallet}.`,
    ...(built.templates.length > 1 ? [order] : []),
    ...notes,
    'Compare the balances afterwards with `expected`.',
  ],
  broadcast: broadcastBy(on.chain, wallet),
  boundary: CREDIT_BOUNDARY,
})

const approvalView = ({ on, figures }: BuiltForCredit, amountRaw: bigint) => {
  const shown = (raw: bigint) => amount({ raw, decimals: on.chain.asset.decimals })
  const { required, reason, afterRaw } = planApproval({ amountRaw, allowanceRaw: figures.allowanceRaw })
  return { required, reason, allowanceBefore: shown(figures.allowanceRaw), allowanceAfter: shown(afterRaw) }
}

/** Body of `POST /credit/transactions` for a deposit. */
export const lenderDepositView = (answer: BuiltForCredit, quote: ShareQuote) => ({
  ...transactionsHead(answer),
  direction: 'deposit' as const,
  approval: approvalView(answer, quote.assetsRaw),
  preview: lenderDepositPreview(answer.figures.pool, quote, answer.on.chain.asset.decimals, answer.block.number),
  ...transactionsTail(answer, ['The number of shares follows the price when the deposit is mined; the contract takes no minimum.']),
})

/** Body of `POST /credit/transactions` for a withdrawal. */
export const lenderWithdrawalView = (answer: BuiltForCredit, quote: ShareQuote) => ({
  ...transactionsHead(answer),
  direction: 'withdraw' as const,
  preview: lenderWithdrawalPreview(answer.figures.pool, quote, answer.on.chain.asset.decimals, answer.block.number),
  ...transactionsTail(answer, [
    'The shares are fixed. A loan that is seized before execution lowers what they pay; the contract takes no minimum.',
  ]),
})

/** Body of `POST /credit/transactions` for a loan. */
export const borrowView = (answer: BuiltForCredit, quote: BorrowQuote, attestation: VestingAttestation, signed: SignedAttestation) => {
  const { decimals } = answer.on.chain.asset
  const attestationExpiresAt = iso(attestation.validUntil * 1000)
  return {
    ...transactionsHead(answer),
    direction: 'borrow' as const,
    preview: borrowPreview(quote, attestation.loanId, attestation.validUntil, decimals),
    eligibilityAttestation: {
      signer: signed.signer,
      vestedAssets: amount({ raw: attestation.vestedRaw, decimals }),
      validUntil: attestation.validUntil,
      nonce: attestation.nonce.toString(),
      digest: signed.digest,
      signature: signed.signature,
    },
    attestationExpiresAt,
    ...transactionsTail(
      answer,
      [
        `The attestation is valid until ${attestationExpiresAt}. After that, ask again.`,
        ...(quote.needsPledge ? [UNUSED_PLEDGE] : []),
        ...(quote.seizableAtOnce ? ['This pledge alone is worth less than 105 % of the loan: any caller could seize it at once.'] : []),
      ],
      PLEDGE_FIRST,
    ),
  }
}

/** Body of `POST /credit/transactions` for a repayment. */
export const repayView = (answer: BuiltForCredit, quote: RepayQuote, loanId: string) => ({
  ...transactionsHead(answer),
  direction: 'repay' as const,
  approval: approvalView(answer, quote.amountRaw),
  preview: repayPreview(quote, loanId, answer.on.chain.asset.decimals),
  ...transactionsTail(answer, quote.pledgeReleased ? ['This payment ends the loan and releases its pledge.'] : []),
})
