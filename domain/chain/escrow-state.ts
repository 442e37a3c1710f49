import type { ChainJobState } from '../../schemas/chain/job-state.ts'
import { isPast } from '../common/instants.ts'

/** How far the work of a claim is by the state of its escrow job. */
const WORK: Record<ChainJobState, 'not handed in' | 'handed in' | 'decided'> = {
  none: 'not handed in',
  open: 'not handed in',
  claimed: 'not handed in',
  cancelled: 'not handed in',
  submitted: 'handed in',
  rejected: 'decided',
  disputed: 'decided',
  closed: 'decided',
}

/** Whether somebody with the verifier's role has given a verdict: nothing else brings an escrow job there. */
export const isDecided = (escrow: ChainJobState): boolean => WORK[escrow] === 'decided'

/**
 * Whether the chain has lost a recorded submission for good. A fork may take it away and bring it back, so its absence is waited out; once
 * its claim has lapsed nothing brings it back, also where the fork has the claim itself in a later block. Times are epoch ms, `blockTime` that
 * of the block that was read.
 */
export const isSubmissionLost = (
  { claimExpiresAt }: { claimExpiresAt: number },
  escrow: { state: ChainJobState; claimExpiresAt: number | null },
  blockTime: number,
): boolean => {
  const lapsesAt = escrow.state === 'claimed' ? Math.max(claimExpiresAt, escrow.claimExpiresAt ?? 0) : claimExpiresAt
  return WORK[escrow.state] === 'not handed in' && isPast(lapsesAt, blockTime)
}
