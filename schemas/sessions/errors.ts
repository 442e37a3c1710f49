import { errorTable, forbidden, get, notFound, OWN_SESSIONS, READ_SESSION, wait } from '../common/error-row.ts'

/** Sessions and their state. */
export const SESSION_ERRORS = errorTable({
  session_not_found: notFound({ meaning: 'No session has this id.', next: get('/sessions', 'List own sessions with GET /sessions.') }),
  session_not_owned: forbidden({
    title: 'Session of another wallet',
    meaning: 'This session belongs to another wallet.',
    reaction: 'Use the wallet that claimed the job.',
    next: OWN_SESSIONS,
  }),
  session_entry_not_found: notFound({
    title: 'No such entry',
    meaning: 'The history of the session has no entry of that number.',
    reaction: 'Read the timeline without `at`.',
    next: [get('/session/timeline?sessionId={sessionId}', 'Read the whole timeline.'), OWN_SESSIONS],
  }),
  invalid_session_transition: {
    title: 'Session state does not allow it',
    meaning: 'The session cannot make this move from its state.',
    reaction: 'Read the session and act on its state.',
    next: [READ_SESSION, OWN_SESSIONS],
  },
  session_already_closed: {
    meaning: 'An operator has already closed this session.',
    reaction: 'Read the session.',
    next: [get('/session/timeline?sessionId={sessionId}', 'Read how the session ended.'), get('/admin/sessions', 'List sessions.')],
  },
  session_process_running: {
    title: 'Workflow still running',
    meaning: 'The workflow of this session is running, and only it may end the session.',
    retry: 'Wait until it has ended, or end it in the workflow engine first.',
  },
  session_money_unsettled: {
    title: 'Money still in the escrow',
    meaning: 'The escrow still holds the reward or the bond of this claim.',
    next: wait('Settle the money on chain first; nextActions names the transactions.'),
  },
})
