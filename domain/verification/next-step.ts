/** State of a verification that decides its next step. */
export interface VerificationState {
  /** Reason for the end; null while it runs. */
  ended: string | null
  /** True for a watched pull request; other submissions go to their handler. */
  watches: boolean
  underReview: boolean
  /** ISO 8601; null until the submission is read. */
  slaDeadline: string | null
}

/** Next step of a verification, as a text for operators. */
export function describeNextStep({ ended, watches, underReview, slaDeadline }: VerificationState): string {
  if (ended !== null) return `nothing: ${ended}`
  if (slaDeadline === null) return 'the record of the submission'
  const next = watches ? 'a change of the pull request or an operator' : 'a verdict of the handler'
  return underReview ? `${next}; people have it` : `${next}; people at ${slaDeadline}`
}
