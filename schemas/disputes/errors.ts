import { errorTable, forbidden, get, gone, notFound, post, unavailable, wait } from '../common/error-row.ts'

const LIST_DISPUTES = get('/disputes', 'List the disputes you may see.')

/** Disputes and their verdicts. */
export const DISPUTE_ERRORS = errorTable({
  dispute_not_found: notFound({ meaning: 'No dispute has this id, or it is not visible.', reaction: 'Check the id.', next: LIST_DISPUTES }),
  dispute_already_decided: {
    title: 'Dispute decided',
    meaning: 'The dispute has a verdict, which is final.',
    reaction: 'Read the verdict with GET /disputes/:id.',
    next: [get('/disputes/{disputeId}', 'Read the verdict.'), LIST_DISPUTES],
  },
  dispute_timeout_not_reached: {
    title: 'Too early for the time-out',
    meaning: 'The deadline of the dispute has not passed.',
    next: wait('Wait for the deadline.'),
  },
  dispute_proof_required: {
    title: 'No passing result',
    meaning: 'Only a passing run of its profile pays this job; the profile has not passed in this round of the dispute.',
    reaction: 'Give the verdict upheld, or a split of one base unit, which returns the bond.',
    next: [
      post('/disputes/{disputeId}/verdict', 'Give the verdict upheld, or a split of one base unit.'),
      get('/disputes/{disputeId}', 'Read the dispute.'),
      LIST_DISPUTES,
    ],
  },
  dispute_proof_unavailable: unavailable({
    title: 'Profile without a result',
    meaning: 'The verdict needs a passing run of the profile, and the run has no result now.',
    retry: 'Repeat the verdict later: the profile then runs again.',
    next: get('/disputes/{disputeId}', 'Read the deadline of the dispute.'),
  }),
  dispute_file_not_ready: {
    title: 'No file yet',
    meaning: 'The file of a dispute is signed when its session has ended.',
    reaction: 'Ask again when the dispute has ended.',
    next: [get('/disputes/{disputeId}', 'See the deadline of the dispute.'), wait('Ask again when the dispute has ended.')],
  },
  dispute_file_impossible: gone({
    title: 'No file',
    meaning: 'The session ended without a settlement on chain, so no file is signed.',
    reaction: 'Read the dispute and the timeline of the session.',
    next: [get('/disputes/{disputeId}', 'Read the dispute.'), LIST_DISPUTES],
  }),
  dispute_statement_forbidden: forbidden({
    title: 'Not the worker',
    meaning: 'Only the worker of the session states its view of the dispute.',
    next: [get('/disputes/{disputeId}', 'Read the dispute and the statement of its worker.'), LIST_DISPUTES],
  }),
  overturn_window_closed: {
    meaning: 'The rejection is final.',
    reaction: 'Nothing can be done.',
    next: get('/admin/sessions?status=rejected', 'Find rejections that can still be overturned.'),
  },
})
