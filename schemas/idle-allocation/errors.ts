import { errorTable, get, post } from '../common/error-row.ts'

const NEW_CONSENT = { nextActions: [post('/account/idle-allocation/quote', 'Ask for a new quote and consent to it.')] } as const

/** Why an idle balance is not allocated. */
export const IDLE_ALLOCATION_ERRORS = errorTable({
  route_not_live: {
    title: 'Product off',
    meaning: 'The operator offers no idle-balance allocation now.',
    nextActions: [get('/account/idle-allocation', 'Nothing is left to do.')],
  },
  idle_balance_consent_quote_unknown: {
    title: 'Quote unknown',
    meaning: 'The service has offered no such terms.',
    nextActions: [post('/account/idle-allocation/quote', 'Ask for a quote and sign its message.')],
  },
  idle_balance_consent_quote_expired: {
    title: 'Quote expired',
    meaning: 'A quote is valid for ten minutes.',
    nextActions: [post('/account/idle-allocation/quote', 'Ask for a new quote.')],
  },
  idle_balance_consent_terms_hash_mismatch: {
    title: 'Terms changed',
    meaning: 'The terms are not the ones that were offered under this hash.',
    nextActions: [post('/account/idle-allocation/quote', 'Send the terms of the quote unchanged.')],
  },
  idle_balance_consent_binding_mismatch: {
    title: 'Quote of another wallet',
    meaning: 'The terms were offered to another wallet.',
    nextActions: [post('/account/idle-allocation/quote', 'Ask for a quote of your own.')],
  },
  idle_balance_consent_signer_mismatch: {
    title: 'Signature does not match',
    meaning: 'The signature is not one of the wallet over the exact message of the quote.',
    nextActions: [post('/account/idle-allocation/quote', 'Sign the message of the quote unchanged (personal_sign).')],
  },
  idle_balance_consent_revoked: {
    title: 'Consent revoked',
    meaning: 'A consent that was revoked never becomes active again.',
    ...NEW_CONSENT,
  },
  idle_balance_consent_expired: { title: 'Consent expired', meaning: 'The consent is over after 90 days.', ...NEW_CONSENT },
  idle_balance_consent_pending: {
    status: 503,
    title: 'Change in progress',
    meaning: 'The change of the consent is under way and not recorded yet.',
    reaction: 'Send the same request again.',
    retryable: true,
  },
  idle_balance_venue_state_unavailable: {
    status: 503,
    title: 'Pool unreadable',
    meaning: 'The deposit pool and its venue cannot be read now.',
    reaction: 'Repeat the request later.',
    retryable: true,
  },
})
