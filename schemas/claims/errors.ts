import { errorTable, get, post } from '../common/error-row.ts'

const CLAIM_AGAIN = { nextActions: [post('/jobs/claim', 'Claim again if attempts remain.')] } as const

/** Claims and submissions. */
export const CLAIM_ERRORS = errorTable({
  job_already_claimed: {
    title: 'Job already claimed',
    meaning: 'Another wallet holds this job.',
    nextActions: [get('/jobs/recommendations', 'Choose another job.')],
  },
  claim_in_progress: {
    title: 'Claim in progress',
    meaning: 'A claim of this job is in progress.',
    reaction: 'Repeat after Retry-After.',
    retryable: true,
  },
  idempotency_key_already_used: {
    title: 'Key of an ended session',
    meaning: 'This key belongs to a session that has ended.',
    nextActions: [post('/jobs/claim', 'Claim again with a fresh key if attempts remain.')],
  },
  job_definition_chain_mismatch: {
    title: 'Definition differs from chain',
    meaning: 'The stored definition is not the one on chain.',
    reaction: 'A platform fault: report it.',
    nextActions: [
      get('/health', 'Report the request id to the operator. /health shows the state of the service.'),
      get('/jobs/recommendations', 'Choose another job.'),
    ],
  },
  job_definition_integrity_invalid: {
    title: 'Definition damaged',
    meaning: 'The stored definition does not match its hash.',
    reaction: 'A platform fault: report it.',
    nextActions: [
      get('/health', 'Report the request id to the operator. /health shows the state of the service.'),
      get('/jobs/recommendations', 'Choose another job.'),
    ],
  },
  claim_expired: { title: 'Claim expired', meaning: 'The time to submit has passed.', ...CLAIM_AGAIN },
  invalid_submission_shape: {
    status: 400,
    title: 'Submission wrapped wrongly',
    meaning: 'The schema object was wrapped under "output".',
    reaction: 'Send the schema object directly as "submission".',
    nextActions: [post('/jobs/validate-submission', 'Check the submission before you send it again.')],
  },
  submit_in_progress: {
    title: 'Submission in progress',
    meaning: 'A submission of this session is in progress.',
    reaction: 'Repeat after Retry-After.',
    retryable: true,
    nextActions: [get('/session?sessionId={sessionId}', 'Read the session.')],
  },
  brokered_submit_expired: {
    title: 'Submission came too late',
    meaning: 'The claim ended before the submission reached the chain.',
    ...CLAIM_AGAIN,
  },
  external_direct_submit_evidence_mismatch: {
    title: 'Evidence differs',
    meaning: 'The evidence hash on chain does not match this submission.',
    nextActions: [post('/jobs/submit', 'Send the submission whose hash is on chain.')],
  },
})
