import { defineEntity, p } from '@mikro-orm/core'
import { instant, rawAmount } from '../entities/columns.ts'
import type {
  ChainStateDivergence,
  ClaimReconciliation,
  DisputeResolution,
  HumanReview,
  OperatorClose,
  OperatorOverturn,
  Payout,
  SessionProtocol,
  SessionStatus,
  SessionSubmission,
  VerificationSummary,
} from './record.ts'

/** One attempt of one wallet on one job. A status change is a compare-and-set on `version`. */
export const Session = defineEntity({
  name: 'Session',
  properties: {
    /** `<jobId>:<checksummed wallet>`, further attempts of the wallet with `:<n>`, n from 2. */
    sessionId: p.text().primary(),
    jobId: p.text(),
    /** Lower case. */
    wallet: p.text(),
    /** Ordinal of this wallet's attempt on this job, from 1. */
    attempt: p.integer(),
    /** bytes32 of the job on chain. */
    chainJobId: p.text(),
    /** Run of the claim, which takes the submission. */
    runId: p.text(),
    idempotencyKey: p.text(),
    protocolHistory: p.json<SessionProtocol[]>(),
    /** Optimistic lock. */
    version: p.integer(),
    status: p.text(),
    /** Last escrow state that the service read. */
    chainState: p.text(),
    claimedAt: instant(),
    /** The escrow's deadline (of its whole second): last instant at which a submission is accepted. */
    claimExpiresAt: instant(),
    updatedAt: instant(),
    submittedAt: instant().nullable(),
    /** Start of the submission's human review; null before the submission. */
    reviewEndsAt: instant().nullable(),
    resolvedAt: instant().nullable(),
    rejectedAt: instant().nullable(),
    disputedAt: instant().nullable(),
    closedAt: instant().nullable(),
    expiredAt: instant().nullable(),
    timedOutAt: instant().nullable(),
    chainStateDivergedAt: instant().nullable(),
    /** End of a rejection's dispute window without a dispute; after it nothing reopens the session. */
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
    /** Lower case; null if unknown. */
    poster: p.text().nullable(),
    claimTxHash: p.text().nullable(),
    claimBlock: p.bigint().nullable(),
    evidence: p.json<Record<string, unknown>>(),
    jobSnapshot: p.json<Record<string, unknown>>(),
    submission: p.json<SessionSubmission>().nullable(),
    /** keccak256 of the canonical JSON of the submission. */
    evidenceHash: p.text().nullable(),
    submitTxHash: p.text().nullable(),
    verificationSummary: p.json<VerificationSummary>().nullable(),
    verificationId: p.text().nullable(),
    /** Payout receipt, stored with the terminal status. */
    payoutTx: p.json<Payout>().nullable(),
    claimReconciliation: p.json<ClaimReconciliation>().nullable(),
    chainStateDivergence: p.json<ChainStateDivergence>().nullable(),
    /** How an operator closed the session, with the observed chain state. */
    operatorClose: p.json<OperatorClose>().nullable(),
    disputeResolution: p.json<DisputeResolution>().nullable(),
    humanReview: p.json<HumanReview>().nullable(),
    operatorOverturn: p.json<OperatorOverturn>().nullable(),
    /** Receipt of a session that was paid, finally rejected or ended by its dispute. */
    workReceiptId: p.text().nullable(),
  },
})

/** Hash-chained audit of the status changes of a session. `seq` starts at 1. */
export const SessionEvent = defineEntity({
  name: 'SessionEvent',
  properties: {
    sessionId: p.text().primary(),
    seq: p.integer().primary(),
    fromStatus: p.text().$type<SessionStatus>().nullable(),
    toStatus: p.text().$type<SessionStatus>(),
    reason: p.text(),
    at: instant(),
    /** Service time of the record where `at` is the time of a block; else null. */
    recordedAt: instant().nullable(),
    metadata: p.json<Record<string, unknown>>(),
    previousHash: p.text().nullable(),
    hash: p.text(),
  },
})
