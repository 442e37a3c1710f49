import type { SessionStatus } from '../../schemas/sessions/record.ts'
import type { VerdictOutcome } from '../../schemas/sessions/verdicts.ts'
import type { ReadingFacts } from '../pull-requests/observation.ts'

/** Finding of one evaluation of a pull request, with the facts that decide whether it settles. */
export interface EvaluatedFinding extends ReadingFacts {
  outcome: VerdictOutcome
  detail: string
  /** Status of the session at the evaluation. */
  status: SessionStatus
  /** True when an operator or verifier requested a verdict. */
  decisive: boolean
}

const WAITS_FOR_CHANGE = 'Waiting for an operator, or for the pull request to change.'
const WAITS_FOR_CHECKS = 'Waiting for its checks to complete, for its merge, or for an operator.'

/**
 * Why an evaluation settles nothing; null when its finding becomes a verdict. An approval settles automatically once the pull request changed
 * after its first reading and no check result is missing. So the service never pays without an operator for work merged before. A platform
 * fault becomes a verdict once and starts a review. Source: specification, "The codehost_pr verdict runs first by the operator".
 */
export function findWaitReason({ outcome, detail, status, changed, checksAreDue, decisive }: EvaluatedFinding): string | null {
  if (decisive) return null
  if (outcome === 'platform_fault' && status === 'submitted') return null
  if (outcome !== 'approved') return detail
  if (!changed) return `${detail} ${WAITS_FOR_CHANGE}`
  return checksAreDue ? `${detail} ${WAITS_FOR_CHECKS}` : null
}
