/** What a transaction of a session does. */
export const MONEY_STEPS = [
  'fund',
  'waiver',
  'claim',
  'submit',
  'verdict',
  'payout',
  'dispute',
  'resolution',
  'finalisation',
  'timeout',
  'cancellation',
  'other',
] as const
export type MoneyStep = (typeof MONEY_STEPS)[number]

/** State of a transaction of a session: those of the journal, and `mined` for one of another sender. */
export const TRANSACTION_STATES = ['signed', 'broadcast', 'mined', 'reverted', 'dead'] as const

/** Verdict that paid a worker. */
export const PAYMENT_KINDS = ['approved', 'dismissed', 'split', 'timeout'] as const
export type PaymentKind = (typeof PAYMENT_KINDS)[number]
