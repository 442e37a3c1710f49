/** Why a source could not be read. */
export const SOURCE_FAULTS = {
  source_unreadable: 'The source did not answer, or not with what it documents.',
  source_rate_limited: 'The source asks to wait.',
  source_refused: 'The source refuses the request: access, address or input.',
  source_too_large: 'An answer of the source is longer than the service reads.',
  budget_exhausted: 'The run has made as many requests as it may.',
} as const
export type SourceFault = keyof typeof SOURCE_FAULTS

/** Facts of fetched bytes that a worker has to give and the definition only commits to; each as `name value`. Source: rulings on answers that are not public. */
export type CommittedFacts = readonly string[]

/** A text of a candidate that its source wrote, by its place in the candidate. Untrusted. */
export interface SourceText {
  /** JSON pointer in the candidate. */
  pointer: string
  value: string
}
