import { type ErrorRow, errorRow } from '../common/error-row.ts'

/** Badges. */
export const REPUTATION_ERRORS = {
  badge_not_ready: errorRow(404, 'Badge not ready', 'The session exists and has no badge yet.', 'Ask again after approval.', true),
} as const satisfies Record<string, ErrorRow>
