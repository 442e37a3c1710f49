import type { Hex } from 'viem'
import type { BlockRef } from '../../activities/chain/node/answers.ts'
import { BOUNDARY, broadcastBy } from '../../activities/chain/templates.ts'
import { assetView, blockView } from '../../activities/chain/unsigned-transactions.ts'
import type { CreditChain } from '../../activities/credit/reads.ts'
import { lenderShareAsset } from '../../activities/credit/templates.ts'
import { type OwnLoan, ownLoanView } from '../../domain/credit/loans.ts'
import { type CreditFacts, creditFiguresView } from '../../domain/credit/view.ts'
import { unitsView } from '../pool/views.ts'

const REPAYMENT =
  'Any wallet can repay a loan, in parts or in full; interest is paid first, and the last payment releases the pledge. A loan has no term. Any caller can seize a pledge that is worth less than 105 % of its loan, and nothing of it returns to the borrower.'

export const CREDIT_BOUNDARY = { custody: 'credit_pool_contract', platformBrokersFunds: false, ...BOUNDARY } as const

/** What every answer about the credit pool begins with. */
export const headView = ({ chain, credit }: CreditChain) => ({
  schemaVersion: 1 as const,
  available: true as const,
  creditPool: credit.address.toLowerCase(),
  chainId: chain.chainId,
  asset: assetView(chain.asset),
})

/** Body of `GET /credit`. */
export const creditView = (
  on: CreditChain,
  { wallet, block, riskDisclosure }: { wallet: Hex; block: BlockRef; riskDisclosure: string },
  facts: CreditFacts,
  loans: readonly OwnLoan[],
) => ({
  ...headView(on),
  depositPool: on.pool.address.toLowerCase(),
  block: blockView(block),
  units: unitsView(on.chain.asset, lenderShareAsset(on)),
  ...creditFiguresView(facts, wallet, on.chain.asset.decimals),
  loans: loans.map((loan) => ownLoanView(loan, facts.depositPool, on.chain.asset.decimals)),
  disclosure: { statement: riskDisclosure },
  repayment: { statement: REPAYMENT },
  boundary: CREDIT_BOUNDARY,
  broadcast: broadcastBy(on.chain, wallet),
})
