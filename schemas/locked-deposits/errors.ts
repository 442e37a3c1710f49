import { errorTable } from '../common/error-row.ts'

/** Why a deposit is not locked, or not given back early. */
export const LOCKED_DEPOSIT_ERRORS = errorTable({
  locked_tiers_disabled:
    '409 | Locked deposits off | The operator offers no locked deposits now. | Keep the balance liquid, or deposit it in the pool. | GET /pool',
  locked_tier_disabled:
    '409 | Tier off | The operator does not offer this tier now. | Choose another tier. | POST /locked-deposits/quote: Ask for t30 or t90.',
  locked_tier_outstanding_credit_draw:
    '409 | Debt open | A wallet that owes anything cannot lock. | Repay, then ask for a quote. | POST /credit/transactions: Build the repayment.',
  locked_tier_insufficient_aac_liquid:
    '409 | Balance too small | The available balance in the account contract is smaller than the amount. | Lock less, or deposit first. | POST /account/deposit/transactions',
  locked_tier_per_wallet_cap_exceeded:
    '409 | Cap of the wallet | The active locks of the wallet would exceed their cap or number. | Lock less, or wait until a lock ends. | GET /me: Read your locks.',
  locked_tier_cohort_cap_exceeded:
    '409 | Cap of all locks | The active locks of all wallets would exceed what the operator or the pool takes. | Lock less, or ask later. | GET /pool',
  locked_tier_pool_per_agent_cap_exceeded: '409 | Cap of the pool | The pool takes no such amount of one wallet. | Lock less. | GET /pool',
  locked_tier_quote_unknown:
    '409 | Quote unknown | The service has offered no such terms. | Ask for a quote and sign its message. | POST /locked-deposits/quote',
  locked_tier_quote_expired: '409 | Quote expired | A quote is valid for ten minutes. | Ask for a new quote. | POST /locked-deposits/quote',
  locked_tier_terms_hash_mismatch:
    '409 | Terms changed | The terms are not the ones that were offered under this hash. | Send the terms of the quote unchanged. | POST /locked-deposits/quote',
  locked_tier_consent_binding_mismatch:
    '409 | Quote of another wallet | The terms were offered to another wallet. | Ask for a quote of your own. | POST /locked-deposits/quote',
  locked_tier_consent_signer_mismatch:
    '409 | Signature does not match | The signature is not one of the wallet over the exact message of the quote. | Sign the message of the quote unchanged (personal_sign). | POST /locked-deposits/quote',
  locked_tier_already_released:
    '409 | Lock released | The lock is over and binds nothing. | Nothing is left to do. | GET /account/position: Read what is available.',
  locked_tier_not_found: '404 | Lock unknown | The wallet has no such lock. | Read your locks. | GET /me',
  locked_tier_credit_position_unavailable:
    '503 | Debt unreadable | What the wallet owes cannot be read now. | Repeat the request later. | retryable',
  locked_tier_aac_balance_unavailable:
    '503 | Balance unreadable | The balance in the account contract cannot be read now. | Repeat the request later. | retryable',
  locked_tier_nav_unavailable:
    '503 | Pool unreadable | The deposit pool, whose caps limit locks, cannot be read now. | Repeat the request later. | retryable',
  locked_tier_consent_pending:
    '503 | Change in progress | The change of the lock is under way and not recorded yet. | Send the same request again. | retryable',
})
