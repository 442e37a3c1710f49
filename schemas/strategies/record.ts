/** Why strategies could not be read: the node did not answer, or a contract did not. */
export const STRATEGIES_UNREAD = ['blockchain_unavailable', 'strategies_unreadable'] as const
export type StrategiesUnread = (typeof STRATEGIES_UNREAD)[number]

/** Whether a position earns: above its last mark, not above it, or not known while the policy does not approve the adapter. */
export const YIELD_STATES = ['not_yet_earning', 'earning', 'unknown'] as const
export type YieldState = (typeof YIELD_STATES)[number]
