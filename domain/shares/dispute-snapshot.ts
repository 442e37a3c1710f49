import type { SharedResource } from '../../schemas/shares/shapes.ts'
import { pickCodes } from './redaction.ts'

type Facts = Readonly<Record<string, unknown>>

/** Members of a dispute that a share shows. */
export const SHARED_DISPUTE = [
  ...['id', 'status', 'deadline', 'openedAt', 'windowEndsAt', 'slaSeconds', 'stage', 'origin', 'reason', 'since', 'sessionId', 'jobId'],
  ...['chainJobId', 'claimant', 'respondent', 'sessionStatus', 'chainState', 'evidenceHash', 'asset', 'remainingPayout', 'stakedAmount'],
  ...['claimFee', 'totalClaimLock', 'verdict', 'reasonCode', 'decidedBy', 'decidedAt', 'source', 'chainStatus', 'reasoningHash', 'txHash'],
  ...['workerPayout', 'payoutSource', 'payoutMismatch'],
] as const
/** Members of the release of the bond. */
export const SHARED_RELEASE = ['action', 'chainStatus', 'txHash', 'amount'] as const
const ENTRY = ['id', 'at', 'actor', 'action'] as const
/** Facts of an entry of its timeline. */
export const SHARED_DISPUTE_FACTS = [
  'verdict',
  'workerPayout',
  'reasoningHash',
  'reasonCode',
  'origin',
  'deadline',
  'evidenceHash',
  'openedAt',
  'txHash',
] as const

const factsOf = (value: unknown): Facts => (typeof value === 'object' && value !== null ? (value as Facts) : {})

/** Parties, deadlines, verdict and money of a dispute; no evidence, and a rationale only if it is public content. */
export const disputeSnapshot = (dispute: Facts, timeline: readonly Facts[], publicRationale: string | null): SharedResource => ({
  kind: 'dispute_snapshot',
  dispute: {
    ...pickCodes(dispute, SHARED_DISPUTE),
    ...(publicRationale !== null && { rationale: publicRationale }),
    release: pickCodes(factsOf(dispute.release), SHARED_RELEASE),
    timeline: timeline.map((entry) => ({ ...pickCodes(entry, ENTRY), data: pickCodes(factsOf(entry.data), SHARED_DISPUTE_FACTS) })),
  },
})
