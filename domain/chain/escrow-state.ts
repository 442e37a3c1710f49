import type { ChainJobState } from '../../schemas/chain/job-state.ts'
import { isPast } from '../common/instants.ts'

/** Progress of a claim's work, by the state of its escrow job. */
const WORK: Record<ChainJobState, 'not submitted' | 'submitted' | 'decided'> = {
  none: 'not submitted',
  open: 'not submitted',
  claimed: 'not submitted',
  cancelled: 'not submitted',
  submitted: 'submitted',
  rejected: 'decided',
  disputed: 'decided',
  closed: 'decided',
}

/** Whether a verifier has decided the job on chain; only a verdict leads to these states. */
export const isDecided = (escrow: ChainJobState): boolean => WORK[escrow] === 'decided'

/**
 * Whether a fork removed a recorded submission for good. A fork can also restore it until the claim lapses, by the later of both expiry
 * times. Times are epoch ms; `blockTime` is that of the block read.
 */
export const isSubmissionLost = (
  { claimExpiresAt }: { claimExpiresAt: number },
  escrow: { state: ChainJobState; claimExpiresAt: number | null },
  blockTime: number,
): boolean => {
  const lapsesAt = escrow.state === 'claimed' ? Math.max(claimExpiresAt, escrow.claimExpiresAt ?? 0) : claimExpiresAt
  return WORK[escrow.state] === 'not submitted' && isPast(lapsesAt, blockTime)
}
