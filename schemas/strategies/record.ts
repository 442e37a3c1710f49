/** Why strategies could not be read: the node did not answer, or a contract did not. */
export const STRATEGIES_UNREAD = ['blockchain_unavailable', 'strategies_unreadable'] as const
export type StrategiesUnread = (typeof STRATEGIES_UNREAD)[number]

/** Whether a position earns: above its last mark, not above it, or not known while the policy does not approve the adapter. */
export const YIELD_STATES = ['not_yet_earning', 'earning', 'unknown'] as const
export type YieldState = (typeof YIELD_STATES)[number]

/** Where money of a wallet can lie. */
export const PLACES = [
  'available',
  'locked_deposit',
  'account_debt',
  'strategy',
  'strategy_deposit_pending',
  'open_work',
  'funded_jobs',
  'account_collateral',
  'pool_shares',
  'pool_notice',
  'pool_pledge',
  'credit_shares',
  'credit_notice',
  'wallet',
] as const
export type PlaceName = (typeof PLACES)[number]

/** Each reason for which balance is not recalled from a strategy, with its meaning for people. */
export const RECALL_REFUSALS = {
  nothing_to_recall: 'The wallet has nothing in a strategy that pays back at once.',
  strategy_not_named: 'The wallet has balance in several strategies, and the request names none of them.',
  strategy_inactive: 'The policy withdrew its approval of this strategy, so the account contract takes no call for it.',
  amount_exceeds_allocated: 'The wallet has less than this amount in the strategy.',
  strategy_short: 'The strategy holds fewer tokens now than the recall pays out.',
} as const
export type RecallRefusal = keyof typeof RECALL_REFUSALS
