import { errorTable } from '../common/error-row.ts'

/** Sessions and their state. */
export const SESSION_ERRORS = errorTable({
  session_not_found: '404 | Session not found | No session has this id. | List own sessions with GET /sessions. | GET /sessions',
  session_not_owned:
    '403 | Session of another wallet | This session belongs to another wallet. | Use the wallet that claimed the job. | GET /sessions: List own sessions.',
  session_entry_not_found:
    '404 | No such entry | The history of the session has no entry of that number. | Read the timeline without `at`. | GET /session/timeline?sessionId={sessionId}: Read the whole timeline. | GET /sessions: List own sessions.',
  invalid_session_transition:
    '409 | Session state does not allow it | The session cannot make this move from its state. | Read the session and act on its state. | GET /session?sessionId={sessionId}: Read the session. | GET /sessions: List own sessions.',
  session_already_closed:
    '409 | Session already closed | An operator has already closed this session. | Read the session. | GET /session/timeline?sessionId={sessionId}: Read how the session ended. | GET /admin/sessions: List sessions.',
  session_process_running:
    '409 | Workflow still running | The workflow of this session is running, and only it may end the session. | Wait until it has ended, or end it in the workflow engine first. | retryable',
  session_money_unsettled:
    '409 | Money still in the escrow | The escrow still holds the reward or the bond of this claim. | Settle the money on chain first; nextActions names the transactions. | wait',
})
