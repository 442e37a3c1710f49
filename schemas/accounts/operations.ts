import { z } from 'zod'
import { ApprovalShape, AssetRefShape, BlockShape, templateMembers } from '../chain/templates.ts'
import { operation, SIGNED_IN, WALLET } from '../operations/operation.ts'
import {
  Address,
  Amount,
  AssetSymbolInput,
  ChainIdValue,
  DigitString,
  IdempotencyKeyInput,
  IsoTime,
  literal,
  OpenObject,
  RequestAmount,
} from '../operations/values.ts'
import { WithdrawTransactionsBody, WithdrawTransactionsShape } from './withdrawal-shapes.ts'

const tags = ['Account'] as const
const AssetMap = z.record(z.string(), Amount)
const assetQuery = z.object({ asset: AssetSymbolInput.optional() })

/** Balance sheet of a wallet; each balance maps asset symbols to amounts. Source: specification, "Account balance sheet". */
const AccountShape = z
  .object({
    wallet: Address,
    source: literal('chain'),
    asOf: IsoTime,
    liquid: AssetMap,
    reserved: AssetMap,
    strategyAllocated: AssetMap,
    collateralLocked: AssetMap,
    jobStakeLocked: AssetMap,
    debtOutstanding: AssetMap,
    lockedDepositEncumbered: AssetMap,
    withdrawable: AssetMap,
    walletBalance: AssetMap.optional(),
    treasuryTimeline: z.array(z.object({ id: z.string(), at: IsoTime, type: z.string(), asset: z.string(), amount: Amount })).max(50),
  })
  .meta({ id: 'Account', description: 'Balance sheet of a wallet; each balance maps asset symbols to amounts.' })

const chainErrors = ['blockchain_unavailable'] as const

export const getAccount = operation('getAccount', 'GET /account', {
  summary: 'Balance sheet of the wallet, read from the chain.',
  tags,
  ...SIGNED_IN,
  capability: 'account:read',
  responses: { 200: AccountShape },
  errors: chainErrors,
  tool: { name: 'getAccountSummary', directory: true, sets: ['worker', 'savings'] },
})

export const getBorrowCapacity = operation('getBorrowCapacity', 'GET /account/borrow-capacity', {
  summary: 'Live borrow headroom.',
  tags,
  ...SIGNED_IN,
  capability: 'account:read',
  query: assetQuery,
  responses: {
    200: z.object({ wallet: Address, asset: z.string(), borrowCapacity: Amount, source: z.string(), asOf: IsoTime }),
  },
  errors: chainErrors,
  tool: { name: 'getBorrowCapacity', directory: true, sets: ['savings'] },
  examples: { query: { asset: 'USDC' } },
})

const StatementRow = z.object({
  type: z.enum(['earnings_in', 'stake_locked', 'stake_released']),
  direction: z.string(),
  amount: Amount,
  sessionId: z.string().nullable(),
  jobId: z.string().nullable(),
  txHash: z.string().nullable(),
  blockNumber: DigitString.nullable(),
  occurredAt: IsoTime.nullable(),
  receipt: z.object({ status: z.literal(1), protocolFee: Amount }),
})

const PositionShape = z.object({
  schemaVersion: z.literal(1),
  available: z.literal(true),
  framing: z.string(),
  liquid: Amount,
  reserved: Amount,
  strategyAllocated: Amount,
  collateralLocked: Amount,
  jobStakeLocked: Amount,
  debtOutstanding: Amount,
  account: z.object({
    owner: Address,
    asset: AssetRefShape,
    available: Amount,
    chainLiquid: Amount,
    lockedDepositEncumbered: Amount,
    stakedOnOpenWork: Amount,
    statement: z.array(StatementRow),
  }),
  ownershipProof: z.object({
    statement: z.string(),
    chainId: ChainIdValue,
    contract: literal('AgentAccountCore'),
    address: Address,
    method: literal('positions(address,address)'),
    args: z.object({ account: Address, asset: Address }),
    field: literal('liquid'),
    blockNumber: DigitString,
  }),
  withdrawal: OpenObject,
  whatYourBalanceCanDo: z.array(z.string()),
  boundary: OpenObject,
})

export const getAccountPosition = operation('getAccountPosition', 'GET /account/position', {
  summary: 'The account contract’s own record of one asset, with its settlement statement and an ownership proof.',
  tags,
  auth: WALLET,
  action: 'read_own_earnings_account',
  capability: 'account:read',
  query: assetQuery,
  responses: {
    200: z.union([PositionShape, z.object({ schemaVersion: z.literal(1), available: z.literal(false), reason: z.string() })]),
  },
  errors: chainErrors,
  tool: { name: 'getAccountPosition', directory: true, sets: ['worker', 'savings'] },
  examples: { query: { asset: 'USDC' } },
})

export const buildAccountDepositTransactions = operation('buildAccountDepositTransactions', 'POST /account/deposit/transactions', {
  summary: 'Unsigned approve and deposit transactions that credit the sender.',
  tags,
  auth: WALLET,
  action: 'build_unsigned_account_deposit',
  capability: 'account:read',
  earning: true,
  body: z.strictObject({ amount: RequestAmount, asset: AssetSymbolInput.optional() }),
  responses: {
    200: z.object({
      schemaVersion: z.literal(1),
      available: z.literal(true),
      wallet: Address,
      chain: z.object({ chainId: ChainIdValue, caip2: z.string() }),
      block: BlockShape,
      asset: z.object({
        symbol: z.string(),
        name: z.string(),
        address: Address,
        assetId: z.int().optional(),
        decimals: z.int(),
        x402Payable: z.literal(false),
      }),
      account: z.object({ chainLiquid: Amount }),
      approval: ApprovalShape,
      ...templateMembers,
      positionRead: z.object({ method: literal('GET'), path: z.string(), fields: z.array(z.string()) }),
    }),
  },
  errors: chainErrors,
  tool: { name: 'buildAccountDepositTransactions', directory: true, sets: ['worker', 'savings'], readOnly: true },
  examples: { body: { amount: '1000000', asset: 'USDC' } },
})

export const buildAccountWithdrawTransactions = operation('buildAccountWithdrawTransactions', 'POST /account/withdraw/transactions', {
  summary: 'Unsigned withdrawal to the own wallet, and on to another address.',
  description:
    'The contract pays the wallet; another destination gets the amount by a second transaction. With `requestGasGrant` the operator may send the gas of a first withdrawal; `firstWithdrawalGasGrant.reason` gives its decision.',
  tags,
  auth: WALLET,
  action: 'build_unsigned_account_withdrawal',
  capability: 'account:read',
  idempotent: 'account_withdraw_grant',
  body: WithdrawTransactionsBody,
  responses: { 200: WithdrawTransactionsShape },
  errors: [...chainErrors, 'workflow_engine_unavailable'],
  tool: { name: 'buildWithdrawTransactions', directory: true, sets: ['worker', 'savings'] },
  examples: { body: { amount: '1000000', asset: 'USDC' } },
})

export const fundAccount = operation('fundAccount', 'POST /account/fund', {
  summary: 'Mint and deposit test funds; local chain and the backend signer only.',
  tags,
  ...SIGNED_IN,
  capability: 'account:fund',
  idempotent: 'account_fund',
  needsOperator: true,
  body: z.strictObject({
    amount: RequestAmount,
    asset: AssetSymbolInput.optional(),
    idempotencyKey: IdempotencyKeyInput.optional(),
  }),
  responses: { 200: AccountShape },
  errors: [...chainErrors, 'funding_route_restricted', 'asset_not_mintable', 'blockchain_revert'],
  examples: { body: { amount: '100000000', asset: 'USDC' } },
})
