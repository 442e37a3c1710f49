import { errorTable } from '../common/error-row.ts'

/** Badges. */
export const REPUTATION_ERRORS = errorTable({
  badge_not_ready: '404 | Badge not ready | The session exists and has no badge yet. | Ask again after approval. | retryable',
})
