interface Standing {
  sessionId: string
  deadlineAt: string | null
  /** A submission is on its way. */
  submitting: boolean
  /** An approval is being paid. */
  paying: boolean
}

const by = (deadlineAt: string | null): string => (deadlineAt === null ? '' : ` at ${deadlineAt}`)

/** What a claim waits for in a state, and what ends the silence, in words for operators. */
export const waitsFor = (state: string, { sessionId, deadlineAt, submitting, paying }: Standing): string => {
  switch (state) {
    case 'admitting':
      return 'its admission, then the chain'
    case 'pending':
      return 'the chain: the bond'
    case 'claimed':
      return submitting ? 'the chain: the submission' : `a submission; without one the claim expires${by(deadlineAt)}`
    case 'expiring':
      return 'the chain: the time-out of the claim'
    case 'submitted':
      return paying ? 'the chain: the payout' : `the verifier; without a verdict people are called${by(deadlineAt)}`
    case 'contested':
      return `the end of dispute/${sessionId}`
    default:
      return 'nothing'
  }
}
