import { errorTable, get, post } from '../common/error-row.ts'

/** Why a deposit is not locked, or not given back early. */
export const LOCKED_DEPOSIT_ERRORS = errorTable({
  locked_tiers_disabled: {
    title: 'Locked deposits off',
    meaning: 'The operator offers no locked deposits now.',
    nextActions: [get('/pool', 'Keep the balance liquid, or deposit it in the pool.')],
  },
  locked_tier_disabled: {
    title: 'Tier off',
    meaning: 'The operator does not offer this tier now.',
    reaction: 'Choose another tier.',
    nextActions: [post('/locked-deposits/quote', 'Ask for t30 or t90.')],
  },
  locked_tier_outstanding_credit_draw: {
    title: 'Debt open',
    meaning: 'A wallet that owes anything cannot lock.',
    reaction: 'Repay, then ask for a quote.',
    nextActions: [post('/credit/transactions', 'Build the repayment.')],
  },
  locked_tier_insufficient_aac_liquid: {
    title: 'Balance too small',
    meaning: 'The available balance in the account contract is smaller than the amount.',
    nextActions: [post('/account/deposit/transactions', 'Lock less, or deposit first.')],
  },
  locked_tier_per_wallet_cap_exceeded: {
    title: 'Cap of the wallet',
    meaning: 'The active locks of the wallet would exceed their cap or number.',
    reaction: 'Lock less, or wait until a lock ends.',
    nextActions: [get('/me', 'Read your locks.')],
  },
  locked_tier_cohort_cap_exceeded: {
    title: 'Cap of all locks',
    meaning: 'The active locks of all wallets would exceed what the operator or the pool takes.',
    nextActions: [get('/pool', 'Lock less, or ask later.')],
  },
  locked_tier_pool_per_agent_cap_exceeded: {
    title: 'Cap of the pool',
    meaning: 'The pool takes no such amount of one wallet.',
    nextActions: [get('/pool', 'Lock less.')],
  },
  locked_tier_quote_unknown: {
    title: 'Quote unknown',
    meaning: 'The service has offered no such terms.',
    nextActions: [post('/locked-deposits/quote', 'Ask for a quote and sign its message.')],
  },
  locked_tier_quote_expired: {
    title: 'Quote expired',
    meaning: 'A quote is valid for ten minutes.',
    nextActions: [post('/locked-deposits/quote', 'Ask for a new quote.')],
  },
  locked_tier_terms_hash_mismatch: {
    title: 'Terms changed',
    meaning: 'The terms are not the ones that were offered under this hash.',
    nextActions: [post('/locked-deposits/quote', 'Send the terms of the quote unchanged.')],
  },
  locked_tier_consent_binding_mismatch: {
    title: 'Quote of another wallet',
    meaning: 'The terms were offered to another wallet.',
    nextActions: [post('/locked-deposits/quote', 'Ask for a quote of your own.')],
  },
  locked_tier_consent_signer_mismatch: {
    title: 'Signature does not match',
    meaning: 'The signature is not one of the wallet over the exact message of the quote.',
    nextActions: [post('/locked-deposits/quote', 'Sign the message of the quote unchanged (personal_sign).')],
  },
  locked_tier_already_released: {
    title: 'Lock released',
    meaning: 'The lock is over and binds nothing.',
    reaction: 'Nothing is left to do.',
    nextActions: [get('/account/position', 'Read what is available.')],
  },
  locked_tier_not_found: {
    status: 404,
    title: 'Lock unknown',
    meaning: 'The wallet has no such lock.',
    nextActions: [get('/me', 'Read your locks.')],
  },
  locked_tier_credit_position_unavailable: {
    status: 503,
    title: 'Debt unreadable',
    meaning: 'What the wallet owes cannot be read now.',
    reaction: 'Repeat the request later.',
    retryable: true,
  },
  locked_tier_aac_balance_unavailable: {
    status: 503,
    title: 'Balance unreadable',
    meaning: 'The balance in the account contract cannot be read now.',
    reaction: 'Repeat the request later.',
    retryable: true,
  },
  locked_tier_nav_unavailable: {
    status: 503,
    title: 'Pool unreadable',
    meaning: 'The deposit pool, whose caps limit locks, cannot be read now.',
    reaction: 'Repeat the request later.',
    retryable: true,
  },
  locked_tier_consent_pending: {
    status: 503,
    title: 'Change in progress',
    meaning: 'The change of the lock is under way and not recorded yet.',
    reaction: 'Send the same request again.',
    retryable: true,
  },
})
