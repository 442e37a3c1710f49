import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { RoundVerdict, VerdictOutcome } from '../../schemas/sessions/verdicts.ts'

/** What a verification reads after the end of a dispute. Of a time-out nobody's word came: the verifier's stays. */
const OUTCOMES: Readonly<Record<RoundVerdict, VerdictOutcome | null>> = {
  upheld: 'rejected',
  dismissed: 'approved',
  split: 'approved',
  timeout: null,
  approved: 'approved',
  rejected: 'rejected',
}

/** What stands in the place of a verifier's verdict. */
export interface Replacement {
  outcome: VerdictOutcome
  reasonCode: string
  /** ISO 8601: block time of the end of the dispute, or when the operator overturned. */
  at: string
}

type Disputed = Pick<SessionRecord, 'status' | 'disputeResolution' | 'operatorOverturn'>

const disputeSays = ({ status, disputeResolution, operatorOverturn }: Disputed): Replacement | null => {
  if (disputeResolution !== null) {
    const outcome = OUTCOMES[disputeResolution.verdict]
    return outcome === null ? null : { outcome, reasonCode: disputeResolution.reasonCode, at: disputeResolution.decidedAt }
  }
  if (status !== 'disputed' || operatorOverturn === null) return null
  return { outcome: 'disputed', reasonCode: 'operator_overturn', at: operatorOverturn.at }
}

/**
 * What a dispute put in the place of a verifier's verdict; null while that stands, also where the dispute ended as it says. A rejection
 * that an operator overturned is open again until the arbitrator decides. Source: lifecycle, "Review loop, human verdict, overturn".
 */
export const replacementOf = (session: Disputed, verdict: { outcome: string }): Replacement | null => {
  const said = disputeSays(session)
  return said === null || said.outcome === verdict.outcome ? null : said
}
