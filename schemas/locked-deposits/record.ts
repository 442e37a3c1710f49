/** Tiers in the order of their rank; Flex is a wallet without an active lock. Source: specification, "Locked deposit product". */
export const LOCK_TIERS = ['flex', 't7', 't30', 't90'] as const
export type LockTier = (typeof LOCK_TIERS)[number]

/** Tiers of a lock, shortest term first. */
export const TERM_TIERS = ['t7', 't30', 't90'] as const
export type TermTier = (typeof TERM_TIERS)[number]

/** States of a locked deposit: in its term, waiting for its release after an early exit, and free. */
export const LOCK_STATUSES = ['active', 'exiting', 'released'] as const
export type LockStatus = (typeof LOCK_STATUSES)[number]

/** Why a lock left its term: its wallet asked, or the balance no longer covers what is locked. */
export const EXIT_REASONS = ['requested', 'balance_below_encumbered'] as const
export type ExitReason = (typeof EXIT_REASONS)[number]

/** Why a lock was released. */
export const RELEASE_REASONS = ['term_completed', 'early_exit_vesting_completed'] as const
export type ReleaseReason = (typeof RELEASE_REASONS)[number]

/** Reasons against an open activation gate, in their order. Source: money, "Activation gate". */
export const GATE_BLOCKERS = [
  'active_lock_composition_unreadable',
  'no_active_locks',
  'locked_cohort_below_minimum',
  'venue_rate_unmeasured',
  'projected_cycle_yield_below_2x_friction',
] as const
export type GateBlocker = (typeof GATE_BLOCKERS)[number]

/** Why the perks of an active lock rest. */
export const PERK_SUSPENSIONS = ['outstanding_credit_draw', 'credit_position_unavailable'] as const
export type PerkSuspension = (typeof PERK_SUSPENSIONS)[number]

/** Most locks that an answer lists, newest first. */
export const LISTED_LOCKS_MAX = 100

/** Codes with which a lock is refused, in the order of the checks. */
export const LOCK_REFUSALS = [
  'locked_tiers_disabled',
  'locked_tier_disabled',
  'locked_tier_credit_position_unavailable',
  'locked_tier_outstanding_credit_draw',
  'locked_tier_aac_balance_unavailable',
  'locked_tier_insufficient_aac_liquid',
  'locked_tier_per_wallet_cap_exceeded',
  'locked_tier_nav_unavailable',
  'locked_tier_cohort_cap_exceeded',
  'locked_tier_pool_per_agent_cap_exceeded',
] as const
export type LockRefusal = (typeof LOCK_REFUSALS)[number]
