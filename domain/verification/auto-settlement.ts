import type { SessionStatus } from '../../schemas/sessions/record.ts'
import type { VerdictOutcome } from '../../schemas/sessions/verdicts.ts'
import type { Seen } from '../pull-requests/observation.ts'

/** Finding of one evaluation of a pull request, with the facts that decide whether it settles. */
export interface Found extends Seen {
  outcome: VerdictOutcome
  detail: string
  /** Status of the session at the evaluation. */
  status: SessionStatus
  /** True when an operator or verifier requested a verdict. */
  decisive: boolean
}

const WAITS_FOR_CHANGE = 'Waiting for an operator, or for the pull request to change.'
const WAITS_FOR_CHECKS = 'Waiting for its checks to end, for its merge, or for an operator.'

/**
 * Why an evaluation settles nothing; null when its finding becomes a verdict. An approval settles by itself once the pull request changed
 * since its first reading and no check result is missing: work that was merged or green before is not paid without an operator. A platform
 * fault becomes a verdict once, so that operators see it; after that the session is under review. Source: specification, "The codehost_pr verdict runs first by the operator".
 */
export function heldBecause({ outcome, detail, status, changed, checksAreDue, decisive }: Found): string | null {
  if (decisive) return null
  if (outcome === 'platform_fault' && status === 'submitted') return null
  if (outcome !== 'approved') return detail
  if (!changed) return `${detail} ${WAITS_FOR_CHANGE}`
  return checksAreDue ? `${detail} ${WAITS_FOR_CHECKS}` : null
}
