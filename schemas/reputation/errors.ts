import { errorTable } from '../common/error-row.ts'

/** Badges. */
export const REPUTATION_ERRORS = errorTable({
  badge_not_ready: '404 | Badge not ready | The session exists and has no badge yet. | Ask again after approval. | retryable',
  badge_not_earned:
    '410 | Badge not earned | The session ended without approved work, so it never gets a badge. | Read the result of the session; nextActions names what is left to do. | GET /verifier/result?sessionId={sessionId} | GET /jobs/recommendations: Choose another job.',
})
