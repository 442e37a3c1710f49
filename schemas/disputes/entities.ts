import { defineEntity, p } from '@mikro-orm/core'
import { instant, rawAmount } from '../entities/columns.ts'
import type { RoundVerdict } from '../sessions/verdicts.ts'
import type { Preparation } from './shapes.ts'
import type { DisputeOrigin, DisputeProof, DisputeStage, ObservedVerdict, PayoutSource, VerdictSource } from './stages.ts'

/** One per session: a review or an arbitration. A dispute of a rejected review reopens it for the next round. */
export const Dispute = defineEntity({
  name: 'Dispute',
  properties: {
    disputeId: p.text().primary(),
    sessionId: p.text(),
    jobId: p.text(),
    chainJobId: p.text(),
    /** The worker; lower case. */
    claimant: p.text(),
    /** The poster; null when unknown. */
    respondent: p.text().nullable(),
    stage: p.text().$type<DisputeStage>(),
    origin: p.text().$type<DisputeOrigin>(),
    /** Number of openings: an arbitration can follow a review that ended in a rejection. */
    round: p.integer(),
    status: p.text().$type<'open' | 'resolved'>(),
    /** Reason for the opening. */
    reasonCode: p.text(),
    openedAt: instant(),
    /** End of the arbitration SLA. */
    deadlineAt: instant(),
    /** Whether only a passing result of a profile pays the job. */
    isProofGated: p.boolean(),
    /** The last run of the profile for a verdict of this round; null without one. */
    proof: p.json<DisputeProof>().nullable(),
    /** Unreleased reward at the opening. */
    remainingRaw: rawAmount(),
    /** Address of the worker process's arbitrator key at the last status reading of the open dispute; null without one. */
    arbitrator: p.text().nullable(),
    evidence: p.json<{ before: object; after: object }>(),
    /** keccak256 of the canonical evidence. */
    evidenceHash: p.text(),
    /** Content hash of the worker's statement, and when it was given; null without one. */
    statementHash: p.text().nullable(),
    statedAt: instant().nullable(),
    lastAlarmAt: instant().nullable(),
    updatedAt: instant(),
  },
})

/** The decision of a round. The first insert decides; later requests read that row. */
export const DisputeVerdict = defineEntity({
  name: 'DisputeVerdict',
  properties: {
    disputeId: p.text().primary(),
    round: p.integer().primary(),
    source: p.text().$type<VerdictSource>(),
    verdict: p.text().$type<RoundVerdict>(),
    reasonCode: p.text(),
    /** Null for a review, which decides no amount. */
    workerPayoutRaw: rawAmount().nullable(),
    payoutSource: p.text().$type<PayoutSource>().nullable(),
    /** Content hash of the rationale; null for a time-out and for a verdict read from the chain. */
    reasoningHash: p.text().nullable(),
    /** Verdict row of a review; null for an arbitration. */
    verificationId: p.text().nullable(),
    /** Lower-case wallet, name from an operator's signal, or `system:…`. */
    decidedBy: p.text(),
    /** Id of the request that decided; null for a signal, a time-out or a verdict read from the chain. */
    decisionRequestId: p.text().nullable(),
    decidedAt: instant(),
    preparation: p.json<Preparation>().nullable(),
    observed: p.json<ObservedVerdict>().nullable(),
  },
})

/** Signed file of an ended dispute, written once with the terminal status of its session. */
export const DisputeFileRecord = defineEntity({
  name: 'DisputeFileRecord',
  tableName: 'dispute_file',
  properties: {
    disputeId: p.text().primary(),
    sessionId: p.text(),
    /** Key of the signature. */
    kid: p.text(),
    /** Canonical JSON, as served. */
    document: p.text(),
  },
})

/** Timeline of a dispute. `seq` starts at 1. */
export const DisputeEvent = defineEntity({
  name: 'DisputeEvent',
  properties: {
    disputeId: p.text().primary(),
    seq: p.integer().primary(),
    at: instant(),
    actor: p.text(),
    action: p.text(),
    data: p.json<Record<string, unknown>>(),
  },
})
