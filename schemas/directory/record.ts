import type { ROUND_VERDICTS } from '../sessions/verdicts.ts'

/** Statuses of a session that its worker can let the directory show. */
export const CURRENT_ACTIVITY_STATUSES = ['claimed', 'submitted', 'disputed'] as const

export type DisputeOutcome = 'won' | 'lost' | 'split' | 'timeout'

/** What each verdict of a dispute means for the worker. */
export const DISPUTE_OUTCOMES: Readonly<Record<(typeof ROUND_VERDICTS)[number], DisputeOutcome>> = {
  upheld: 'lost',
  dismissed: 'won',
  split: 'split',
  timeout: 'timeout',
  approved: 'won',
  rejected: 'lost',
}
