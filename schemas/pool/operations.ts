import { z } from 'zod'
import { NO_DELEGATE, OPTIONAL, operation } from '../operations/operation.ts'
import { PoolShape, PoolTransactionsBody, PoolTransactionsShape, PoolUnavailableShape } from './shapes.ts'

const tags = ['Pool'] as const

export const getPool = operation('getPool', 'GET /pool', {
  summary: 'The deposit pool; with a token also the wallet’s shares and how its deposits vest.',
  description:
    'Every number is of one block. A chain without a pool and a pool that cannot be read answer `available: false` with the reason. Vesting that cannot be computed says so in `wallet.vesting`, and nothing counts as vested.',
  tags,
  auth: OPTIONAL,
  ownView: ['account:read'],
  action: 'read_deposit_pool',
  responses: { 200: z.union([PoolShape, PoolUnavailableShape]) },
  cache: 'public, max-age=30',
  hasPage: true,
  tool: { name: 'getDepositPoolInfo', directory: true, sets: ['savings'] },
})

export const buildPoolTransactions = operation('buildPoolTransactions', 'POST /pool/transactions', {
  summary: 'Unsigned deposit into the pool, or withdrawal from it, for the wallet itself.',
  description:
    'A transaction that the contract would refuse is 400 `invalid_request` with the name of its error in `reason` and the amounts that decide it in `details`.',
  tags,
  auth: NO_DELEGATE,
  action: 'build_unsigned_deposit_pool_transactions',
  capability: 'account:read',
  earning: true,
  body: PoolTransactionsBody,
  responses: { 200: z.union([PoolTransactionsShape, PoolUnavailableShape]) },
  errors: ['blockchain_unavailable'],
  tool: { name: 'buildDepositPoolTransactions', directory: true, sets: ['savings'], readOnly: true },
  examples: { body: { direction: 'deposit', amount: '1000000' } },
})
