import { ServiceError } from '../../schemas/errors.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import { expectedPullRequest } from '../pull-requests/expected.ts'
import { verifySnapshot } from '../sessions/snapshot.ts'
import { type AcceptedSubmission, checkSubmission } from './submission.ts'

/**
 * Checks a submission against the terms pinned at the claim. Throws `invalid_request` or `invalid_submission_shape` for the worker to correct,
 * and `job_definition_integrity_invalid` when the pin does not verify.
 */
export const checkPinnedSubmission = (session: SessionRecord, submission: unknown): AcceptedSubmission => {
  const pin = verifySnapshot(session.jobSnapshot, session.jobId)
  if (!pin.ok)
    throw new ServiceError('job_definition_integrity_invalid', {
      reason: pin.code,
      details: { sessionId: session.sessionId, jobId: session.jobId },
    })
  const { ref, schema } = pin.snapshot.outputSchema
  const checked = checkSubmission({ schemaRef: ref, schema, pullRequest: expectedPullRequest(pin.definition) }, submission)
  if (checked.valid) return checked
  throw new ServiceError(checked.code, { detail: checked.message, errors: checked.errors, details: checked.details })
}
