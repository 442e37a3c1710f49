import { z } from 'zod'
import { VERIFIER_MODES } from '../catalogue/job-terms.ts'
import { Address, ChainIdValue, DecimalAmount, IsoTime, literal, OpenObject, part, RawAmount, shape } from '../operations/values.ts'

/** Why a live read has no value. */
export const LIVE_READ_FAILURES = [
  'blockchain_gateway_disabled',
  'live_chain_read_failed',
  'protocol_fee_read_not_supported',
  'live_protocol_fee_invalid',
  'live_dispute_window_invalid',
] as const

const LiveReadShape = z
  .union([z.object({ available: z.literal(true) }), z.object({ available: z.literal(false), reason: z.enum(LIVE_READ_FAILURES) })])
  .meta({ id: 'LiveRead', description: 'Whether a value was read, or why not.' })

const MissingShape = shape('MissingValue', 'Why a value is left out.', {
  status: literal('unavailable'),
  reason: z.enum(LIVE_READ_FAILURES),
})

const FlowStepShape = z.object({
  id: z.string(),
  method: z.string(),
  path: z.string(),
  body: OpenObject.optional().describe('Template of the request body.'),
  returns: z.string(),
})

/** Source: http, "GET /poster/onboarding"; money, "External posting". */
export const PosterOnboardingShape = z.object({
  version: literal('poster-onboarding-v1'),
  chainId: ChainIdValue,
  escrowCore: Address,
  agentAccountCore: Address,
  token: z.object({ symbol: z.string(), address: Address, decimals: z.int() }),
  mode: z.enum(['closed', 'allowlist', 'open']).describe('Who may post: no wallet, those of a list, or every one.'),
  allowlistEnrollment: z.string().optional().describe('How a wallet comes onto the list; absent while posting is open.'),
  economics: part('What posting costs. A fee that could not be read is left out, and `availability` says why.', {
    protocolFeeBps: z.int().optional(),
    posterFeeBps: z.int().optional(),
    posterFeeFloorRaw: RawAmount.optional(),
    feeRecipient: Address.optional(),
    availability: z.object({ protocolFeeBps: MissingShape.optional(), feeRecipient: MissingShape.optional() }),
    feeSemantics: literal('poster_additive'),
    feeExplanation: z.string(),
    posterReserveFormula: z.string(),
    minRewardUsdc: DecimalAmount,
    maxRewardUsdc: DecimalAmount,
    draftTtlHours: z.int(),
    quotePersistence: literal('demand_signal_only_until_funded'),
    quoteIdentity: literal('poster_and_content_hash'),
  }),
  flow: z.array(FlowStepShape),
  verification: part('Which verifier fits which kind of job.', {
    templateRouting: z.array(
      z.object({ template: z.string(), verifierMode: z.enum(VERIFIER_MODES), gate: z.string(), disclosure: z.string() }),
    ),
    modes: z.array(z.object({ mode: z.enum(VERIFIER_MODES), settlement: z.string(), statement: z.string() })),
    humanReview: OpenObject.describe('What happens where a person decides.'),
  }),
  failureModes: z.array(z.object({ error: z.string(), selector: z.string(), meaning: z.string(), remedy: z.string() })),
  posterFacts: part('Rules that a poster meets.', { withdrawal: OpenObject }),
  workerFacts: part('Rules that the workers of a posted job meet.', {
    claimBond: OpenObject,
    gasPolicy: OpenObject,
    catalogEstimate: OpenObject,
    preflight: OpenObject,
    selfDeposit: OpenObject,
    accountFund: OpenObject,
    withdrawal: OpenObject,
    submissionValidation: OpenObject,
    claimTtl: OpenObject,
    disputeWindow: OpenObject,
  }),
  cancellation: z.object({
    selfServeCancel: z.literal(true),
    method: literal('cancelOpenJob'),
    onChain: z.object({ address: Address, abiFragment: literal('cancelOpenJob(bytes32)'), args: z.array(z.string()), value: literal('0') }),
    scope: z.string(),
    minimumOpenSeconds: z.int(),
    refund: z.array(z.string()).describe('Parts that come back.'),
    race: z.string(),
    fallback: z.string(),
  }),
  docs: z.url(),
  liveReads: z.object({
    asOf: IsoTime,
    protocolFeeBps: LiveReadShape,
    feeRecipient: LiveReadShape,
    claimBond: LiveReadShape,
    disputeWindow: LiveReadShape,
  }),
})
export type PosterOnboarding = z.input<typeof PosterOnboardingShape>
