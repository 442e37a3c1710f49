import { defineEntity, p } from '@mikro-orm/core'
import { instant, rawAmount } from '../entities/columns.ts'

/** A claim admitted but not yet a session: written before anything is sent, with the exact admitted terms. One open per job. */
export const ClaimIntent = defineEntity({
  name: 'ClaimIntent',
  tableName: 'claim_intent',
  properties: {
    /** Run id of the claim workflow: one run is one attempt. */
    runId: p.text().primary(),
    jobId: p.text(),
    wallet: p.text(),
    sessionId: p.text(),
    attempt: p.integer(),
    status: p.text(),
    stage: p.text(),
    terms: p.json<Record<string, unknown>>(),
    exposureRaw: rawAmount(),
    subsidyRaw: rawAmount(),
    idempotencyKey: p.text(),
    requestId: p.text().nullable(),
    failureCode: p.text().nullable(),
    createdAt: instant(),
    closedAt: instant().nullable(),
  },
})

/** One attempt of one wallet on one job. Only its claim workflow writes it, by compare-and-set on `version`. */
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
    /** End of the review of what was submitted; null before that, and where a release before 0011 took it. */
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
    /** reward + brokered gas estimate while the session is open; counts against the wallet's valves. */
    exposureRaw: rawAmount(),
    /** False for a session that ended by platform fault, inconclusive verification or a failed brokered submit. */
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
    /** How an operator closed it, with what the chain showed; null unless one did. */
    operatorClose: p.json<Record<string, unknown>>().nullable(),
    disputeResolution: p.json<Record<string, unknown>>().nullable(),
    humanReview: p.json<Record<string, unknown>>().nullable(),
    operatorOverturn: p.json<Record<string, unknown>>().nullable(),
  },
})

/** Hash-chained audit of a session's moves; `seq` starts at 1. */
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

/** A decided verdict. The record is written once; a session may have several (re-verification, human verdict). */
export const Verification = defineEntity({
  name: 'Verification',
  tableName: 'verification',
  properties: {
    id: p.text().primary(),
    sessionId: p.text(),
    jobId: p.text(),
    seq: p.integer(),
    outcome: p.text(),
    reasonCode: p.text(),
    handler: p.text(),
    handlerVersion: p.integer(),
    score: p.integer(),
    verdict: p.json<Record<string, unknown>>(),
    decidedAt: instant(),
  },
})

export const Badge = defineEntity({
  name: 'Badge',
  tableName: 'badge',
  properties: {
    sessionId: p.text().primary(),
    jobId: p.text(),
    worker: p.text(),
    category: p.text(),
    level: p.integer(),
    evidenceHash: p.text(),
    chainJobId: p.text(),
    issuedAt: instant(),
    document: p.json<Record<string, unknown>>(),
  },
})

/** Append-only ledger; scores are sums of the applied columns. Unique per (session, kind). */
export const ReputationEvent = defineEntity({
  name: 'ReputationEvent',
  tableName: 'reputation_event',
  properties: {
    seq: p.bigint().primary().autoincrement(),
    wallet: p.text(),
    sessionId: p.text(),
    kind: p.text(),
    nominalSkill: p.integer(),
    nominalReliability: p.integer(),
    nominalEconomic: rawAmount(),
    appliedSkill: p.integer(),
    appliedReliability: p.integer(),
    appliedEconomic: rawAmount(),
    reason: p.text(),
    scoringVersion: p.integer(),
    at: instant(),
  },
})

/** Onboarding subsidy spent on a waived, brokered claim; one per session, counted per UTC day. */
export const SubsidyReservation = defineEntity({
  name: 'SubsidyReservation',
  tableName: 'subsidy_reservation',
  properties: {
    sessionId: p.text().primary(),
    runId: p.text(),
    wallet: p.text(),
    day: p.text(),
    amountRaw: rawAmount(),
    createdAt: instant(),
  },
})

/** Outbox. `seq` is the public sequence, assigned after commit by one relay (serials commit out of order). */
export const Event = defineEntity({
  name: 'Event',
  tableName: 'event',
  properties: {
    id: p.bigint().primary().autoincrement(),
    seq: p.bigint().nullable(),
    topic: p.text(),
    source: p.text(),
    phase: p.text(),
    severity: p.text(),
    correlationId: p.text(),
    wallets: p.json<string[]>(),
    jobId: p.text().nullable(),
    sessionId: p.text().nullable(),
    blockNumber: p.bigint().nullable(),
    txHash: p.text().nullable(),
    at: instant(),
    data: p.json<Record<string, unknown>>(),
  },
})
