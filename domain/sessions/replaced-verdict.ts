import type { DisputeResolution, SessionRecord } from '../../schemas/sessions/record.ts'
import type { RoundVerdict, VerdictItem, VerdictOutcome } from '../../schemas/sessions/verdicts.ts'
import { decisionItems } from './verdict-items.ts'

/** Outcome of a verification after its dispute; null for a time-out, which keeps the verifier's outcome. */
const OUTCOMES: Readonly<Record<RoundVerdict, VerdictOutcome | null>> = {
  upheld: 'rejected',
  dismissed: 'approved',
  split: 'approved',
  timeout: null,
  approved: 'approved',
  rejected: 'rejected',
}

/** Verdict that replaces the verifier's verdict. */
export interface Replacement {
  outcome: VerdictOutcome
  reasonCode: string
  /** ISO 8601: block time of the dispute's end, or time of the operator's overturn. */
  resolvedAt: string
  items: VerdictItem[]
}

type Disputed = Pick<SessionRecord, 'status' | 'disputeResolution' | 'operatorOverturn'>

const describe = (outcome: VerdictOutcome, { kind, verdict, reasonCode, decidedAt }: DisputeResolution): Replacement => ({
  outcome,
  reasonCode,
  resolvedAt: decidedAt,
  items: decisionItems({ kind, verdict }),
})

const verdictOfDispute = ({ status, disputeResolution, operatorOverturn }: Disputed): Replacement | null => {
  if (disputeResolution !== null) {
    const outcome = OUTCOMES[disputeResolution.verdict]
    return outcome === null ? null : describe(outcome, disputeResolution)
  }
  if (status !== 'disputed' || operatorOverturn === null) return null
  return { outcome: 'disputed', reasonCode: 'operator_overturn', resolvedAt: operatorOverturn.at, items: [] }
}

/**
 * Verdict that replaces the verifier's verdict after a dispute; null while that one counts, or when the outcome is the same. An overturned
 * rejection is disputed until the arbitrator decides. Source: lifecycle, "Review loop, human verdict, overturn".
 */
export const replacementOf = (session: Disputed, verdict: { outcome: string }): Replacement | null => {
  const replacement = verdictOfDispute(session)
  return replacement === null || replacement.outcome === verdict.outcome ? null : replacement
}
