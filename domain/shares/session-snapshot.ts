import type { SharedResource } from '../../schemas/shares/shapes.ts'
import { pickCodes } from './redaction.ts'

type Facts = Readonly<Record<string, unknown>>

/** Members of a session that a share shows. */
export const SHARED_SESSION = [
  ...[
    'sessionId',
    'jobId',
    'chainJobId',
    'wallet',
    'nativeAccount',
    'status',
    'chainState',
    'since',
    'claimedAt',
    'claimExpiresAt',
    'claimTtlSeconds',
  ],
  ...['updatedAt', 'submittedAt', 'rejectedAt', 'disputedAt', 'resolvedAt', 'closedAt', 'expiredAt', 'timedOutAt', 'rejectionFinalizedAt'],
  ...['evidenceHash', 'workReceiptId', 'verificationSummary', 'disputeResolution', 'badgeSnapshot'],
  ...['claimStake', 'claimStakeRaw', 'claimStakeBps', 'claimFee', 'claimFeeRaw', 'claimFeeBps', 'totalClaimLock', 'totalClaimLockRaw'],
  ...['claimNumber', 'claimEconomicsWaived', 'gasRetention'],
] as const

/** Members of its payout. */
export const SHARED_PAYOUT = ['txHash', 'blockNumber', 'status', 'settlement'] as const

const ENTRY = ['sequence', 'id', 'type', 'at', 'recordedAt', 'blockTime', 'phase', 'source', 'topic', 'severity'] as const

/** Facts of an entry of its timeline. */
export const SHARED_SESSION_FACTS = [
  ...['to', 'from', 'reason', 'reasonCode', 'status', 'phase', 'outcome', 'handler', 'verdict', 'action', 'origin', 'protocol'],
  ...['submissionKind', 'schemaRef', 'workerPayout', 'amount', 'txHash', 'receiptId', 'disputeId', 'openedAt', 'windowEndsAt'],
  ...['slaSeconds', 'chainStatus', 'expected', 'observed', 'observedState', 'claimExpiresAt'],
] as const

const isFacts = (value: unknown): value is Facts => typeof value === 'object' && value !== null && !Array.isArray(value)
const factsOf = (value: unknown): Facts => (isFacts(value) ? value : {})

const entryOf = (entry: Facts) => {
  const data = factsOf(entry.data)
  return { ...pickCodes(entry, ENTRY), data: pickCodes({ ...factsOf(data.metadata), ...data }, SHARED_SESSION_FACTS) }
}

/** State, times, money and timeline of a session; no submission, no text by people, no idempotency key. */
export const sessionSnapshot = (session: Facts, timeline: readonly Facts[]): SharedResource => ({
  kind: 'session_audit_trail',
  session: {
    ...pickCodes(session, SHARED_SESSION),
    ...(isFacts(session.payoutTx) && { payoutTx: pickCodes(session.payoutTx, SHARED_PAYOUT) }),
  },
  timeline: timeline.map(entryOf),
})
