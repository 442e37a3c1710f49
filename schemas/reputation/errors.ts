import { CHOOSE_ANOTHER, errorTable, get, gone, notFound } from '../common/error-row.ts'

/** Badges. */
export const REPUTATION_ERRORS = errorTable({
  badge_not_ready: notFound({ meaning: 'The session exists and has no badge yet.', retry: 'Ask again after approval.' }),
  badge_not_earned: gone({
    meaning: 'The session ended without approved work, so it never gets a badge.',
    next: [
      get('/verifier/result?sessionId={sessionId}', 'Read the result of the session; nextActions names what is left to do.'),
      CHOOSE_ANOTHER,
    ],
  }),
})
