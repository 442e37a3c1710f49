import type { DecidedBy } from '../reputation/badge.ts'

/** Handler of a verdict that another verifier sent directly on chain. */
export const ON_CHAIN = 'chain'
/** Handler of a reviewer's verdict. */
export const HUMAN_REVIEW = 'human_review'

/** Who decided, for the badge. */
export const deciderOf = ({ handler }: { handler: string }): DecidedBy =>
  handler === ON_CHAIN || handler === HUMAN_REVIEW ? 'person' : 'machine'
