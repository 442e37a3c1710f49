/** Members of submissions and their checks. */
export const CLAIM_MEMBERS = {
  submission: 'The work: an object as the schema of the job describes it.',
  valid: 'Whether submit accepts it: it matches the schema, and its pull request is one of the job.',
  submitSafe: 'Whether submit accepts it and its terms alone do not decide that the verifier rejects it.',
  submitEndpoint: 'Route that takes the submission.',
  requiredTopLevelKeys: 'Members that the schema requires.',
  submissionKind: 'Whether the submission is an object or a text.',
  normalizedSubmission: 'The submission as it would be stored.',
  normalizedFrom: 'Wrapper that was removed.',
  hint: 'What to do.',
  footer: 'Text for the body of the pull request.',
  errorPaths: 'Paths of the failed members.',
} as const
