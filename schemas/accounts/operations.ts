import { z } from 'zod'
import { ApprovalShape, AssetRefShape, BlockShape, templateMembers } from '../chain/templates.ts'
import { NO_DELEGATE, operation, SIGNED_IN } from '../operations/operation.ts'
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
  part,
  RequestAmount,
  shape,
} from '../operations/values.ts'
import { PlaceShape } from '../strategies/shapes.ts'
import { WithdrawTransactionsBody, WithdrawTransactionsShape } from './withdrawal-shapes.ts'

const AssetMap = z.record(z.string(), Amount)
const assetQuery = z.object({ asset: AssetSymbolInput.optional() })

/** The balances that the account contract records. */
const balances = <Balance extends z.ZodType>(balance: Balance) => ({
  liquid: balance.describe('Balance that is not reserved, invested or locked.'),
  reserved: balance.describe('Set aside for the jobs that the wallet funds.'),
  strategyAllocated: balance.describe('Value of the strategy shares when they changed last.'),
  collateralLocked: balance.describe('Collateral for debt of the account.'),
  jobStakeLocked: balance.describe('Stakes, fees and bonds of open work.'),
  debtOutstanding: balance.describe('Debt of the account; loans of the credit pool are not in it.'),
})

/** Balance sheet of a wallet; each balance maps asset symbols to amounts. Source: specification, "Account balance sheet". */
const AccountShape = shape('Account', 'Balance sheet of a wallet; each balance maps asset symbols to amounts.', {
  wallet: Address,
  source: literal('chain'),
  asOf: IsoTime.describe('Time of the block of the balances.'),
  ...balances(AssetMap),
  lockedDepositEncumbered: AssetMap.describe('Part of `liquid` that locked deposits bind.'),
  withdrawable: AssetMap.describe('`liquid` less `debtOutstanding` and `lockedDepositEncumbered`, never below zero.'),
  walletBalance: AssetMap.optional().describe('Tokens of the wallet itself, outside the account.'),
  treasuryTimeline: z
    .array(z.object({ id: z.string(), at: IsoTime, type: z.string(), asset: z.string(), amount: Amount }))
    .max(50)
    .describe('Payments, locked stakes and released stakes of the work of the wallet, newest first.'),
})

const own = { tags: ['Account'], ...SIGNED_IN, capability: 'account:read', errors: ['blockchain_unavailable'] } as const

export const getAccount = operation('getAccount', 'GET /account', {
  summary: 'Balance sheet of the wallet, read from the chain.',
  ...own,
  responses: { 200: AccountShape },
  tool: { name: 'getAccountSummary', directory: true, sets: ['worker', 'savings'] },
})

export const getBorrowCapacity = operation('getBorrowCapacity', 'GET /account/borrow-capacity', {
  summary: 'Live borrow headroom.',
  ...own,
  query: assetQuery,
  responses: {
    200: z.object({
      wallet: Address,
      asset: z.string(),
      borrowCapacity: Amount.describe('What the account can still borrow on its collateral.'),
      source: z.string(),
      asOf: IsoTime.describe('Time of the block that was read.'),
    }),
  },
  tool: { name: 'getBorrowCapacity', directory: true, sets: ['savings'] },
  examples: { query: { asset: 'USDC' } },
})

const StatementRow = z.object({
  type: z.enum(['earnings_in', 'stake_locked', 'stake_released']),
  direction: z.string().describe('`in` or `out` of the liquid balance.'),
  amount: Amount.describe('For a stake, with the fee that moves together with it.'),
  sessionId: z.string().nullable(),
  jobId: z.string().nullable(),
  txHash: z.string().nullable(),
  blockNumber: DigitString.nullable().describe('Null where it was not recorded.'),
  occurredAt: IsoTime.nullable(),
  receipt: z.object({
    status: z.literal(1).describe('The transaction succeeded.'),
    protocolFee: Amount.describe('Fee that the protocol took beside the payment; zero for a stake.'),
  }),
})

const PositionShape = z.object({
  schemaVersion: z.literal(1),
  available: z.literal(true),
  framing: z.string().describe('Whose balance it is, in a sentence.'),
  ...balances(Amount),
  account: z.object({
    owner: Address,
    asset: AssetRefShape,
    available: Amount.describe('What can be withdrawn now: `liquid` less debt and what locked deposits bind.'),
    chainLiquid: Amount.describe('Equals `liquid`.'),
    lockedDepositEncumbered: Amount.describe('Part of `liquid` that locked deposits bind.'),
    stakedOnOpenWork: Amount.describe('Equals `jobStakeLocked`.'),
    statement: z.array(StatementRow).describe('Movements of money for the work of the wallet, newest first, at most 100.'),
  }),
  places: z.array(PlaceShape).describe('Where the money of the wallet is, in the settlement asset; the amounts add up to all of it.'),
  ownershipProof: part('Call that reads the balance from the contract, without the service.', {
    statement: z.string(),
    chainId: ChainIdValue,
    contract: literal('AgentAccountCore'),
    address: Address.describe('Address of the contract.'),
    method: literal('positions(address,address)'),
    args: z.object({ account: Address, asset: Address }),
    field: literal('liquid').describe('Member of the result that equals `liquid`.'),
    blockNumber: DigitString.describe('Block of all balances of the answer.'),
  }),
  withdrawal: OpenObject.describe('How the wallet withdraws, how it gets gas, and whether the operator grants it.'),
  whatYourBalanceCanDo: z.array(z.string()),
  boundary: OpenObject.describe('What the service never does with funds and keys.'),
})

export const getAccountPosition = operation('getAccountPosition', 'GET /account/position', {
  summary: 'The account contract’s own record of one asset, with its settlement statement and an ownership proof.',
  ...own,
  action: 'read_own_earnings_account',
  query: assetQuery,
  responses: {
    200: z.union([PositionShape, z.object({ schemaVersion: z.literal(1), available: z.literal(false), reason: z.string() })]),
  },
  tool: { name: 'getAccountPosition', directory: true, sets: ['worker', 'savings'] },
  examples: { query: { asset: 'USDC' } },
})

export const buildAccountDepositTransactions = operation('buildAccountDepositTransactions', 'POST /account/deposit/transactions', {
  summary: 'Unsigned approve and deposit transactions that credit the sender.',
  ...own,
  auth: NO_DELEGATE,
  action: 'build_unsigned_account_deposit',
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
        assetId: z.int().optional().describe('Id of the asset on a chain that numbers its assets.'),
        decimals: z.int(),
        x402Payable: z.literal(false).describe('Requests cannot be paid by x402.'),
      }),
      account: z.object({ chainLiquid: Amount.describe('Liquid balance before the deposit.') }),
      approval: ApprovalShape,
      ...templateMembers,
      positionRead: z
        .object({ method: literal('GET'), path: z.string(), fields: z.array(z.string()).describe('Members that grow by the amount.') })
        .describe('Request that shows the mined deposit.'),
    }),
  },
  tool: { name: 'buildAccountDepositTransactions', directory: true, sets: ['worker', 'savings'], readOnly: true },
  examples: { body: { amount: '1000000', asset: 'USDC' } },
})

export const buildAccountWithdrawTransactions = operation('buildAccountWithdrawTransactions', 'POST /account/withdraw/transactions', {
  summary: 'Unsigned withdrawal to the own wallet, and on to another address.',
  description:
    'The contract pays the wallet; another destination gets the amount by a second transaction. With `requestGasGrant` the operator may send the gas of a first withdrawal; `firstWithdrawalGasGrant.reason` gives its decision.',
  ...own,
  auth: NO_DELEGATE,
  action: 'build_unsigned_account_withdrawal',
  idempotent: 'account_withdraw_grant',
  body: WithdrawTransactionsBody,
  responses: { 200: WithdrawTransactionsShape },
  errors: [...own.errors, 'workflow_engine_unavailable'],
  tool: { name: 'buildWithdrawTransactions', directory: true, sets: ['worker', 'savings'] },
  examples: { body: { amount: '1000000', asset: 'USDC' } },
})

export const fundAccount = operation('fundAccount', 'POST /account/fund', {
  summary: 'Mint and deposit test funds; local chain and the backend signer only.',
  ...own,
  auth: NO_DELEGATE,
  capability: 'account:fund',
  idempotent: 'account_fund',
  needsOperator: true,
  body: z.strictObject({
    amount: RequestAmount,
    asset: AssetSymbolInput.optional(),
    idempotencyKey: IdempotencyKeyInput.optional(),
  }),
  responses: { 200: AccountShape },
  errors: [...own.errors, 'funding_route_restricted', 'asset_not_mintable', 'blockchain_revert'],
  examples: { body: { amount: '100000000', asset: 'USDC' } },
})
