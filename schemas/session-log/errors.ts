import { errorTable } from '../common/error-row.ts'

/** The published session log. */
export const SESSION_LOG_ERRORS = errorTable({
  log_head_not_found:
    '404 | No head | The log has no head of that day; a day is closed at its end. | Read the heads. | GET /log/heads: See which days are closed.',
})
