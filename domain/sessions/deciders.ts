/** Handler of a verdict that another verifier sent directly on chain. */
export const ON_CHAIN = 'chain'
/** Handler of a reviewer's verdict. */
export const HUMAN_REVIEW = 'human_review'

/** Whether a handler of the service gave the verdict, and no person. */
export const isMachine = ({ handler }: { handler: string }): boolean => handler !== ON_CHAIN && handler !== HUMAN_REVIEW
