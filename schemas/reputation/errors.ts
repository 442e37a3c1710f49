import { errorTable, get } from '../common/error-row.ts'

/** Badges. */
export const REPUTATION_ERRORS = errorTable({
  badge_not_ready: {
    status: 404,
    title: 'Badge not ready',
    meaning: 'The session exists and has no badge yet.',
    reaction: 'Ask again after approval.',
    retryable: true,
  },
  badge_not_earned: {
    status: 410,
    title: 'Badge not earned',
    meaning: 'The session ended without approved work, so it never gets a badge.',
    nextActions: [
      get('/verifier/result?sessionId={sessionId}', 'Read the result of the session; nextActions names what is left to do.'),
      get('/jobs/recommendations', 'Choose another job.'),
    ],
  },
})
