/** Where a verification stands, as far as its next step depends on it. */
export interface VerificationStanding {
  /** Why no step comes any more; null while one does. */
  ended: string | null
  /** A pull request is watched; everything else is asked of its handler. */
  watches: boolean
  underReview: boolean
  /** ISO 8601; null until the submission was read. */
  slaDeadline: string | null
}

/** What a verification waits for, in words for operators. */
export function nextOfVerification({ ended, watches, underReview, slaDeadline }: VerificationStanding): string {
  if (ended !== null) return `nothing: ${ended}`
  if (slaDeadline === null) return 'the record of the submission'
  const next = watches ? 'a change of the pull request or an operator' : 'a verdict of the handler'
  return underReview ? `${next}; people have it` : `${next}; people at ${slaDeadline}`
}
