import {
  PAYMENT_SCHEME,
  type PaymentRequired,
  type PaymentRequirements,
  REQUIRED_HEADERS,
  RESPONSE_HEADERS,
  type SettleResponse,
  X402_VERSION,
} from '../../schemas/paid-verification/payment.ts'
import type { Hex } from '../common/hashes.ts'
import { encodePaymentHeader } from './payment-headers.ts'
import type { Profile } from './profiles.ts'

/** What settings and chain file determine of a payment: where it settles, in what, to whom, and how much. */
export interface PaymentTerms {
  readonly chainId: number
  /** CAIP-2. */
  readonly network: string
  readonly asset: { readonly address: Hex; readonly symbol: string; readonly decimals: number }
  /** Name and version of the token's signing domain (EIP-712). */
  readonly domain: { readonly name: string; readonly version: string }
  readonly payTo: Hex
  readonly priceRaw: bigint
}

/** Time that an authorisation is asked to last beyond the longest run. Source: capabilities, "Corrections". */
const OFFERED_MARGIN_SECONDS = 900
/** Time that it must last beyond the longest run: transit, repeats and slow clocks may take the rest. */
export const DEMANDED_MARGIN_SECONDS = 600
/** How much longer than demanded an authorisation may last, for the clocks of its payer: a run waits until then for a payment that may still come, seconds. */
export const MOST_EXCESS_SECONDS = 3_600

/** Longest run of a profile, whole seconds. */
export const timeoutSeconds = ({ document }: Profile): number => Math.ceil(document.limits.timeoutMs / 1_000)

/**
 * What a run of a profile costs and how it is paid. Quote, live 402 and discovery are built on it and agree in every member; without the hash
 * of a request it is that of discovery.
 */
export const buildRequirements = (terms: PaymentTerms, profile: Profile, requestHash: Hex | null): PaymentRequirements => ({
  scheme: PAYMENT_SCHEME,
  network: terms.network,
  asset: terms.asset.address,
  amount: terms.priceRaw.toString(),
  payTo: terms.payTo,
  maxTimeoutSeconds: timeoutSeconds(profile) + OFFERED_MARGIN_SECONDS,
  extra: {
    name: terms.domain.name,
    version: terms.domain.version,
    profile: profile.ref,
    ...(requestHash !== null && { requestHash }),
  },
})

/** The service as a payment names it. */
export interface PaidService {
  /** Public base address without a trailing slash. */
  readonly baseUrl: string
  readonly serviceName: string
}

/** Path of a paid run. */
export const RUNS_PATH = '/verify/runs'

/** What a payment for a profile buys. */
export const buildResource = ({ baseUrl, serviceName }: PaidService, { ref, document }: Profile) => ({
  url: `${baseUrl}${RUNS_PATH}`,
  description: `One run of the verification profile ${ref}. ${document.successCriteria.statement}`,
  mimeType: 'application/json',
  serviceName,
  tags: ['verification', document.name],
})

/** The same object in each of these headers. */
const headersOf = <Name extends string>(names: readonly Name[], value: object): Record<Name, string> => {
  const header = encodePaymentHeader(value)
  return Object.fromEntries(names.map((name) => [name, header])) as Record<Name, string>
}

/** Challenge of the 402 of a request: its body members, and the headers that carry the same. `error` is the protocol's word for a refused payment. */
export const challengeOf = (
  service: PaidService,
  { terms, profile, requestHash, error }: { terms: PaymentTerms; profile: Profile; requestHash: Hex; error?: string },
): { challenge: PaymentRequired; headers: Record<(typeof REQUIRED_HEADERS)[number], string> } => {
  const challenge: PaymentRequired = {
    x402Version: X402_VERSION,
    ...(error !== undefined && { error }),
    resource: buildResource(service, profile),
    accepts: [buildRequirements(terms, profile, requestHash)],
  }
  return { challenge, headers: headersOf(REQUIRED_HEADERS, challenge) }
}

/** Headers of the answer to a payment whose outcome is known (x402, `SettleResponse`). */
export const settlementHeaders = (outcome: SettleResponse) => headersOf(RESPONSE_HEADERS, outcome)
