import { z } from 'zod'
import { JOB_ROLES } from '../catalogue/job-terms.ts'
import { TIERS } from '../common/tiers.ts'
import {
  Address,
  AssetAmount,
  Bytes32,
  DigitString,
  IsoTime,
  literal,
  NextActionShape,
  nativeAccount,
  OpenObject,
  part,
  RawAmount,
  shape,
} from '../operations/values.ts'
import { FundingReceiptShape } from '../receipts/funding.ts'
import { SESSION_STATUSES } from '../sessions/record.ts'
import { RehearsalShape } from './rehearsal-shapes.ts'
import { COMPARED_FIELDS, POSTING_STATUSES } from './terms.ts'

/** How a poster takes the money back. One shape for drafts, rows and the onboarding document. Source: money, "Cancellation, delisting". */
const onChainCall = {
  address: Address.describe('Escrow contract.'),
  abiFragment: literal('cancelOpenJob(bytes32)'),
  args: z.array(z.string()),
  value: literal('0'),
}

export const CancellationShape = shape('PostingCancellation', 'How the poster takes the money of a job back, without the service.', {
  selfServeCancel: z.literal(true),
  method: literal('cancelOpenJob'),
  onChain: z.object(onChainCall).describe('Call that the wallet of the poster sends.'),
  scope: z.string(),
  minimumOpenSeconds: z.int().describe('Time that the job is open before it can be cancelled.'),
  earliestAt: IsoTime.nullable().describe('Instant from which it can be cancelled; null before the funding.'),
  refund: z
    .object({
      total: AssetAmount,
      reward: AssetAmount.optional(),
      posterFee: AssetAmount.optional(),
      opsReserve: AssetAmount.optional(),
      contingencyReserve: AssetAmount.optional(),
    })
    .describe('What the poster gets back; the parts are left out where the funding differs from the draft.'),
  race: z.string().describe('What a claim that comes first changes.'),
  fallback: z.string(),
})

/** What a funding costs. Digits of base units, as the escrow takes them. */
const FundingRequirementShape = shape('FundingRequirement', 'What the funding of a job takes from its poster, base units as digits.', {
  asset: z.string(),
  assetAddress: Address,
  decimals: z.int().min(0).max(30),
  rewardRaw: RawAmount,
  workerReceivesRaw: RawAmount.describe('What an approved worker is paid.'),
  opsReserveRaw: RawAmount.describe('Returns to the poster.'),
  contingencyReserveRaw: RawAmount.describe('Returns to the poster.'),
  protocolFeeRaw: RawAmount.describe('Fee of the poster on top of the reward.'),
  protocolFeeBps: z.int(),
  posterFeeBps: z.int(),
  posterFeeFloorRaw: RawAmount.describe('Smallest fee.'),
  posterReservedRaw: RawAmount.describe('Reward, reserves and fee together.'),
  feeSemantics: literal('poster_additive'),
  source: literal('escrow_contract'),
  blockNumber: DigitString.describe('Block of the fee.'),
  expiresWithQuote: z.literal(true),
})

const ClaimRequirementShape = shape('ClaimRequirement', 'What a wallet needs to claim the job, and how many wallets have it today.', {
  tier: z.enum(TIERS),
  role: z.enum(JOB_ROLES),
  skill: z.int().describe('Score that tier and role need.'),
  walletsWithSkill: z.int().min(0).describe('Wallets in the records of the service that have the score today.'),
  bond: z.union([
    z.object({ available: z.literal(true), stake: AssetAmount, fee: AssetAmount, total: AssetAmount }),
    z.object({ available: z.literal(false), reason: literal('live_chain_read_failed') }),
  ]),
  exposure: part('Ceiling of the reward by the capital of the claimer.', {
    applies: z.boolean().describe('False for a job that names its claimant.'),
    baseCeiling: AssetAmount.describe('Largest reward for a wallet without a vested deposit.'),
    vestedPrincipalNeeded: AssetAmount.describe('Vested principal in the deposit pool that the reward needs; zero where it needs none.'),
  }),
})

const CreationCallShape = z.object({
  to: Address,
  function: z.string(),
  args: z.array(z.string()).describe('Nine, in the order of the contract.'),
  value: literal('0'),
  valueSemantics: z.string(),
})

const MismatchShape = shape('PostingMismatch', 'A term of a funding that differs from the draft.', {
  field: z.enum(COMPARED_FIELDS),
  expected: z.string().describe('As the draft says.'),
  observed: z.string().describe('As the escrow has it.'),
})

const FundingShape = z.object({
  txHash: Bytes32,
  blockNumber: DigitString,
  fundedAt: IsoTime.describe('Time of the block.'),
  totalReserved: AssetAmount,
})

const RefundShape = z.object({ txHash: Bytes32, refundedAt: IsoTime.describe('Time of the block.'), refunded: AssetAmount })

const state = {
  status: z
    .enum(POSTING_STATUSES)
    .describe(
      '`live` jobs are in the catalogue. `mismatch`, and `expired` after a funding, stay: the money comes back by `cancelOpenJob` alone.',
    ),
  reason: z.string().optional().describe('Why, where the status does not say it.'),
  mismatch: MismatchShape.optional().describe('First term of the funding that differs from the draft.'),
  cancellation: CancellationShape.nullable().describe('Null on an escrow without it, and for a job that another wallet created.'),
  next: NextActionShape.describe('What the poster can do next.'),
}

export const DraftShape = shape('JobDraft', 'A job that a wallet drafted, with its quote and where its funding stands.', {
  draftId: Bytes32,
  jobId: Bytes32.describe('Id of the job in the escrow, and in the catalogue once it is funded.'),
  specHash: Bytes32,
  definition: OpenObject.describe('The definition whose hash is `specHash`, with the id beside it.'),
  ...state,
  persisted: z.boolean().describe('Whether the catalogue has the job; nothing enters it before the funding is final.'),
  createdAt: IsoTime,
  expiresAt: IsoTime.describe('A funding counts until then.'),
  escrowAddress: Address,
  fundingRequirement: FundingRequirementShape,
  claimRequirement: ClaimRequirementShape,
  calldata: CreationCallShape.describe('Call that funds the job.'),
  attemptCount: z.int().min(1).describe('Times that the quote was asked for.'),
  fundingStatus: z.enum(['unfunded', 'funded', 'refunded']),
  funding: FundingShape.optional(),
  refund: RefundShape.optional(),
  listingStatus: z.enum(['unlisted', 'listed', 'delisted']),
  listingSecurity: part('What readers see beside the text.', {
    screen: literal('listing-content-screen-v1'),
    contentTrust: literal('external-unreviewed'),
  }),
  rehearsal: RehearsalShape.optional().describe('The last one; absent before the first.'),
  fundingReceipt: FundingReceiptShape.optional().describe('Signed when the job went live.'),
  note: z.string(),
})
export type DraftView = z.input<typeof DraftShape>

const SessionSummaryShape = shape('PostingSession', 'The newest attempt of a worker, without its private parts.', {
  status: z.enum(SESSION_STATUSES),
  submittedAt: IsoTime.nullable(),
  outcome: z.string().nullable().describe('Of the newest verdict; null before one.'),
})

export const PosterJobShape = shape('PosterJob', 'A job of the poster, from its draft to its end.', {
  jobId: Bytes32,
  draftId: Bytes32,
  title: z.string(),
  ...state,
  claimState: z.string().nullable().describe('Null while the job is not in the catalogue.'),
  reward: AssetAmount,
  posterReserved: AssetAmount.describe('Reward, reserves and fee together.'),
  createdAt: IsoTime,
  expiresAt: IsoTime.describe('A funding counts until then.'),
  fundedAt: IsoTime.nullable(),
  txHash: Bytes32.nullable().describe('Of the funding.'),
  fundingReceiptId: Bytes32.optional().describe('Of `GET /receipts/:receiptId`, once the job went live.'),
  mismatchField: z.enum(COMPARED_FIELDS).optional(),
  sessionSummary: SessionSummaryShape.optional(),
})
export type PosterJobView = z.input<typeof PosterJobShape>

export const PostedJobShape = PosterJobShape.extend({
  poster: Address.describe('Wallet that drafted it.'),
  nativeAccount,
}).meta({ id: 'PostedJob', description: 'A draft or posted job of any wallet, for operators.' })
