import { z } from 'zod'
import { ApprovalShape, AssetRefShape, BlockShape, PoolUnitsShape, templateMembers, unavailableShape } from '../chain/templates.ts'
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
import { quoteBlockNumber, SharePriceShape } from '../pool/shapes.ts'
import type { CreditDirection } from './record.ts'

export const CreditUnavailableShape = unavailableShape([
  'credit_pool_not_configured',
  'chain_backend_required',
  'credit_pool_read_failed',
]).meta({ id: 'CreditUnavailable', description: 'Why there is no credit pool, or why it cannot be read.' })

const GROSS_LIMIT = 'What all loans of the wallet may be together: `ltvBps` of its pledges or of its vested principal, whichever is less.'

const CreditWalletShape = z.object({
  address: Address,
  assetBalance: Amount.describe('Tokens of the wallet outside both pools.'),
  allowanceToCreditPool: Amount.describe('Tokens that the credit pool may take from the wallet.'),
  lenderAssets: Amount.describe('Value of the lender shares of the wallet.'),
  lenderShares: Amount,
  availableLenderShares: Amount.describe('Lender shares that no notice locks.'),
  depositPoolShares: Amount,
  availableDepositPoolShares: Amount.describe('Deposit-pool shares that are neither locked nor pledged.'),
  pledgedShares: Amount.describe('Deposit-pool shares that secure loans of the wallet.'),
  pledgedAssetValue: Amount,
  vestedAssets: Amount.describe('Vested principal in the deposit pool; zero where the vesting could not be computed.'),
  vestingAvailable: z.boolean().describe('Whether the vesting could be computed.'),
  grossWalletLimit: Amount.describe(GROSS_LIMIT),
  loanable: Amount.describe('What the wallet can borrow now: its limit less its debt, at most the tokens in the credit pool.'),
  outstanding: Amount.describe('Principal and interest that the wallet owes.'),
})

const bpsValue = z.int().min(0).max(10_000)

/** Answer of `GET /credit`; every number is of one block. Source: http, "GET /credit". */
export const CreditShape = shape('Credit', 'The credit pool and the wallet of the token at one block.', {
  schemaVersion: z.literal(1),
  available: z.literal(true),
  creditPool: Address,
  depositPool: Address,
  asset: AssetRefShape,
  chainId: ChainIdValue,
  block: BlockShape,
  units: PoolUnitsShape,
  supply: part('What lenders gave, and what of it is lent.', {
    totalAssets: Amount.describe('What all lender shares are worth together.'),
    totalShares: Amount,
    buffer: Amount.describe('Tokens in the credit pool, which can be lent or paid out at once.'),
    principalOutstanding: Amount.describe('Principal of the active loans.'),
    cap: Amount.describe('Cap on all assets of the credit pool.'),
    headroom: Amount.describe('Assets that lenders can still deposit below the cap.'),
    perLenderCap: Amount,
  }),
  schedule: part('Terms of new loans.', {
    ltvBps: bpsValue.describe('Share of the collateral that can be lent, in basis points.'),
    maxLtvBps: bpsValue.describe('Highest `ltvBps` that the contract allows.'),
    interestBps: bpsValue.describe('Interest of a new loan in basis points of its amount, whatever its duration; fixed when it begins.'),
    maxInterestBps: bpsValue.describe('Highest `interestBps` that the contract allows.'),
    platformFeeBps: bpsValue,
    impairmentTrigger: z
      .object({ numerator: z.int(), denominator: z.int() })
      .describe('Any caller can seize a pledge that is worth less than this multiple of what is owed on its loan.'),
  }),
  lifecycle: part('Loans of all wallets.', {
    totalPledgedShares: Amount.describe('Deposit-pool shares that secure active loans.'),
    defaults: z.int().min(0).describe('Number of loans whose pledge was seized.'),
  }),
  wallet: CreditWalletShape,
  loans: z
    .array(
      shape('OwnLoan', 'Active loan of the wallet.', {
        loanId: Bytes32,
        outstanding: Amount.describe('Principal and interest that are owed now.'),
        principal: Amount,
        interest: Amount,
        pledgedShares: Amount.describe('Deposit-pool shares that the last payment frees.'),
        pledgedAssetValue: Amount,
      }),
    )
    .describe('Active loans of the wallet, newest first.'),
  disclosure: z.object({ statement: z.string() }).describe('Risk of a loan, as the contract states it.'),
  repayment: z.object({ statement: z.string() }),
  boundary: OpenObject.describe('What the service never does with funds and keys.'),
  broadcast: OpenObject.describe('Who signs and sends the transactions of the credit pool.'),
})

const FORMS = {
  deposit: [['amount']],
  withdraw: [['shares']],
  borrow: [['pledgeShares', 'amount']],
  repay: [['loanId', 'amount'], ['amount']],
} as const satisfies Record<CreditDirection, readonly (readonly string[])[]>

/** Body of `POST /credit/transactions`: the members of its direction, amounts and shares in base units. */
export const CreditTransactionsBody = directionBody(FORMS, {
  shares: RequestAmount.optional().describe('Lender shares that are withdrawn, in base units.'),
  pledgeShares: RequestAmount.optional().describe('Deposit-pool shares that secure the loan, in base units.'),
  amount: RequestAmount.optional().describe('What a lender deposits, or what is borrowed or repaid, in base units.'),
  loanId: Bytes32.optional().describe('Loan that is repaid; by default the only one of the wallet.'),
})

export const LenderDepositPreviewShape = z.object({
  assets: Amount,
  expectedShares: Amount.describe('Lender shares for the deposit at the price of the block.'),
  sharePrice: SharePriceShape,
  quoteBlockNumber,
})

export const LenderWithdrawalPreviewShape = z.object({
  sharesToRedeem: Amount,
  expectedAssets: Amount.describe('Assets for these shares at the price of the block.'),
  sharePrice: SharePriceShape,
  quoteBlockNumber,
})

const attestationExpiresAt = IsoTime.describe('Instant after which the loan needs a fresh attestation.')

export const BorrowPreviewShape = z.object({
  loanId: Bytes32,
  pledgeShares: Amount.describe('Deposit-pool shares that secure this loan.'),
  pledgedAssetValue: Amount.describe('Value of the pledge of this loan.'),
  aggregatePledgedAssetValue: Amount.describe('Value of all pledges of the wallet, with this one.'),
  vestedAssets: Amount.describe('Vested principal in the deposit pool.'),
  existingDebt: Amount.describe('Principal and interest that the wallet owes before this loan.'),
  grossWalletLimit: Amount.describe(GROSS_LIMIT),
  maximumLoan: Amount.describe('Largest loan of the wallet now, with this pledge.'),
  requestedAmount: Amount,
  interestBps: bpsValue.describe('Interest in basis points of the amount, whatever the duration.'),
  repaymentAmount: Amount.describe('Amount with interest.'),
  impairmentThreshold: Amount.describe('Value below which any caller can seize the pledge of this loan.'),
  seizableAtOnce: z.boolean().describe('Whether the pledge of this loan alone is below that value from the start.'),
  attestationExpiresAt,
})

export const RepayPreviewShape = z.object({
  loanId: Bytes32,
  outstandingBefore: Amount.describe('Principal and interest that are owed on the loan before the repayment.'),
  outstandingAfter: Amount,
  pledgeReleased: z.boolean().describe('Whether the repayment frees the pledged shares.'),
})

/** Signed statement of vested principal: the arguments of `originate` that the wallet cannot know. */
const EligibilityAttestationShape = shape('EligibilityAttestation', 'Signed statement of vested principal, for one loan.', {
  signer: Address,
  vestedAssets: Amount,
  validUntil: z.int().describe('Last second of the attestation, in seconds since 1970.'),
  nonce: DigitString,
  digest: Bytes32.describe('What the signer signed: the hash of the statement, wrapped as a personal message (EIP-191).'),
  signature: z.string().regex(/^0x[0-9a-f]{130}$/),
})

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
    attestationExpiresAt,
    ...templateMembers,
  }),
  z.object({ ...head, direction: z.literal('repay'), approval: ApprovalShape, preview: RepayPreviewShape, ...templateMembers }),
])
