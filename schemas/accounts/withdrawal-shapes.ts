import { z } from 'zod'
import { AssetRefShape, BlockShape, templateMembers } from '../chain/templates.ts'
import {
  Address,
  AddressInput,
  Amount,
  AssetSymbolInput,
  Bytes32,
  ChainIdValue,
  DigitString,
  IdempotencyKeyInput,
  IsoTime,
  part,
  RequestAmount,
  shape,
} from '../operations/values.ts'
import { StandingShape } from '../reputation/shapes.ts'
import { GAS_GRANT_REASONS, GAS_GRANT_STATUSES, type GasGrantReason } from './record.ts'

/** Body of `POST /account/withdraw/transactions`. */
export const WithdrawTransactionsBody = z.strictObject({
  amount: RequestAmount,
  asset: AssetSymbolInput.optional(),
  destination: AddressInput.optional().describe('Receives the amount; the wallet by default. Mixed case needs a valid checksum (EIP-55).'),
  requestGasGrant: z.boolean().optional().describe('True to ask the operator for the gas of a first withdrawal.'),
  idempotencyKey: IdempotencyKeyInput.optional(),
})

/** Whether the wallet gets the gas of its first withdrawal. Source: money, "First-withdrawal gas grant". */
export const GasGrantShape = shape('GasGrant', 'Whether the operator sends the gas of the first withdrawal, and why.', {
  offer: z.string().describe('What the operator offers, in a sentence.'),
  eligible: z.boolean().describe('Whether a withdrawal that asks for the grant gets it, or this one has it already.'),
  status: z.enum(GAS_GRANT_STATUSES).optional().describe('Equals `priorGrant.status`.'),
  reason: z.enum(Object.keys(GAS_GRANT_REASONS) as [GasGrantReason, ...GasGrantReason[]]),
  amount: Amount.describe('The grant, in the native asset.'),
  minimumAccountLiquid: Amount.describe('Liquid balance that a grant needs.'),
  balance: Amount.nullable().describe('Liquid balance of the account; null where it was not read.'),
  daily: z
    .object({
      day: z.iso.date(),
      clock: z.literal('UTC'),
      resetAt: IsoTime,
      limit: z.int().min(0),
      reservedCount: z.int().min(0).describe('Grants reserved for the day, sent or not.'),
      remainingCount: z.int().min(0),
      source: z.string(),
    })
    .nullable()
    .describe('Grants of all wallets on the UTC day; null where they were not read.'),
  intentBound: z.literal(true).describe('A grant belongs to one withdrawal at one balance.'),
  standingFaucet: z.literal(false).describe('A wallet gets one grant in its lifetime.'),
  priorGrant: part('The grant of the wallet, sent or being sent.', {
    status: z.enum(GAS_GRANT_STATUSES),
    intentHash: Bytes32.describe('Hash of the withdrawal that the grant belongs to.'),
    txHash: Bytes32.nullable().describe('Null until the transfer is mined.'),
  }).optional(),
})

const NativeAssetShape = z
  .object({ symbol: z.string(), decimals: z.int() })
  .meta({ id: 'NativeAsset', description: 'Native asset of the chain, in which gas is paid.' })

/** Gas of the templates beside what the wallet has. */
const MeasuredGasShape = z.object({
  status: z.literal('measured'),
  source: z.string(),
  quoteBlockNumber: DigitString,
  asset: NativeAssetShape,
  gasUnits: DigitString.describe('Gas of all templates together.'),
  maxFeePerGas: Amount.describe('Fee of one unit of gas, in the native asset.'),
  estimatedFee: Amount.describe('Fee of all templates together, in the native asset.'),
  walletBalance: Amount.describe('Native balance of the wallet.'),
  sufficient: z.boolean().describe('Whether `walletBalance` pays `estimatedFee`.'),
  statement: z.string(),
  acquisition: z.string().describe('Where the wallet gets the native asset.'),
})

const WithdrawalGasShape = z.union([
  MeasuredGasShape,
  z.object({ status: z.literal('unavailable'), reason: z.enum(['fee_unreadable', 'gas_unknown']), asset: NativeAssetShape }),
])

/** Answer of `POST /account/withdraw/transactions`. Source: http, "POST /account/withdraw/transactions". */
export const WithdrawTransactionsShape = z.object({
  schemaVersion: z.literal(1),
  available: z.literal(true),
  wallet: Address,
  chainId: ChainIdValue,
  block: BlockShape,
  asset: AssetRefShape,
  account: z.object({
    chainLiquid: Amount.describe('Liquid balance before the withdrawal.'),
    debtOutstanding: Amount.describe('Debt of the account; loans of the credit pool are not in it.'),
    lockedDepositEncumbered: Amount.describe('Part of the liquid balance that locked deposits bind.'),
    available: Amount.describe('What can be withdrawn now: liquid balance less debt and what locked deposits bind.'),
    availableAfter: Amount.describe('The same after this withdrawal.'),
  }),
  withdrawal: z.object({
    amount: Amount,
    destination: Address,
    destinationIsContract: z.boolean().describe('True where tokens may be lost: a contract can lack a way to send them on.'),
    firstLandingAddress: Address.describe('Where the account contract pays: always the wallet.'),
  }),
  firstWithdrawalGasGrant: GasGrantShape,
  standing: StandingShape,
  gas: WithdrawalGasShape.describe('Gas of all templates, and whether the wallet can pay it.'),
  whatYourBalanceCanDo: z.array(z.string()),
  ...templateMembers,
})
