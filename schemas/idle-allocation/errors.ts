import { errorTable } from '../common/error-row.ts'

const QUOTE = 'POST /account/idle-allocation/quote'

/** Why an idle balance is not allocated. */
export const IDLE_ALLOCATION_ERRORS = errorTable({
  route_not_live:
    '409 | Product off | The operator offers no idle-balance allocation now. | Nothing is left to do. | GET /account/idle-allocation',
  idle_balance_consent_quote_unknown: `409 | Quote unknown | The service has offered no such terms. | Ask for a quote and sign its message. | ${QUOTE}`,
  idle_balance_consent_quote_expired: `409 | Quote expired | A quote is valid for ten minutes. | Ask for a new quote. | ${QUOTE}`,
  idle_balance_consent_terms_hash_mismatch: `409 | Terms changed | The terms are not the ones that were offered under this hash. | Send the terms of the quote unchanged. | ${QUOTE}`,
  idle_balance_consent_binding_mismatch: `409 | Quote of another wallet | The terms were offered to another wallet. | Ask for a quote of your own. | ${QUOTE}`,
  idle_balance_consent_signer_mismatch: `409 | Signature does not match | The signature is not one of the wallet over the exact message of the quote. | Sign the message of the quote unchanged (personal_sign). | ${QUOTE}`,
  idle_balance_consent_revoked: `409 | Consent revoked | A consent that was revoked never becomes active again. | Ask for a new quote and consent to it. | ${QUOTE}`,
  idle_balance_consent_expired: `409 | Consent expired | The consent is over after 90 days. | Ask for a new quote and consent to it. | ${QUOTE}`,
  idle_balance_consent_pending:
    '503 | Change in progress | The change of the consent is under way and not recorded yet. | Send the same request again. | retryable',
  idle_balance_venue_state_unavailable:
    '503 | Pool unreadable | The deposit pool and its venue cannot be read now. | Repeat the request later. | retryable',
})
