/** Label of the strategy through which idle balances go to the deposit pool; its id on chain are these bytes. */
export const IDLE_STRATEGY_LABEL = 'AAC_IDLE_DEPOSIT_POOL_V21'

/** States of the consent of a wallet: `invalid` when its terms name another pool, asset or chain than the service has now. */
export const IDLE_CONSENT_STATUSES = ['active', 'revoked', 'expired', 'invalid', 'missing'] as const
export type IdleConsentStatus = (typeof IDLE_CONSENT_STATUSES)[number]

/** Directions of a movement between liquid balance and strategy. */
const IDLE_MOVES = ['allocate', 'recall'] as const
export type IdleMoveKind = (typeof IDLE_MOVES)[number]
