import { errorTable, get, notFound, post, unavailable } from '../common/error-row.ts'
import { consentErrorRows } from '../consents/error-rows.ts'

const consent = consentErrorRows('/locked-deposits/quote')

/** Why a deposit is not locked, or not given back early. */
export const LOCKED_DEPOSIT_ERRORS = errorTable({
  locked_tiers_disabled: {
    title: 'Locked deposits off',
    meaning: 'The operator offers no locked deposits now.',
    next: get('/pool', 'Keep the balance liquid, or deposit it in the pool.'),
  },
  locked_tier_disabled: {
    title: 'Tier off',
    meaning: 'The operator does not offer this tier now.',
    reaction: 'Choose another tier.',
    next: post('/locked-deposits/quote', 'Ask for t30 or t90.'),
  },
  locked_tier_outstanding_credit_draw: {
    title: 'Debt open',
    meaning: 'A wallet that owes anything cannot lock.',
    reaction: 'Repay, then ask for a quote.',
    next: post('/credit/transactions', 'Build the repayment.'),
  },
  locked_tier_insufficient_aac_liquid: {
    title: 'Balance too small',
    meaning: 'The available balance in the account contract is smaller than the amount.',
    next: post('/account/deposit/transactions', 'Lock less, or deposit first.'),
  },
  locked_tier_per_wallet_cap_exceeded: {
    title: 'Cap of the wallet',
    meaning: 'The active locks of the wallet would exceed their cap or number.',
    reaction: 'Lock less, or wait until a lock ends.',
    next: get('/me', 'Read your locks.'),
  },
  locked_tier_cohort_cap_exceeded: {
    title: 'Cap of all locks',
    meaning: 'The active locks of all wallets would exceed what the operator or the pool takes.',
    next: get('/pool', 'Lock less, or ask later.'),
  },
  locked_tier_pool_per_agent_cap_exceeded: {
    title: 'Cap of the pool',
    meaning: 'The pool takes no such amount of one wallet.',
    next: get('/pool', 'Lock less.'),
  },
  locked_tier_quote_unknown: consent.quoteUnknown,
  locked_tier_quote_expired: consent.quoteExpired,
  locked_tier_terms_hash_mismatch: consent.termsChanged,
  locked_tier_consent_binding_mismatch: consent.otherWallet,
  locked_tier_consent_signer_mismatch: consent.otherSigner,
  locked_tier_already_released: {
    title: 'Lock released',
    meaning: 'The lock is over and binds nothing.',
    reaction: 'Nothing is left to do.',
    next: get('/account/position', 'Read what is available.'),
  },
  locked_tier_not_found: notFound({ title: 'Lock unknown', meaning: 'The wallet has no such lock.', next: get('/me', 'Read your locks.') }),
  locked_tier_credit_position_unavailable: unavailable({
    title: 'Debt unreadable',
    meaning: 'What the wallet owes cannot be read now.',
    retry: 'Repeat the request later.',
  }),
  locked_tier_aac_balance_unavailable: unavailable({
    title: 'Balance unreadable',
    meaning: 'The balance in the account contract cannot be read now.',
    retry: 'Repeat the request later.',
  }),
  locked_tier_nav_unavailable: unavailable({
    title: 'Pool unreadable',
    meaning: 'The deposit pool, whose caps limit locks, cannot be read now.',
    retry: 'Repeat the request later.',
  }),
  locked_tier_consent_pending: unavailable({
    title: 'Change in progress',
    meaning: 'The change of the lock is under way and not recorded yet.',
    retry: 'Send the same request again.',
  }),
})
