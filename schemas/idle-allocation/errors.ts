import { errorTable, get, post, unavailable } from '../common/error-row.ts'
import { consentErrorRows } from '../consents/error-rows.ts'

const QUOTE = '/account/idle-allocation/quote'
const consent = consentErrorRows(QUOTE)
const NEW_CONSENT = post(QUOTE, 'Ask for a new quote and consent to it.')

/** Why an idle balance is not allocated. */
export const IDLE_ALLOCATION_ERRORS = errorTable({
  route_not_live: {
    title: 'Product off',
    meaning: 'The operator offers no idle-balance allocation now.',
    next: get('/account/idle-allocation', 'Nothing is left to do.'),
  },
  idle_balance_consent_quote_unknown: consent.quoteUnknown,
  idle_balance_consent_quote_expired: consent.quoteExpired,
  idle_balance_consent_terms_hash_mismatch: consent.termsChanged,
  idle_balance_consent_binding_mismatch: consent.otherWallet,
  idle_balance_consent_signer_mismatch: consent.otherSigner,
  idle_balance_consent_revoked: {
    title: 'Consent revoked',
    meaning: 'A consent that was revoked never becomes active again.',
    next: NEW_CONSENT,
  },
  idle_balance_consent_expired: { title: 'Consent expired', meaning: 'The consent is over after 90 days.', next: NEW_CONSENT },
  idle_balance_consent_pending: unavailable({
    title: 'Change in progress',
    meaning: 'The change of the consent is under way and not recorded yet.',
    retry: 'Send the same request again.',
  }),
  idle_balance_venue_state_unavailable: unavailable({
    title: 'Pool unreadable',
    meaning: 'The deposit pool and its venue cannot be read now.',
    retry: 'Repeat the request later.',
  }),
})
