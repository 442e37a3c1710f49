import { z } from 'zod'
import { NO_DELEGATE, operation, PUBLIC, SIGNED_IN } from '../operations/operation.ts'
import { listQuery } from '../operations/values.ts'
import { AccountStrategiesShape, RecallTransactionsBody, RecallTransactionsShape, StrategiesShape } from './shapes.ts'

const tags = ['Account'] as const

export const listStrategies = operation('listStrategies', 'GET /strategies', {
  summary: 'Registered strategies with what their contracts hold, at one block.',
  description:
    'A strategy is a contract that invests balances of accounts. It is not `active` once the policy withdrew its approval. Strategies that cannot be read answer `available: false` with the reason.',
  tags,
  auth: PUBLIC,
  responses: { 200: StrategiesShape },
  cache: 'public, max-age=30',
  tool: { name: 'listStrategies', directory: true, sets: ['savings'] },
})

export const getStrategyPositions = operation('getStrategyPositions', 'GET /account/strategies', {
  summary: 'Positions of the wallet in strategies, valued at one block.',
  tags,
  ...SIGNED_IN,
  capability: ['account:read', 'strategies:list'],
  query: z.object(listQuery(25, 100)),
  responses: { 200: AccountStrategiesShape },
  tool: { name: 'getStrategyPositions', directory: true, sets: ['savings'] },
  examples: { query: { limit: '25' } },
})

export const buildRecallTransactions = operation('buildRecallTransactions', 'POST /account/recall/transactions', {
  summary: 'Unsigned recall of lent balance: from a strategy back to the liquid balance of the account.',
  description:
    'Without `amount` everything comes back. Without `strategyId` it is the only strategy in which the wallet has something; of several the refusal names each. End a consent to idle-balance allocation first, or the operator lends the balance again.',
  tags,
  ...SIGNED_IN,
  auth: NO_DELEGATE,
  capability: 'account:read',
  body: RecallTransactionsBody,
  responses: { 200: RecallTransactionsShape },
  errors: ['blockchain_unavailable'],
  tool: { name: 'buildRecallTransactions', directory: true, sets: ['savings'], readOnly: true },
  examples: { body: {} },
})
