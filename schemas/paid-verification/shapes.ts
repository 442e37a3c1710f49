import { z } from 'zod'
import {
  Address,
  Bytes32,
  closedShape,
  DecimalAmount,
  IsoTime,
  literal,
  NextActionShape,
  OpenObject,
  part,
  RawAmount,
  shape,
} from '../operations/values.ts'
import { PaymentRequirementsShape, PaymentResourceShape, X402_VERSION } from './payment.ts'
import { PROFILE_DOCUMENT_MEMBERS } from './profiles/profiles.ts'
import { BILLING_STATUSES, RUN_STATUSES } from './record.ts'

/** Why no run of a profile is sold. */
const UNAVAILABLE_REASONS = [
  'payment_not_configured',
  'run_secret_missing',
  'settler_not_configured',
  'payment_chain_unreachable',
  'payment_domain_differs',
  'runner_unavailable',
] as const

const AvailabilityShape = shape('ProfileAvailability', 'Whether runs of a profile are sold now.', {
  status: z.enum(['available', 'unavailable']),
  reasonCode: z
    .enum(UNAVAILABLE_REASONS)
    .optional()
    .describe('`runner_unavailable`: no runner with a sandbox takes work now. The other reasons concern every profile.'),
  reason: z.string().optional(),
})
export type Availability = z.output<typeof AvailabilityShape>

const PriceShape = shape('VerificationPrice', 'Price of one run of a profile.', {
  amount: DecimalAmount,
  amountRaw: RawAmount,
  asset: z.string().describe('Symbol of the asset.'),
  decimals: z.int().min(0).max(30),
  network: z.string().describe('Network of the payment, as CAIP-2.'),
  billingRule: PROFILE_DOCUMENT_MEMBERS.billingRule,
})

const Digest = Bytes32.describe(
  `SHA-256 of the canonical JSON (RFC 8785) of an object with exactly the members ${Object.keys(PROFILE_DOCUMENT_MEMBERS).join(', ')} of the profile.`,
)

const ProfileShape = shape('VerificationProfile', 'A verification profile: its immutable document, and how it is sold here.', {
  ref: z.string().describe('`name@version`, for ever the same document.'),
  profileDigest: Digest,
  ...PROFILE_DOCUMENT_MEMBERS,
  status: literal('published'),
  price: PriceShape.nullable().describe('Null while the service takes no payments.'),
  replayFixtureRef: z.string().describe('Name of the recorded requests and results that this profile is tested with.'),
  verifierConfig: part('How a posted job names the profile as its verifier.', {
    verifierMode: literal('verification_profile'),
    profileRef: z.string(),
  }),
  availability: AvailabilityShape,
})

export const ProfilesShape = z.object({ profiles: z.array(ProfileShape) })
export type ProfileList = z.input<typeof ProfilesShape>

/** Body of a quote, and of a run. */
export const VerificationRequestBody = closedShape('VerificationRequest', 'What is verified, by which profile.', {
  profile: z.string().min(1).max(100).describe('Name of the profile.'),
  profileVersion: z.int().min(1).describe('Its version.'),
  target: OpenObject.describe('What is verified, by `inputSchema` of the profile.'),
  inputs: OpenObject.describe('What it is verified with, by the same schema.'),
})

export const QuoteShape = shape('VerificationQuote', 'What one run of a request costs, and how it is paid.', {
  profileRef: z.string(),
  profileDigest: Digest,
  requestHash: Bytes32.describe('SHA-256 of the canonical JSON of `{inputs, profile, profileVersion, target}`.'),
  price: PriceShape,
  accepts: z.array(PaymentRequirementsShape).min(1).describe('Ways to pay, equal to those of the 402 of the same request.'),
  expiresAt: IsoTime.describe('Instant until which the price is meant to hold. The 402 of the run decides.'),
  availability: AvailabilityShape,
})
export type Quote = z.input<typeof QuoteShape>

export const X402ManifestShape = shape('X402Manifest', 'What can be bought here by x402. The 402 of a request decides.', {
  x402Version: z.literal(X402_VERSION),
  lastUpdated: z.int().min(0).describe('Publication of the newest profile, epoch seconds.'),
  items: z.array(
    part('One resource for each profile whose runs are sold now.', {
      resource: PaymentResourceShape,
      type: literal('http'),
      accepts: z.array(PaymentRequirementsShape).min(1).describe('Without `extra.requestHash`, which depends on the request.'),
      input: part('The request.', {
        method: literal('POST'),
        routeTemplate: z.string(),
        body: OpenObject.describe('JSON Schema of the body.'),
      }),
      output: part('The answer.', { mimeType: z.string(), example: OpenObject }),
      requires: z.array(z.string()).describe('What a client has to support.'),
    }),
  ),
})
export type X402Manifest = z.input<typeof X402ManifestShape>

const CheckShape = part('One check of a profile.', {
  id: z.string(),
  passed: z.boolean().nullable().describe('Null when the check was not decided.'),
  detail: z.string(),
})

const ExecutionShape = part('What the profile found.', {
  verdict: z.enum(['approved', 'rejected', 'inconclusive']),
  reason: z.string().nullable().describe('Why the result is inconclusive; null otherwise.'),
  checks: z.array(CheckShape),
  artefacts: z.array(part('A fetched artefact.', { role: z.string(), sha256: z.string(), bytes: z.int().min(0) })),
  evidence: OpenObject.describe('What was measured.'),
})

/** What was bought, and by whom. */
const request = {
  profile: z.string(),
  profileVersion: z.int().min(1),
  profileRef: z.string(),
  profileDigest: Digest,
  requestHash: Bytes32,
  customer: Address.describe('Account that pays.'),
}

const BillingShape = shape('VerificationBilling', 'Payment of a run.', {
  status: z.enum(BILLING_STATUSES),
  amount: DecimalAmount,
  amountRaw: RawAmount,
  asset: Address,
  network: z.string(),
  transactionHash: Bytes32.optional(),
  reason: z.string().optional(),
  detail: z.string().optional(),
})

/** Where a run stands. */
const standing = {
  status: z.enum(RUN_STATUSES),
  billing: BillingShape,
  verdict: z.enum(['approved', 'rejected', 'inconclusive']).optional().describe('Absent until it is paid or will not be billed.'),
}

const receipt = {
  receiptId: Bytes32.optional().describe('Signed receipt of the run, which is public and stays; absent until the verdict is shown.'),
  receiptUrl: z.url().optional(),
}

export const RunShape = shape('VerificationRun', 'A paid run of a profile.', {
  runId: z.string().describe('Secret of the customer: the right to read the run.'),
  runUrl: z.url(),
  ...request,
  target: OpenObject.describe('Without credentials and without queries of addresses.'),
  inputs: OpenObject.describe('Without the addresses of artefacts.'),
  submittedAt: IsoTime,
  expiresAt: IsoTime.describe('The record is deleted then.'),
  ...standing,
  execution: ExecutionShape.optional(),
  ...receipt,
  nextActions: z.array(NextActionShape),
})
export type RunView = z.input<typeof RunShape>

export const RunOverviewShape = shape(
  'VerificationRunOverview',
  'A paid run of a profile, for operators: without its id, inputs and payment.',
  {
    runKey: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe('SHA-256 of the id of the run, which only its customer has. Logs and workflow ids name the run so.'),
    ...request,
    ...standing,
    ...receipt,
    submittedAt: IsoTime,
    executedAt: IsoTime.nullable().describe('Null until the profile has ended.'),
    endedAt: IsoTime.nullable().describe('Null until the payment is decided.'),
    expiresAt: IsoTime.describe('The record is deleted then.'),
  },
)
export type RunOverview = z.input<typeof RunOverviewShape>

export const RunParams = z.object({
  runId: z.string().regex(/^verify-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, { error: 'must be the id of a run' }),
})
