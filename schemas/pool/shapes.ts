import { z } from 'zod'
import {
  ApprovalShape,
  AssetRefShape,
  BlockShape,
  PoolUnitsShape,
  TimedBlockShape,
  templateMembers,
  unavailableShape,
} from '../chain/templates.ts'
import { directionBody } from '../operations/direction-forms.ts'
import { Address, Amount, Bytes32, ChainIdValue, DigitString, IsoTime, OpenObject, RequestAmount } from '../operations/values.ts'
import { VESTING_TRANCHES_MAX, VESTING_UNREAD_REASONS } from './record.ts'

/** Deposit that still vests. */
const TrancheShape = z
  .object({
    deposited: Amount,
    remaining: Amount,
    vested: Amount,
    depositedAt: IsoTime,
    vestingStartedAt: IsoTime.nullable(),
    debtDelayed: z.boolean(),
    blockNumber: DigitString,
    logIndex: z.int().min(0),
    txHash: Bytes32,
  })
  .meta({ id: 'VestingTranche', description: 'Deposit whose principal still vests.' })

const vestingRule = {
  model: z.literal('linear_per_deposit_tranche'),
  durationHours: z.literal(48),
  withdrawalBurnOrder: z.literal('lifo'),
}

/** Vesting of a wallet's deposits. Without a readable history nothing counts as vested. Source: money, "Vesting of pool deposits". */
export const VestingShape = z
  .union([
    z.object({
      ...vestingRule,
      available: z.literal(true),
      evaluatedAt: IsoTime,
      unvested: Amount,
      matured: Amount,
      tranches: z.array(TrancheShape).max(VESTING_TRANCHES_MAX),
      trancheCount: z.int().min(0),
      next: z.object({ at: IsoTime, remaining: Amount, blockNumber: DigitString, logIndex: z.int().min(0) }).nullable(),
    }),
    z.object({
      ...vestingRule,
      available: z.literal(false),
      reason: z.enum(VESTING_UNREAD_REASONS),
      evaluatedAt: IsoTime,
      tranches: z.array(TrancheShape).max(0),
    }),
  ])
  .meta({ id: 'Vesting', description: 'Vesting of the deposits of a wallet.' })

/** Price of a share by what the pool paid, never by what a venue reports. */
export const SharePriceShape = z
  .object({
    model: z.literal('principal-cost-basis'),
    assetsPerShare: Amount,
    numeratorAssets: Amount,
    denominatorShares: Amount,
  })
  .meta({ id: 'SharePrice', description: 'Value of one whole share, and the assets and shares that it is the quotient of.' })

const PoolWalletShape = z.object({
  address: Address,
  assetBalance: Amount,
  depositedAssets: Amount,
  shares: Amount,
  availableShares: Amount,
  allowanceToPool: Amount,
  perAgentHeadroom: Amount,
  vestedAssets: Amount,
  vesting: VestingShape,
  openExposureRaise: Amount,
  openExposureCap: Amount,
  externalRewardCeiling: Amount,
})

export const PoolUnavailableShape = unavailableShape(['deposit_pool_not_configured', 'chain_backend_required', 'pool_read_failed']).meta({
  id: 'PoolUnavailable',
  description: 'Why there is no deposit pool, or why it cannot be read.',
})

/** Answer of `GET /pool`; every number is of one block. Source: http, "GET /pool". */
export const PoolShape = z
  .object({
    schemaVersion: z.literal(1),
    available: z.literal(true),
    pool: Address,
    asset: AssetRefShape,
    chainId: ChainIdValue,
    units: PoolUnitsShape,
    block: TimedBlockShape,
    totalAssets: Amount,
    totalShares: Amount,
    bufferAssets: Amount,
    caps: z.object({ totalAssetCap: Amount, perAgentAssetCap: Amount, poolHeadroom: Amount }),
    sharePrice: SharePriceShape,
    yieldStatus: z.enum(['not_yet_earning', 'earning']),
    yieldStatusText: z.string(),
    disclosure: z.object({ statement: z.string() }).describe('Risk of a deposit.'),
    capitalSignal: z.object({ statement: z.string(), vesting: z.object(vestingRule), catalogueEffect: z.literal('none') }),
    withdrawal: z.object({ status: z.literal('open'), note: z.string() }),
    broadcast: OpenObject,
    boundary: OpenObject,
    wallet: PoolWalletShape.optional(),
  })
  .meta({ id: 'Pool', description: 'The deposit pool at one block, with the wallet of the token if there is one.' })

/** Body of `POST /pool/transactions`: a deposit names assets, a withdrawal either assets or shares. */
export const PoolTransactionsBody = directionBody(
  { deposit: [['assets']], withdraw: [['assets'], ['shares']] },
  { assets: RequestAmount.optional(), shares: RequestAmount.optional() },
)

export const PoolDepositPreviewShape = z.object({
  assets: Amount,
  expectedShares: Amount,
  poolHeadroomBefore: Amount,
  poolHeadroomConsumed: Amount,
  perAgentHeadroomBefore: Amount,
  perAgentHeadroomConsumed: Amount,
  sharePrice: SharePriceShape,
  quoteBlockNumber: DigitString,
})

export const PoolWithdrawalPreviewShape = z.object({
  requested: z.union([z.object({ assets: Amount }), z.object({ shares: Amount })]),
  sharesToRedeem: Amount,
  expectedAssets: Amount,
  availableSharesBefore: Amount,
  bufferAssetsBefore: Amount,
  sharePrice: SharePriceShape,
  quoteBlockNumber: DigitString,
})

const head = {
  schemaVersion: z.literal(1),
  available: z.literal(true),
  wallet: Address,
  pool: Address,
  asset: AssetRefShape,
  chainId: ChainIdValue,
  block: BlockShape,
  approval: ApprovalShape,
}

/** Answer of `POST /pool/transactions`. Source: http, "POST /pool/transactions". */
export const PoolTransactionsShape = z.union([
  z.object({ ...head, direction: z.literal('deposit'), preview: PoolDepositPreviewShape, ...templateMembers }),
  z.object({ ...head, direction: z.literal('withdraw'), preview: PoolWithdrawalPreviewShape, ...templateMembers }),
])
