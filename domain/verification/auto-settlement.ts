import type { SessionStatus } from '../../schemas/sessions/record.ts'
import type { VerdictOutcome } from '../../schemas/sessions/verdicts.ts'

/** Finding of one evaluation of a pull request, with the facts that decide whether it becomes a verdict. */
export interface EvaluatedFinding {
  outcome: VerdictOutcome
  detail: string
  /** Status of the session at the evaluation. */
  status: SessionStatus
  /** True when an operator or verifier requested a verdict. */
  decisive: boolean
  /** Why an approval does not settle by itself; null when it does. */
  settlementBlock: string | null
}

/**
 * Why an evaluation settles nothing; null when its finding becomes a verdict. Without a request only an approval does, and a platform fault
 * once, which starts a review. Source: specification, "The codehost_pr verdict runs first by the operator".
 */
export function findWaitReason({ outcome, detail, status, decisive, settlementBlock }: EvaluatedFinding): string | null {
  if (decisive) return null
  if (outcome === 'platform_fault' && status === 'submitted') return null
  if (outcome !== 'approved') return detail
  return settlementBlock === null ? null : `${detail} ${settlementBlock}`
}
