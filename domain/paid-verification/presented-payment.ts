import {
  ExactPayload,
  PAYMENT_HEADERS,
  PaymentEnvelope,
  type PaymentRequirements,
  X402_VERSION,
} from '../../schemas/paid-verification/payment.ts'
import type { Hex } from '../common/hashes.ts'
import { isCanonicalSignature } from '../common/signature.ts'
import { decodePaymentHeader } from './payment-headers.ts'
import { paymentRefused, UNREADABLE_SIGNATURE, UNSUPPORTED_PAYLOAD } from './payment-refusals.ts'
import type { PaymentTerms } from './requirements.ts'

/** A transfer authorisation that fits the requirement. Whether its payer signed it, and whether it can be collected, is not known yet. */
export interface PresentedPayment {
  readonly network: string
  readonly asset: Hex
  /** Lower case. */
  readonly from: Hex
  readonly to: Hex
  readonly value: bigint
  /** Epoch seconds. */
  readonly validAfter: bigint
  readonly validBefore: bigint
  readonly nonce: Hex
  /** 65 bytes, in the one form that a plain account makes. */
  readonly signature: Hex
}

/** Headers of a request by their lower-case names. */
export type PaymentHeaders = Readonly<Partial<Record<(typeof PAYMENT_HEADERS)[number], string>>>

/** The payment header that counts; null without one. An empty header counts as none. */
const findHeader = (headers: PaymentHeaders): string | null =>
  PAYMENT_HEADERS.map((name) => headers[name]?.trim() ?? '').find((value) => value !== '') ?? null

/** Members of a requirement that the payment must repeat, in the order in which they are compared. */
const ECHOED = [
  'scheme',
  'network',
  'asset',
  'amount',
  'payTo',
  'maxTimeoutSeconds',
  'extra.name',
  'extra.version',
  'extra.profile',
  'extra.requestHash',
] as const

const memberAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((at, name) => {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined
    return (at as Record<string, unknown>)[name]
  }, value)

/** Addresses and hashes count in any case. */
const isSame = (echoed: unknown, required: unknown): boolean => {
  if (typeof echoed === 'string' && typeof required === 'string' && required.startsWith('0x'))
    return echoed.toLowerCase() === required.toLowerCase()
  return echoed === required
}

const assertEchoed = (accepted: unknown, requirement: PaymentRequirements): void => {
  const member = ECHOED.find((path) => !isSame(memberAt(accepted, path), memberAt(requirement, path)))
  if (member !== undefined) throw paymentRefused('payment_requirements_mismatch', { member })
}

const readPayload = (payload: unknown): ExactPayload => {
  const { data, error } = ExactPayload.safeParse(payload)
  if (error === undefined) return data
  const member = error.issues[0]?.path.map(String).join('.') ?? ''
  const isOther = memberAt(payload, 'authorization') === undefined
  const words = isOther ? UNSUPPORTED_PAYLOAD : member === 'signature' ? UNREADABLE_SIGNATURE : undefined
  throw paymentRefused('payment_authorization_invalid', { member, ...(words && { words }) })
}

/** A signature of a contract wallet has another length than 65 bytes (EIP-1271), or its mark at the end (EIP-6492). */
const assertPlainSignature = (signature: Hex): void => {
  if (isCanonicalSignature(signature)) return
  const reason = signature.length === 132 ? 'signature_not_canonical' : 'contract_signature_not_supported'
  throw paymentRefused('payment_signature_invalid', { reason })
}

const readEnvelope = (headers: PaymentHeaders): PaymentEnvelope => {
  const header = findHeader(headers)
  if (header === null) throw paymentRefused('verification_payment_required')
  const decoded = decodePaymentHeader(header)
  if (decoded === null) throw paymentRefused('payment_proof_malformed')
  const envelope = PaymentEnvelope.parse(decoded)
  if (envelope.x402Version !== X402_VERSION) throw paymentRefused('payment_version_unsupported', { facts: { supported: X402_VERSION } })
  return envelope
}

/** The authorisation of a payload as one of this token, whatever it pays to whom. */
const presentedOf = ({ signature, authorization }: ExactPayload, { network, asset }: Pick<PaymentRequirements, 'network' | 'asset'>) => {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  return { network, asset: asset.toLowerCase() as Hex, from, to, value, validAfter, validBefore, nonce, signature }
}

/**
 * Reads the payment of a request and compares it with what the request costs, in the order of the gate. It needs neither chain nor records, so that a
 * request without a payment costs nothing. Throws the refusal with its code; 402 in each case. Source: specification, identity, "The payment gate".
 */
export const readPresentedPayment = (headers: PaymentHeaders, requirement: PaymentRequirements): PresentedPayment => {
  const envelope = readEnvelope(headers)
  assertEchoed(envelope.accepted, requirement)
  const payment = presentedOf(readPayload(envelope.payload), requirement)
  if (payment.to !== requirement.payTo.toLowerCase()) throw paymentRefused('payment_recipient_mismatch', { member: 'authorization.to' })
  if (payment.value !== BigInt(requirement.amount))
    throw paymentRefused('payment_exact_price_required', { member: 'authorization.value', facts: { amount: requirement.amount } })
  assertPlainSignature(payment.signature)
  return payment
}

/**
 * The authorisation that a request brings, before it is compared with today's price; null where there is none that a plain account can have signed. It
 * may pay for a stored run, which a changed price must not refuse.
 */
export const findAuthorization = (headers: PaymentHeaders, requirement: PaymentRequirements): PresentedPayment | null => {
  const header = findHeader(headers)
  const envelope = header === null ? null : PaymentEnvelope.safeParse(decodePaymentHeader(header)).data
  if (envelope?.x402Version !== X402_VERSION) return null
  const { data } = ExactPayload.safeParse(envelope.payload)
  return data !== undefined && isCanonicalSignature(data.signature) ? presentedOf(data, requirement) : null
}

const TransferWithAuthorization = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const

/** Signing domain of the token (EIP-712). */
export const tokenDomain = ({ chainId, asset, domain }: Pick<PaymentTerms, 'chainId' | 'asset' | 'domain'>) => ({
  ...domain,
  chainId,
  verifyingContract: asset.address,
})

/** What the payer signed: the typed data of the transfer (EIP-3009). */
export const transferTypedData = (
  { from, to, value, validAfter, validBefore, nonce }: Omit<PresentedPayment, 'signature' | 'network' | 'asset'>,
  terms: Pick<PaymentTerms, 'chainId' | 'asset' | 'domain'>,
) => ({
  domain: tokenDomain(terms),
  types: { TransferWithAuthorization },
  primaryType: 'TransferWithAuthorization' as const,
  message: { from, to, value, validAfter, validBefore, nonce },
})
