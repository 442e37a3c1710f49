import type { PAID_VERIFICATION_ERRORS } from './errors.ts'

/** Why a payment is not taken, in the order of the gate. */
export const PAYMENT_ERRORS = [
  'verification_payment_required',
  'payment_proof_malformed',
  'payment_version_unsupported',
  'payment_requirements_mismatch',
  'payment_authorization_invalid',
  'payment_recipient_mismatch',
  'payment_exact_price_required',
  'payment_signature_invalid',
  'payment_payer_mismatch',
  'payment_authorization_reused',
  'payment_authorization_not_yet_valid',
  'payment_authorization_expiry_margin_insufficient',
  'payment_authorization_used',
  'payment_nonce_state_unavailable',
  'payment_domain_unavailable',
  'payment_insufficient_funds',
  'payment_payer_blocked',
] as const satisfies readonly (keyof typeof PAID_VERIFICATION_ERRORS)[]
