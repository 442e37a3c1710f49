import { errorTable, get, notFound } from '../common/error-row.ts'

/** The published session log. */
export const SESSION_LOG_ERRORS = errorTable({
  log_head_not_found: notFound({
    title: 'No head',
    meaning: 'The log has no head of that day; a day is closed at its end.',
    reaction: 'Read the heads.',
    next: get('/log/heads', 'See which days are closed.'),
  }),
})
