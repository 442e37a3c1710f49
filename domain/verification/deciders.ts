import type { DecidedBy } from '../reputation/badge.ts'

/** Handler of a verdict that another holder of the verifier's role gave on chain: by whom it was decided, and how, nobody told us. */
export const ON_CHAIN = 'chain'
/** Handler of a verdict that people gave. */
export const HUMAN_REVIEW = 'human_review'

/** Who decided, as a badge says it. */
export const deciderOf = ({ handler }: { handler: string }): DecidedBy =>
  handler === ON_CHAIN || handler === HUMAN_REVIEW ? 'person' : 'machine'
