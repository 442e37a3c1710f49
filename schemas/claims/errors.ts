import { badRequest, CHOOSE_ANOTHER, errorTable, OWN_SESSIONS, post, READ_SESSION, REPORT } from '../common/error-row.ts'

const CLAIM_AGAIN = post('/jobs/claim', 'Claim again if attempts remain.')

/** Claims and submissions. */
export const CLAIM_ERRORS = errorTable({
  job_already_claimed: { meaning: 'Another wallet holds this job.', next: CHOOSE_ANOTHER },
  claim_in_progress: { meaning: 'A claim of this job is in progress.', retry: 'Repeat after Retry-After.' },
  idempotency_key_already_used: {
    title: 'Key of an ended session',
    meaning: 'This key belongs to a session that has ended.',
    next: post('/jobs/claim', 'Claim again with a fresh key if attempts remain.'),
  },
  job_definition_chain_mismatch: {
    title: 'Definition differs from chain',
    meaning: 'The stored definition is not the one on chain.',
    reaction: 'A platform fault: report it.',
    next: [REPORT, CHOOSE_ANOTHER],
  },
  job_definition_integrity_invalid: {
    title: 'Definition damaged',
    meaning: 'The stored definition does not match its hash.',
    reaction: 'A platform fault: report it.',
    next: [REPORT, CHOOSE_ANOTHER],
  },
  claim_expired: { meaning: 'The time to submit has passed.', next: CLAIM_AGAIN },
  invalid_submission_shape: badRequest({
    title: 'Submission wrapped wrongly',
    meaning: 'The schema object was wrapped under "output".',
    reaction: 'Send the schema object directly as "submission".',
    next: post('/jobs/validate-submission', 'Check the submission before you send it again.'),
  }),
  submit_in_progress: {
    title: 'Submission in progress',
    meaning: 'A submission of this session is in progress.',
    retry: 'Repeat after Retry-After.',
    next: READ_SESSION,
  },
  brokered_submit_expired: {
    title: 'Submission came too late',
    meaning: 'The claim ended before the submission reached the chain.',
    next: CLAIM_AGAIN,
  },
  external_direct_submit_evidence_mismatch: {
    title: 'Evidence differs',
    meaning: 'The evidence hash on chain does not match this submission.',
    next: post('/jobs/submit', 'Send the submission whose hash is on chain.'),
  },
  external_self_paid_claim_required: {
    title: 'Claim by your own transaction',
    meaning: 'The worker of a posted job sends and pays the transaction that claims it.',
    retry: 'Repeat the request once the transaction is mined.',
    next: CLAIM_AGAIN,
  },
  external_self_paid_submit_required: {
    title: 'Submit by your own transaction',
    meaning: 'The worker of a posted job sends and pays the transaction that submits the hash of the work.',
    retry: 'Repeat the request once the transaction is mined.',
    next: post('/jobs/submit', 'Send the same submission again.'),
  },
  external_direct_submit_state_mismatch: {
    title: 'Escrow in another state',
    meaning: 'The escrow does not hold the claim of this session.',
    next: [READ_SESSION, OWN_SESSIONS],
  },
  claim_not_admitted: {
    title: 'Claim not admitted',
    meaning: 'The wallet claimed the job on chain although it may not work on it.',
    reaction: 'Read `refusedBy` of the session. Work of this claim is rejected.',
    next: [READ_SESSION, OWN_SESSIONS],
  },
})
