import type { SessionSubmission } from '../../schemas/sessions/record.ts'

/** Payload of the content of a submission: the submitted object, or the submitted text as `rawText`. */
export const submissionPayload = (submission: SessionSubmission): Record<string, unknown> =>
  submission.kind === 'structured' ? submission.structured : { rawText: submission.rawText }
