import type { SessionStatus } from '../../schemas/sessions/record.ts'
import type { VerdictOutcome } from '../../schemas/sessions/verdicts.ts'
import type { Seen } from '../pull-requests/observation.ts'

/** What a look found, and what is known beside it. */
export interface Found extends Seen {
  outcome: VerdictOutcome
  detail: string
  /** Of the session, when it was looked at. */
  status: SessionStatus
  /** True when somebody asked for a verdict. */
  decisive: boolean
}

const FIRST_IS_ASKED_FOR =
  'Approved as it stands; the first verdict is an operator’s, or comes by itself once merge, state, head, what its checks say or what its text names has changed.'
const CHECKS_DUE = 'Approved as it stands; its checks have not ended, and until they have, or it is merged, the verdict is an operator’s.'

/**
 * Why a look settles nothing; null when its finding is a verdict. An approval settles by itself once something changed since the first
 * sight: what was merged or green before is not paid unseen, nor is what its checks have still to speak on. So does a fault of the
 * platform, which people must hear of. They hear of it once: after that the session is theirs. Source: specification, "The codehost_pr verdict runs first by the operator".
 */
export function heldBecause({ outcome, detail, status, changed, checksAreDue, decisive }: Found): string | null {
  if (decisive) return null
  if (outcome === 'platform_fault' && status === 'submitted') return null
  if (outcome !== 'approved') return detail
  if (!changed) return `${FIRST_IS_ASKED_FOR} ${detail}`
  return checksAreDue ? `${CHECKS_DUE} ${detail}` : null
}
