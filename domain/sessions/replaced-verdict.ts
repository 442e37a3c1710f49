import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { RoundVerdict, VerdictOutcome } from '../../schemas/sessions/verdicts.ts'

/** Outcome of a verification after the end of its dispute. A time-out replaces nothing: the verifier's outcome stays. */
const OUTCOMES: Readonly<Record<RoundVerdict, VerdictOutcome | null>> = {
  upheld: 'rejected',
  dismissed: 'approved',
  split: 'approved',
  timeout: null,
  approved: 'approved',
  rejected: 'rejected',
}

/** Verdict that replaces a verifier's. */
export interface Replacement {
  outcome: VerdictOutcome
  reasonCode: string
  /** ISO 8601: block time of the end of the dispute, or when the operator overturned. */
  at: string
}

type Disputed = Pick<SessionRecord, 'status' | 'disputeResolution' | 'operatorOverturn'>

const verdictOfDispute = ({ status, disputeResolution, operatorOverturn }: Disputed): Replacement | null => {
  if (disputeResolution !== null) {
    const outcome = OUTCOMES[disputeResolution.verdict]
    return outcome === null ? null : { outcome, reasonCode: disputeResolution.reasonCode, at: disputeResolution.decidedAt }
  }
  if (status !== 'disputed' || operatorOverturn === null) return null
  return { outcome: 'disputed', reasonCode: 'operator_overturn', at: operatorOverturn.at }
}

/**
 * The verdict that replaces a verifier's after a dispute; null while the verifier's counts, also where the dispute ended with the same
 * outcome. A rejection that an operator overturned is open again until the arbitrator decides. Source: lifecycle, "Review loop, human verdict, overturn".
 */
export const replacementOf = (session: Disputed, verdict: { outcome: string }): Replacement | null => {
  const replacement = verdictOfDispute(session)
  return replacement === null || replacement.outcome === verdict.outcome ? null : replacement
}
