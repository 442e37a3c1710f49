import { errorTable, get, wait } from '../common/error-row.ts'

/** Disputes and their verdicts. */
export const DISPUTE_ERRORS = errorTable({
  dispute_not_found: {
    status: 404,
    title: 'Dispute not found',
    meaning: 'No dispute has this id, or it is not visible.',
    reaction: 'Check the id.',
    nextActions: [get('/disputes', 'List the disputes you may see.')],
  },
  dispute_already_decided: {
    title: 'Dispute decided',
    meaning: 'The dispute has a verdict, which is final.',
    reaction: 'Read the verdict with GET /disputes/:id.',
    nextActions: [get('/disputes/{disputeId}', 'Read the verdict.'), get('/disputes', 'List the disputes you may see.')],
  },
  dispute_timeout_not_reached: {
    title: 'Too early for the time-out',
    meaning: 'The deadline of the dispute has not passed.',
    nextActions: [wait('Wait for the deadline.')],
  },
  dispute_file_not_ready: {
    title: 'No file yet',
    meaning: 'The file of a dispute is signed when its session has ended.',
    reaction: 'Ask again when the dispute has ended.',
    nextActions: [get('/disputes/{disputeId}', 'See the deadline of the dispute.'), wait('Ask again when the dispute has ended.')],
  },
  dispute_file_impossible: {
    status: 410,
    title: 'No file',
    meaning: 'The session ended without a settlement on chain, so no file is signed.',
    reaction: 'Read the dispute and the timeline of the session.',
    nextActions: [get('/disputes/{disputeId}', 'Read the dispute.'), get('/disputes', 'List the disputes you may see.')],
  },
  overturn_window_closed: {
    title: 'Overturn window closed',
    meaning: 'The rejection is final.',
    reaction: 'Nothing can be done.',
    nextActions: [get('/admin/sessions?status=rejected', 'Find rejections that can still be overturned.')],
  },
})
