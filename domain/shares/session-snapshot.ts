import type { SharedResource } from '../../schemas/shares/shapes.ts'
import { pickCodes } from './redaction.ts'

type Facts = Readonly<Record<string, unknown>>

const SESSION = [
  ...['sessionId', 'jobId', 'chainJobId', 'wallet', 'status', 'chainState', 'since', 'claimedAt', 'claimExpiresAt', 'claimTtlSeconds'],
  ...['updatedAt', 'submittedAt', 'rejectedAt', 'disputedAt', 'resolvedAt', 'closedAt', 'expiredAt', 'timedOutAt', 'rejectionFinalizedAt'],
  ...['evidenceHash', 'workReceiptId', 'verificationSummary', 'disputeResolution', 'badgeSnapshot'],
  ...['claimStake', 'claimStakeRaw', 'claimStakeBps', 'claimFee', 'claimFeeRaw', 'claimFeeBps', 'totalClaimLock', 'totalClaimLockRaw'],
  ...['claimNumber', 'claimEconomicsWaived', 'gasRetention'],
] as const

const PAYOUT = ['txHash', 'blockNumber', 'status', 'settlement'] as const

const ENTRY = ['sequence', 'id', 'type', 'at', 'recordedAt', 'blockTime', 'phase', 'source', 'topic', 'severity'] as const

const ENTRY_DATA = [
  ...'to from reason reasonCode status phase outcome handler verdict action origin protocol'.split(' '),
  ...['submissionKind', 'schemaRef', 'workerPayout', 'amount', 'txHash', 'receiptId', 'disputeId', 'openedAt', 'windowEndsAt'],
  ...['slaSeconds', 'chainStatus', 'expected', 'observed', 'observedState', 'claimExpiresAt'],
]

const isFacts = (value: unknown): value is Facts => typeof value === 'object' && value !== null && !Array.isArray(value)
const factsOf = (value: unknown): Facts => (isFacts(value) ? value : {})

const entryOf = (entry: Facts) => {
  const data = factsOf(entry.data)
  return { ...pickCodes(entry, ENTRY), data: pickCodes({ ...factsOf(data.metadata), ...data }, ENTRY_DATA) }
}

/** State, times, money and timeline of a session; no submission, no text by people, no idempotency key. */
export const sessionSnapshot = (session: Facts, timeline: readonly Facts[]): SharedResource => ({
  kind: 'session_audit_trail',
  session: {
    ...pickCodes(session, SESSION),
    ...(isFacts(session.payoutTx) && { payoutTx: pickCodes(session.payoutTx, PAYOUT) }),
  },
  timeline: timeline.map(entryOf),
})
