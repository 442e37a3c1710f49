import { errorTable } from '../common/error-row.ts'

/** Claims and submissions. */
export const CLAIM_ERRORS = errorTable({
  job_already_claimed: '409 | Job already claimed | Another wallet holds this job. | Choose another job. | GET /jobs/recommendations',
  claim_in_progress: '409 | Claim in progress | A claim of this job is in progress. | Repeat after Retry-After. | retryable',
  idempotency_key_already_used:
    '409 | Key of an ended session | This key belongs to a session that has ended. | Claim again with a fresh key if attempts remain. | POST /jobs/claim',
  job_definition_chain_mismatch:
    '409 | Definition differs from chain | The stored definition is not the one on chain. | A platform fault: report it. | GET /health: Report the request id to the operator. /health shows the state of the service. | GET /jobs/recommendations: Choose another job.',
  job_definition_integrity_invalid:
    '409 | Definition damaged | The stored definition does not match its hash. | A platform fault: report it. | GET /health: Report the request id to the operator. /health shows the state of the service. | GET /jobs/recommendations: Choose another job.',
  claim_expired: '409 | Claim expired | The time to submit has passed. | Claim again if attempts remain. | POST /jobs/claim',
  invalid_submission_shape:
    '400 | Submission wrapped wrongly | The schema object was wrapped under "output". | Send the schema object directly as "submission". | POST /jobs/validate-submission: Check the submission before you send it again.',
  submit_in_progress:
    '409 | Submission in progress | A submission of this session is in progress. | Repeat after Retry-After. | retryable | GET /session?sessionId={sessionId}: Read the session.',
  brokered_submit_expired:
    '409 | Submission came too late | The claim ended before the submission reached the chain. | Claim again if attempts remain. | POST /jobs/claim',
  external_direct_submit_evidence_mismatch:
    '409 | Evidence differs | The evidence hash on chain does not match this submission. | Send the submission whose hash is on chain. | POST /jobs/submit',
})
