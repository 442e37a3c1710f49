import { ServiceError } from '../../schemas/errors.ts'
import { X402_VERSION } from '../../schemas/paid-verification/payment.ts'
import type { Availability, ProfileList, Quote, X402Manifest } from '../../schemas/paid-verification/shapes.ts'
import { iso, plusSeconds } from '../common/instants.ts'
import { toDisplay } from '../common/money.ts'
import { getProfile, PROFILES, type Profile, parseProfileRequest } from './profiles.ts'
import { requestHash, type VerificationRequest } from './request-hash.ts'
import { buildRequirements, buildResource, type PaidService, type PaymentTerms, RUNS_PATH } from './requirements.ts'

/** How long a quoted price is meant to hold. */
const QUOTE_LIFETIME_SECONDS = 900

const unavailable = (reasonCode: NonNullable<Availability['reasonCode']>, reason: string): Availability => ({
  status: 'unavailable',
  reasonCode,
  reason,
})

/** What is configured of the sale of runs. */
export interface SaleSettings {
  readonly terms: PaymentTerms | null
  readonly hasSecret: boolean
  readonly hasSettler: boolean
}

/** Whether runs are sold, by what is configured and what the token says of its signing domain (null: it was not readable). */
export const paymentAvailability = ({ terms, hasSecret, hasSettler }: SaleSettings, isDomainConfirmed: boolean | null): Availability => {
  if (terms === null) return unavailable('payment_not_configured', 'The operator has configured no payee or no payment chain.')
  if (!hasSecret) return unavailable('run_secret_missing', 'The operator has configured no secret from which ids of runs follow.')
  if (!hasSettler) return unavailable('settler_not_configured', 'The operator has configured no key that takes payments.')
  if (isDomainConfirmed === null) return unavailable('payment_chain_unreachable', 'The payment chain does not answer now.')
  if (!isDomainConfirmed)
    return unavailable('payment_domain_differs', 'The token on the payment chain states another signing domain than the one configured.')
  return { status: 'available' }
}

/** Whether a runner takes work: by those that poll the engine, and why others cannot; null where the engine does not answer. */
export const runnerAvailability = (runners: { ready: number; unable: readonly string[] } | null): Availability => {
  if (runners === null) return unavailable('runner_unavailable', 'The workflow engine does not answer now.')
  if (runners.ready > 0) return { status: 'available' }
  const [reason] = runners.unable
  if (reason === undefined) return unavailable('runner_unavailable', 'No runner takes work now.')
  return unavailable('runner_unavailable', `No runner has a sandbox: ${reason}`)
}

/** Whether runs of a profile (`name@version`) are sold. */
export type AvailabilityOf = (profileRef: string) => Availability

const priceOf = ({ asset, network, priceRaw }: PaymentTerms, { document }: Profile) => ({
  amount: toDisplay(priceRaw, asset.decimals),
  amountRaw: priceRaw.toString(),
  asset: asset.symbol,
  decimals: asset.decimals,
  network,
  billingRule: document.billingRule,
})

/** Every profile with its document, digest and price. */
export const listProfiles = (terms: PaymentTerms | null, availabilityOf: AvailabilityOf): ProfileList => ({
  profiles: PROFILES.map((profile) => ({
    ref: profile.ref,
    profileDigest: profile.digest,
    ...profile.document,
    status: 'published' as const,
    price: terms === null ? null : priceOf(terms, profile),
    replayFixtureRef: `fixture://verification-profiles/${profile.ref}`,
    verifierConfig: { verifierMode: 'verification_profile' as const, profileRef: profile.ref },
    availability: availabilityOf(profile.ref),
  })),
})

/** A request that a profile takes, with its hash. */
export interface ReadRequest {
  readonly profile: Profile
  readonly requestHash: `0x${string}`
}

/** Reads a request. Throws 404 `verification_profile_not_found`, and `invalid_request` with every broken rule of the profile's inputs. */
export const readVerificationRequest = (request: VerificationRequest): ReadRequest => {
  const profile = getProfile(request.profile, request.profileVersion)
  parseProfileRequest(profile.document.name, request)
  return { profile, requestHash: requestHash(request) }
}

/** The terms on which a run is sold. Throws 503 `verification_profile_unavailable` with the reason while none is. */
export const assertSold = (
  { profile }: ReadRequest,
  { terms, availability }: { terms: PaymentTerms | null; availability: Availability },
): { terms: PaymentTerms } => {
  if (terms !== null && availability.status === 'available') return { terms }
  throw new ServiceError('verification_profile_unavailable', {
    reason: availability.reasonCode,
    detail: availability.reason,
    details: { profileRef: profile.ref },
  })
}

/** What a request costs. Throws as `assertSold` does. */
export const quoteRun = (
  read: ReadRequest,
  { now, ...offer }: { terms: PaymentTerms | null; availability: Availability; now: number },
): Quote => {
  const { profile, requestHash: hash } = read
  const { terms } = assertSold(read, offer)
  const { availability } = offer
  return {
    profileRef: profile.ref,
    profileDigest: profile.digest,
    requestHash: hash,
    price: priceOf(terms, profile),
    accepts: [buildRequirements(terms, profile, hash)],
    expiresAt: iso(plusSeconds(now, QUOTE_LIFETIME_SECONDS)),
    availability,
  }
}

/** JSON Schema of the body of a run of a profile. */
const bodySchema = ({ name, version, inputSchema }: Profile['document']) => ({
  type: 'object',
  properties: { profile: { const: name }, profileVersion: { const: version }, ...(inputSchema.properties as object) },
  required: ['profile', 'profileVersion', 'target', 'inputs'],
  additionalProperties: false,
})

const manifestItem = (service: PaidService, terms: PaymentTerms, profile: Profile) => ({
  resource: buildResource(service, profile),
  type: 'http' as const,
  accepts: [buildRequirements(terms, profile, null)],
  input: { method: 'POST' as const, routeTemplate: RUNS_PATH, body: bodySchema(profile.document) },
  output: {
    mimeType: 'application/json',
    example: {
      runId: 'verify-00000000-0000-4000-8000-000000000000',
      profileRef: profile.ref,
      status: 'queued',
      billing: { status: 'authorized' },
    },
  },
  requires: ['x402 version 2', 'scheme exact on EVM with transferWithAuthorization (EIP-3009)', 'a plain account as payer'],
})

/** What can be bought by x402: one resource for each profile whose runs are sold. */
export const x402Manifest = (service: PaidService, terms: PaymentTerms | null, availabilityOf: AvailabilityOf): X402Manifest => {
  const sold = PROFILES.filter(({ ref }) => availabilityOf(ref).status === 'available')
  return {
    x402Version: X402_VERSION,
    lastUpdated: Math.max(...PROFILES.map(({ document }) => Date.parse(document.publishedAt))) / 1_000,
    items: terms === null ? [] : sold.map((profile) => manifestItem(service, terms, profile)),
  }
}
