import { ServiceError } from '../../schemas/errors.ts'
import type { PAID_VERIFICATION_ERRORS } from '../../schemas/paid-verification/errors.ts'

/** Why a payment is not taken. */
export type PaymentRefusal = Extract<keyof typeof PAID_VERIFICATION_ERRORS, `payment_${string}` | 'verification_payment_required'>

/** Words of x402 for one refusal: those of its official packages, and those of its text where they differ. */
interface Words {
  readonly package: string
  readonly specification: string
}
const same = (word: string): Words => ({ package: word, specification: word })
const AUTHORIZATION = 'invalid_exact_evm_payload_authorization'

/** Source: capabilities, "Error words of the official packages"; specification, identity, "Protocol versions". */
const WORDS: Readonly<Record<Exclude<PaymentRefusal, 'verification_payment_required'>, Words>> = {
  payment_proof_malformed: same('invalid_payload'),
  payment_version_unsupported: same('invalid_x402_version'),
  payment_requirements_mismatch: same('invalid_payment_requirements'),
  payment_authorization_invalid: same('invalid_payload'),
  payment_recipient_mismatch: {
    package: 'invalid_exact_evm_recipient_mismatch',
    specification: 'invalid_exact_evm_payload_recipient_mismatch',
  },
  payment_exact_price_required: same(`${AUTHORIZATION}_value_mismatch`),
  payment_signature_invalid: { package: 'invalid_exact_evm_signature', specification: 'invalid_exact_evm_payload_signature' },
  payment_payer_mismatch: { package: 'invalid_exact_evm_signature', specification: 'invalid_exact_evm_payload_signature' },
  payment_authorization_not_yet_valid: same(`${AUTHORIZATION}_valid_after`),
  payment_authorization_expiry_margin_insufficient: same(`${AUTHORIZATION}_valid_before`),
  payment_authorization_reused: { package: 'invalid_exact_evm_nonce_already_used', specification: 'invalid_transaction_state' },
  payment_authorization_used: { package: 'invalid_exact_evm_nonce_already_used', specification: 'invalid_transaction_state' },
  payment_nonce_state_unavailable: same('unexpected_verify_error'),
  payment_domain_unavailable: same('unexpected_verify_error'),
  payment_insufficient_funds: { package: 'invalid_exact_evm_insufficient_balance', specification: 'insufficient_funds' },
  payment_payer_blocked: same('unexpected_verify_error'),
}

/** Words that are finer than their code, by the member of the requirement that differs. */
const MEMBER_WORDS: Readonly<Record<string, Words>> = {
  scheme: { package: 'invalid_exact_evm_scheme', specification: 'unsupported_scheme' },
  network: { package: 'invalid_exact_evm_network_mismatch', specification: 'invalid_network' },
  payTo: { package: 'invalid_exact_evm_recipient_mismatch', specification: 'invalid_exact_evm_payload_recipient_mismatch' },
  'extra.name': { package: 'invalid_exact_evm_token_name_mismatch', specification: 'invalid_payment_requirements' },
  'extra.version': { package: 'invalid_exact_evm_token_version_mismatch', specification: 'invalid_payment_requirements' },
}

/** Words for what the payload holds in place of a transfer authorisation with its signature. */
export const UNSUPPORTED_PAYLOAD = same('unsupported_payload_type')
export const UNREADABLE_SIGNATURE = { package: 'invalid_exact_evm_failed_to_parse_signature', specification: 'invalid_payload' }

/** What a refusal says beside its code. */
interface Occurrence {
  /** Member of the requirement or of the payload that is wrong, with dots. */
  readonly member?: string
  readonly reason?: string
  readonly words?: Words
  /** Further facts, such as the bound that is not met. */
  readonly facts?: Readonly<Record<string, unknown>>
}

/** The refusal of a payment. `details.x402Reason` is the word of the official packages, `details.x402SpecificationReason` that of the text of x402. */
export const paymentRefused = (code: PaymentRefusal, { member, reason, words, facts }: Occurrence = {}): ServiceError => {
  const finer = code === 'payment_requirements_mismatch' && member !== undefined ? MEMBER_WORDS[member] : undefined
  const stated = code === 'verification_payment_required' ? undefined : (words ?? finer ?? WORDS[code])
  return new ServiceError(code, {
    reason,
    details: {
      ...(stated && { x402Reason: stated.package, x402SpecificationReason: stated.specification }),
      ...(member !== undefined && { member }),
      ...facts,
    },
  })
}
