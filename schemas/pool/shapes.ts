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
import {
  Address,
  Amount,
  Bytes32,
  ChainIdValue,
  DigitString,
  IsoTime,
  OpenObject,
  part,
  RequestAmount,
  shape,
} from '../operations/values.ts'
import { VESTING_TRANCHES_MAX, VESTING_UNREAD_REASONS } from './record.ts'

/** Deposit that still vests. */
const TrancheShape = shape('VestingTranche', 'Deposit whose principal still vests.', {
  deposited: Amount,
  remaining: Amount.describe('Principal of the deposit that withdrawals left.'),
  vested: Amount.describe('Part of `remaining` that has vested.'),
  depositedAt: IsoTime,
  vestingStartedAt: IsoTime.nullable().describe('Null while an open loan delays it.'),
  debtDelayed: z.boolean().describe('Whether a loan delayed, or still delays, the start of vesting.'),
  blockNumber: DigitString,
  logIndex: z.int().min(0),
  txHash: Bytes32,
})

const vestingRule = {
  model: z.literal('linear_per_deposit_tranche'),
  durationHours: z.literal(48).describe('Time in which a deposit vests in full.'),
  withdrawalBurnOrder: z.literal('lifo').describe('A withdrawal takes from the newest deposit first.'),
}

/** Vesting of a wallet's deposits. Without a readable history nothing counts as vested. Source: money, "Vesting of pool deposits". */
export const VestingShape = z
  .union([
    z.object({
      ...vestingRule,
      available: z.literal(true),
      evaluatedAt: IsoTime,
      unvested: Amount.describe('Principal that has not vested yet, less what the pool lost.'),
      matured: Amount.describe('Principal of deposits that have vested in full and are not listed.'),
      tranches: z.array(TrancheShape).max(VESTING_TRANCHES_MAX).describe('Deposits that still vest, oldest first; of many, the newest.'),
      trancheCount: z.int().min(0).describe('Number of deposits that still vest, listed or not.'),
      next: z
        .object({ at: IsoTime, remaining: Amount, blockNumber: DigitString, logIndex: z.int().min(0) })
        .nullable()
        .describe('Deposit that vests in full next; null without one, or while a loan delays it.'),
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
export const SharePriceShape = shape('SharePrice', 'Value of one whole share, and the assets and shares that it is the quotient of.', {
  model: z.literal('principal-cost-basis'),
  assetsPerShare: Amount.describe('Value of one whole share.'),
  numeratorAssets: Amount.describe('What all shares are worth together.'),
  denominatorShares: Amount.describe('Number of all shares; zero before the first deposit.'),
})

const PoolWalletShape = z.object({
  address: Address,
  assetBalance: Amount.describe('Tokens of the wallet outside the pool.'),
  depositedAssets: Amount.describe('Value of the shares of the wallet.'),
  shares: Amount,
  availableShares: Amount.describe('Shares that are neither locked nor pledged.'),
  allowanceToPool: Amount.describe('Tokens that the pool may take from the wallet.'),
  perAgentHeadroom: Amount.describe('Assets that the wallet can still deposit below its cap, up to the rounding of one share.'),
  vestedAssets: Amount.describe('Vested principal, at most the value of the shares.'),
  vesting: VestingShape,
  openExposureRaise: Amount.describe('Raise of the open-exposure cap by vested deposits.'),
  openExposureCap: Amount.describe('Open-exposure cap with that raise.'),
  externalRewardCeiling: Amount.describe('Largest reward of an external job for this wallet.'),
})

export const PoolUnavailableShape = unavailableShape(['deposit_pool_not_configured', 'chain_backend_required', 'pool_read_failed']).meta({
  id: 'PoolUnavailable',
  description: 'Why there is no deposit pool, or why it cannot be read.',
})

/** Answer of `GET /pool`; every number is of one block. Source: http, "GET /pool". */
export const PoolShape = shape('Pool', 'The deposit pool at one block, with the wallet of the token if there is one.', {
  schemaVersion: z.literal(1),
  available: z.literal(true),
  pool: Address,
  asset: AssetRefShape,
  chainId: ChainIdValue,
  units: PoolUnitsShape,
  block: TimedBlockShape,
  totalAssets: Amount.describe('What all shares are worth together.'),
  totalShares: Amount,
  bufferAssets: Amount.describe('Tokens in the pool, which can be paid out at once.'),
  caps: z.object({
    totalAssetCap: Amount,
    perAgentAssetCap: Amount.describe('Cap on the assets of one wallet.'),
    poolHeadroom: Amount.describe('Assets that the pool can still take below its cap.'),
  }),
  sharePrice: SharePriceShape,
  yieldStatus: z.enum(['not_yet_earning', 'earning']),
  yieldStatusText: z.string(),
  disclosure: z.object({ statement: z.string() }).describe('Risk of a deposit.'),
  capitalSignal: part('What a vested deposit changes for its wallet.', {
    statement: z.string(),
    vesting: z.object(vestingRule),
    catalogueEffect: z.literal('none').describe('A deposit does not change which jobs of the catalogue the wallet may claim.'),
  }),
  withdrawal: z.object({
    status: z.literal('open'),
    note: z.string().describe('When shares are redeemed at once, and what follows otherwise.'),
  }),
  broadcast: OpenObject.describe('Who signs and sends the transactions of the pool.'),
  boundary: OpenObject.describe('What the service never does with funds and keys.'),
  wallet: PoolWalletShape.optional().describe('Only with a token.'),
})

/** Body of `POST /pool/transactions`: a deposit names an amount of the asset, a withdrawal either assets or shares. */
export const PoolTransactionsBody = directionBody(
  { deposit: [['amount']], withdraw: [['assets'], ['shares']] },
  {
    amount: RequestAmount.optional().describe('What is deposited, in base units.'),
    assets: RequestAmount.optional().describe('What a withdrawal is to pay, in base units.'),
    shares: RequestAmount.optional().describe('Shares that are withdrawn, in base units.'),
  },
)

/** Block of the price of a quote. */
export const quoteBlockNumber = DigitString.describe('Block of the price; a loss of the pool before execution can lower it.')

export const PoolDepositPreviewShape = z.object({
  assets: Amount,
  expectedShares: Amount.describe('Shares for the deposit at the price of the block.'),
  poolHeadroomBefore: Amount.describe('Assets that the pool could take before the deposit.'),
  poolHeadroomConsumed: Amount,
  perAgentHeadroomBefore: Amount.describe('Assets that the wallet could deposit before this deposit.'),
  perAgentHeadroomConsumed: Amount,
  sharePrice: SharePriceShape,
  quoteBlockNumber,
})

export const PoolWithdrawalPreviewShape = z.object({
  requested: z.union([z.object({ assets: Amount }), z.object({ shares: Amount })]).describe('What the request names.'),
  sharesToRedeem: Amount,
  expectedAssets: Amount.describe('Assets for these shares at the price of the block.'),
  availableSharesBefore: Amount.describe('Shares that were neither locked nor pledged before the withdrawal.'),
  bufferAssetsBefore: Amount.describe('Tokens in the pool before the withdrawal.'),
  sharePrice: SharePriceShape,
  quoteBlockNumber,
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
