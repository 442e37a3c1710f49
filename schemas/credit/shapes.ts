import { z } from 'zod'
import { ApprovalShape, AssetRefShape, BlockShape, PoolUnitsShape, templateMembers, unavailableShape } from '../chain/templates.ts'
import { directionBody } from '../operations/direction-forms.ts'
import { Address, Amount, Bytes32, ChainIdValue, DigitString, IsoTime, OpenObject, RequestAmount } from '../operations/values.ts'
import { SharePriceShape } from '../pool/shapes.ts'
import type { CreditDirection } from './record.ts'

export const CreditUnavailableShape = unavailableShape([
  'credit_pool_not_configured',
  'chain_backend_required',
  'credit_pool_read_failed',
]).meta({ id: 'CreditUnavailable', description: 'Why there is no credit pool, or why it cannot be read.' })

const CreditWalletShape = z.object({
  address: Address,
  assetBalance: Amount,
  allowanceToCreditPool: Amount,
  lenderAssets: Amount,
  lenderShares: Amount,
  availableLenderShares: Amount,
  depositPoolShares: Amount,
  availableDepositPoolShares: Amount,
  pledgedShares: Amount,
  pledgedAssetValue: Amount,
  vestedAssets: Amount,
  vestingAvailable: z.boolean(),
  grossWalletLimit: Amount,
  loanable: Amount,
  outstanding: Amount,
})

const bpsValue = z.int().min(0).max(10_000)

/** Answer of `GET /credit`; every number is of one block. Source: http, "GET /credit". */
export const CreditShape = z
  .object({
    schemaVersion: z.literal(1),
    available: z.literal(true),
    creditPool: Address,
    depositPool: Address,
    asset: AssetRefShape,
    chainId: ChainIdValue,
    block: BlockShape,
    units: PoolUnitsShape,
    supply: z.object({
      totalAssets: Amount,
      totalShares: Amount,
      buffer: Amount,
      principalOutstanding: Amount,
      cap: Amount,
      headroom: Amount,
      perLenderCap: Amount,
    }),
    schedule: z
      .object({
        ltvBps: bpsValue,
        maxLtvBps: bpsValue,
        interestBps: bpsValue,
        maxInterestBps: bpsValue,
        platformFeeBps: bpsValue,
        impairmentTrigger: z.object({ numerator: z.int(), denominator: z.int() }),
      })
      .describe('Terms of new loans.'),
    lifecycle: z.object({ totalPledgedShares: Amount, defaults: z.int().min(0) }).describe('Loans of all wallets.'),
    wallet: CreditWalletShape,
    disclosure: z.object({ statement: z.string() }).describe('Risk of a loan, as the contract states it.'),
    repayment: z.object({ statement: z.string() }),
    boundary: OpenObject,
    broadcast: OpenObject,
  })
  .meta({ id: 'Credit', description: 'The credit pool and the wallet of the token at one block.' })

const FORMS = {
  deposit: [['assets']],
  withdraw: [['shares']],
  borrow: [['pledgeShares', 'amount']],
  repay: [['loanId', 'amount']],
} as const satisfies Record<CreditDirection, readonly (readonly string[])[]>

/** Body of `POST /credit/transactions`: the members of its direction, amounts and shares in base units. */
export const CreditTransactionsBody = directionBody(FORMS, {
  assets: RequestAmount.optional(),
  shares: RequestAmount.optional(),
  pledgeShares: RequestAmount.optional(),
  amount: RequestAmount.optional(),
  loanId: Bytes32.optional(),
})

export const LenderDepositPreviewShape = z.object({
  assets: Amount,
  expectedShares: Amount,
  sharePrice: SharePriceShape,
  quoteBlockNumber: DigitString,
})

export const LenderWithdrawalPreviewShape = z.object({
  sharesToRedeem: Amount,
  expectedAssets: Amount,
  sharePrice: SharePriceShape,
  quoteBlockNumber: DigitString,
})

export const BorrowPreviewShape = z.object({
  loanId: Bytes32,
  pledgeShares: Amount,
  pledgedAssetValue: Amount,
  aggregatePledgedAssetValue: Amount,
  vestedAssets: Amount,
  existingDebt: Amount,
  grossWalletLimit: Amount,
  maximumLoan: Amount,
  requestedAmount: Amount,
  interestBps: bpsValue,
  repaymentAmount: Amount,
  impairmentThreshold: Amount,
  seizableAtOnce: z.boolean(),
  attestationExpiresAt: IsoTime,
})

export const RepayPreviewShape = z.object({
  loanId: Bytes32,
  outstandingBefore: Amount,
  outstandingAfter: Amount,
  pledgeReleased: z.boolean(),
})

/** Signed statement of vested principal: the arguments of `originate` that the wallet cannot know. */
const EligibilityAttestationShape = z
  .object({
    signer: Address,
    vestedAssets: Amount,
    validUntil: z.int(),
    nonce: DigitString,
    digest: Bytes32,
    signature: z.string().regex(/^0x[0-9a-f]{130}$/),
  })
  .meta({ id: 'EligibilityAttestation', description: 'Signed statement of vested principal, for one loan.' })

const head = {
  schemaVersion: z.literal(1),
  available: z.literal(true),
  wallet: Address,
  creditPool: Address,
  asset: AssetRefShape,
  chainId: ChainIdValue,
  block: BlockShape,
}

/** Answer of `POST /credit/transactions`. A loan needs no approval: it pledges shares. Source: http, "POST /credit/transactions". */
export const CreditTransactionsShape = z.union([
  z.object({ ...head, direction: z.literal('deposit'), approval: ApprovalShape, preview: LenderDepositPreviewShape, ...templateMembers }),
  z.object({ ...head, direction: z.literal('withdraw'), preview: LenderWithdrawalPreviewShape, ...templateMembers }),
  z.object({
    ...head,
    direction: z.literal('borrow'),
    preview: BorrowPreviewShape,
    eligibilityAttestation: EligibilityAttestationShape,
    attestationExpiresAt: IsoTime,
    ...templateMembers,
  }),
  z.object({ ...head, direction: z.literal('repay'), approval: ApprovalShape, preview: RepayPreviewShape, ...templateMembers }),
])
