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
  RequestAmount,
} from '../operations/values.ts'
import { StandingShape } from '../reputation/shapes.ts'
import { GAS_GRANT_REASONS, GAS_GRANT_STATUSES, type GasGrantReason } from './record.ts'

/** Body of `POST /account/withdraw/transactions`. */
export const WithdrawTransactionsBody = z.strictObject({
  amount: RequestAmount,
  asset: AssetSymbolInput.optional(),
  destination: AddressInput.optional(),
  requestGasGrant: z.boolean().optional(),
  idempotencyKey: IdempotencyKeyInput.optional(),
})

/** Whether the wallet gets the gas of its first withdrawal. Source: money, "First-withdrawal gas grant". */
export const GasGrantShape = z
  .object({
    offer: z.string(),
    eligible: z.boolean(),
    status: z.enum(GAS_GRANT_STATUSES).optional(),
    reason: z.enum(Object.keys(GAS_GRANT_REASONS) as [GasGrantReason, ...GasGrantReason[]]),
    amount: Amount,
    minimumAccountLiquid: Amount,
    balance: Amount.nullable(),
    daily: z
      .object({
        day: z.iso.date(),
        clock: z.literal('UTC'),
        resetAt: IsoTime,
        limit: z.int().min(0),
        reservedCount: z.int().min(0),
        remainingCount: z.int().min(0),
        source: z.string(),
      })
      .nullable(),
    intentBound: z.literal(true),
    standingFaucet: z.literal(false),
    priorGrant: z.object({ status: z.enum(GAS_GRANT_STATUSES), intentHash: Bytes32, txHash: Bytes32.nullable() }).optional(),
  })
  .meta({ id: 'GasGrant', description: 'Whether the operator sends the gas of the first withdrawal, and why.' })

const NativeAssetShape = z
  .object({ symbol: z.string(), decimals: z.int() })
  .meta({ id: 'NativeAsset', description: 'Native asset of the chain, in which gas is paid.' })

/** Gas of the templates beside what the wallet has. */
const MeasuredGasShape = z.object({
  status: z.literal('measured'),
  source: z.string(),
  quoteBlockNumber: DigitString,
  asset: NativeAssetShape,
  gasUnits: DigitString,
  maxFeePerGas: Amount,
  estimatedFee: Amount,
  walletBalance: Amount,
  sufficient: z.boolean(),
  statement: z.string(),
  acquisition: z.string(),
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
    chainLiquid: Amount,
    debtOutstanding: Amount,
    lockedDepositEncumbered: Amount,
    available: Amount,
    availableAfter: Amount,
  }),
  withdrawal: z.object({ amount: Amount, destination: Address, destinationIsContract: z.boolean(), firstLandingAddress: Address }),
  firstWithdrawalGasGrant: GasGrantShape,
  standing: StandingShape,
  gas: WithdrawalGasShape,
  whatYourBalanceCanDo: z.array(z.string()),
  ...templateMembers,
})
