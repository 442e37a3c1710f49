import { defineEntity, p } from '@mikro-orm/core'
import { instant, rawAmount } from '../entities/columns.ts'

/** One attempt of one wallet on one job. A status change is a compare-and-set on `version`. */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'session',
  properties: {
    sessionId: p.text().primary(),
    jobId: p.text(),
    wallet: p.text(),
    attempt: p.integer(),
    chainJobId: p.text(),
    runId: p.text(),
    idempotencyKey: p.text(),
    protocolHistory: p.json<string[]>(),
    version: p.integer(),
    status: p.text(),
    chainState: p.text(),
    claimedAt: instant(),
    claimExpiresAt: instant(),
    updatedAt: instant(),
    submittedAt: instant().nullable(),
    /** End of the review; null before the submission. */
    reviewEndsAt: instant().nullable(),
    resolvedAt: instant().nullable(),
    rejectedAt: instant().nullable(),
    disputedAt: instant().nullable(),
    closedAt: instant().nullable(),
    expiredAt: instant().nullable(),
    timedOutAt: instant().nullable(),
    chainStateDivergedAt: instant().nullable(),
    rejectionFinalizedAt: instant().nullable(),
    rewardAsset: p.text(),
    rewardRaw: rawAmount(),
    claimStakeRaw: rawAmount(),
    claimStakeBps: p.integer(),
    claimFeeRaw: rawAmount(),
    claimFeeBps: p.integer(),
    claimNumber: p.integer(),
    waived: p.boolean(),
    brokered: p.boolean(),
    /** Reward plus estimated gas of the brokered claim; counts against the exposure limits. */
    exposureRaw: rawAmount(),
    /** False for a session that ended by platform fault, inconclusive verification or a failed brokered submission. */
    countsAsAttempt: p.boolean(),
    poster: p.text().nullable(),
    claimTxHash: p.text().nullable(),
    claimBlock: p.bigint().nullable(),
    evidence: p.json<Record<string, unknown>>(),
    jobSnapshot: p.json<Record<string, unknown>>(),
    submission: p.json<Record<string, unknown>>().nullable(),
    evidenceHash: p.text().nullable(),
    submitTxHash: p.text().nullable(),
    verificationSummary: p.json<Record<string, unknown>>().nullable(),
    verificationId: p.text().nullable(),
    payoutTx: p.json<Record<string, unknown>>().nullable(),
    claimReconciliation: p.json<Record<string, unknown>>().nullable(),
    chainStateDivergence: p.json<Record<string, unknown>>().nullable(),
    /** How an operator closed the session, with the observed chain state; null otherwise. */
    operatorClose: p.json<Record<string, unknown>>().nullable(),
    disputeResolution: p.json<Record<string, unknown>>().nullable(),
    humanReview: p.json<Record<string, unknown>>().nullable(),
    operatorOverturn: p.json<Record<string, unknown>>().nullable(),
  },
})

/** Hash-chained audit of the status changes of a session. `seq` starts at 1. */
export const SessionEvent = defineEntity({
  name: 'SessionEvent',
  tableName: 'session_event',
  primaryKeys: ['sessionId', 'seq'],
  properties: {
    sessionId: p.text().primary(),
    seq: p.integer().primary(),
    fromStatus: p.text().nullable(),
    toStatus: p.text(),
    reason: p.text(),
    at: instant(),
    metadata: p.json<Record<string, unknown>>(),
    previousHash: p.text().nullable(),
    hash: p.text(),
  },
})
