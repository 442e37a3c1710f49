import { errorTable, get, notFound, post, unavailable, wait } from '../common/error-row.ts'

const paymentRequired = <const Row extends object>(row: Row): Row & { status: number } => ({ ...row, status: 402 })

const PROFILES = get('/verify/profiles', 'Read the profiles with their inputs, prices and availability.')
const PAY_AGAIN = post(
  '/verify/quote',
  'Read the payment requirement of the request, sign a new authorisation for it and send the request again.',
)

/** Why a verification is not quoted, not started or not paid. */
export const PAID_VERIFICATION_ERRORS = errorTable({
  verification_profile_not_found: notFound({ meaning: 'No profile has this name and version.', next: PROFILES }),
  verification_profile_unavailable: unavailable({
    meaning: 'The profile is not executed now, so no run of it is sold; `reason` says why.',
    retry: 'Ask again later. Nothing was charged.',
    next: PROFILES,
  }),
  verification_profile_immutable: {
    title: 'Profile changed',
    meaning: 'A published version of a profile never changes.',
    next: get('/verify/profiles', 'Read the published profiles. An operator publishes a new version for other content.'),
  },
  verification_payment_required: paymentRequired({
    title: 'Payment required',
    meaning:
      'A run is paid by an authorisation of x402 in the header PAYMENT-SIGNATURE, or by `x402/payment` in `_meta` of a tool call, and the request has none.',
    next: PAY_AGAIN,
  }),
  payment_proof_malformed: paymentRequired({
    meaning: 'The payment header is not JSON in base64, or it is too large.',
    next: PAY_AGAIN,
  }),
  payment_version_unsupported: paymentRequired({
    title: 'Version of x402 not supported',
    meaning: 'The service takes version 2 of x402 only.',
    reaction: 'Use a client of version 2.',
    next: PAY_AGAIN,
  }),
  payment_requirements_mismatch: paymentRequired({
    title: 'Other payment requirement',
    meaning: 'The payment accepts another requirement than this request has; `details.member` names the first difference.',
    next: PAY_AGAIN,
  }),
  payment_authorization_invalid: paymentRequired({
    title: 'Authorisation malformed',
    meaning:
      'The payload is no transfer authorisation of EIP-3009: a member is missing or malformed, or it lasts more than an hour longer than needed.',
    next: PAY_AGAIN,
  }),
  payment_recipient_mismatch: paymentRequired({
    title: 'Other payee',
    meaning: 'The authorisation pays another address than the requirement.',
    next: PAY_AGAIN,
  }),
  payment_exact_price_required: paymentRequired({
    title: 'Other amount',
    meaning: 'The authorisation is for more or less than the price.',
    next: PAY_AGAIN,
  }),
  payment_signature_invalid: paymentRequired({
    title: 'Signature not valid',
    meaning: 'The signature is not one of a plain account over this authorisation; the token takes no signatures of contract wallets.',
    next: PAY_AGAIN,
  }),
  payment_payer_mismatch: paymentRequired({
    title: 'Signed by another account',
    meaning: 'The account that signed is not the payer, or it signed for another token, chain or amount.',
    next: PAY_AGAIN,
  }),
  payment_authorization_not_yet_valid: paymentRequired({
    title: 'Authorisation not yet valid',
    meaning: 'The authorisation begins in the future of the payment chain.',
    reaction: 'Sign an authorisation with `validAfter` 0.',
    next: PAY_AGAIN,
  }),
  payment_authorization_expiry_margin_insufficient: paymentRequired({
    title: 'Authorisation ends too early',
    meaning: 'The authorisation must outlast the longest run and its payment.',
    reaction: 'Sign an authorisation whose `validBefore` is `maxTimeoutSeconds` from now.',
    next: PAY_AGAIN,
  }),
  payment_authorization_reused: {
    title: 'Payment of another request',
    meaning: 'The nonce of this payment belongs to a run of another request.',
    reaction: 'Repeat the first request for its run, or pay this one with a new nonce.',
    next: PAY_AGAIN,
  },
  payment_authorization_used: paymentRequired({
    title: 'Authorisation used or cancelled',
    meaning: 'The token has executed or cancelled this authorisation.',
    next: PAY_AGAIN,
  }),
  payment_nonce_state_unavailable: unavailable({
    title: 'State of the payment not readable',
    meaning: 'The payment chain does not say whether the authorisation is unused, so nothing was accepted.',
    retry: 'Send the same request with the same payment again.',
  }),
  payment_domain_unavailable: unavailable({
    title: 'Token of the payment not confirmed',
    meaning: 'The token on the payment chain does not state the signing domain that the service is configured for.',
    retry: 'Send the same request with the same payment again later. Nothing was charged.',
  }),
  payment_insufficient_funds: paymentRequired({
    title: 'Balance too small',
    meaning: 'The payer holds less than the price.',
    reaction: 'Fund the payer, then send the same request with the same payment.',
    next: PAY_AGAIN,
  }),
  payment_payer_blocked: paymentRequired({
    title: 'Payer blocked',
    meaning: 'Three runs of this payer are not over, or could not be collected; `reason` says which.',
    reaction:
      'For `runs_not_over` send the same request and payment again when one has ended. For `runs_not_collected` pay from another account.',
    next: wait('Wait until a run of this payer is over.'),
  }),
  verification_run_not_found: notFound({
    meaning: 'No run has this id, or it has expired. An id is known only to the buyer of its run.',
    next: PROFILES,
  }),
})
