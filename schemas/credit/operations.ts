import { z } from 'zod'
import { NO_DELEGATE, operation, WALLET } from '../operations/operation.ts'
import { CreditShape, CreditTransactionsBody, CreditTransactionsShape, CreditUnavailableShape } from './shapes.ts'

const own = { tags: ['Credit'], auth: WALLET, capability: 'account:read' } as const

export const getCredit = operation('getCredit', 'GET /credit', {
  summary: 'The credit pool, its terms, and what the wallet lends, has pledged and may borrow.',
  description:
    'Every number is of one block. A chain without a credit pool and one that cannot be read answer `available: false` with the reason. Where the vesting of the wallet cannot be computed, `vestingAvailable` is false and nothing counts as vested.',
  ...own,
  action: 'read_credit_pool',
  responses: { 200: z.union([CreditShape, CreditUnavailableShape]) },
  tool: { name: 'getCreditInfo', directory: true, sets: ['savings'] },
})

export const buildCreditTransactions = operation('buildCreditTransactions', 'POST /credit/transactions', {
  summary: 'Unsigned deposit of a lender, withdrawal, loan or repayment, for the wallet itself.',
  description:
    'A loan pledges shares of the deposit pool and needs the eligibility attestation of the answer, which is valid for five minutes. After the pledge is mined, ask again: the answer then has only `originate`, with a fresh attestation. A transaction that the contract would refuse is 400 `invalid_request` with the name of its error in `reason` and the amounts that decide it in `details`.',
  ...own,
  auth: NO_DELEGATE,
  action: 'build_unsigned_credit_pool_transactions',
  earning: true,
  body: CreditTransactionsBody,
  responses: { 200: z.union([CreditTransactionsShape, CreditUnavailableShape]) },
  errors: ['blockchain_unavailable', 'credit_disclosure_mismatch'],
  tool: { name: 'buildCreditTransactions', directory: true, sets: ['savings'], readOnly: true },
  examples: { body: { direction: 'deposit', amount: '1000000' } },
})
