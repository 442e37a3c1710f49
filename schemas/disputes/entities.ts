import { defineEntity, p } from '@mikro-orm/core'
import { instant, rawAmount } from '../entities/columns.ts'

/** One per session: a review or an arbitration. A dispute of a rejected review reopens it for the next round. */
export const Dispute = defineEntity({
  name: 'Dispute',
  tableName: 'dispute',
  properties: {
    disputeId: p.text().primary(),
    sessionId: p.text(),
    jobId: p.text(),
    chainJobId: p.text(),
    claimant: p.text(),
    respondent: p.text().nullable(),
    stage: p.text(),
    origin: p.text(),
    round: p.integer(),
    status: p.text(),
    reasonCode: p.text(),
    openedAt: instant(),
    deadlineAt: instant(),
    remainingRaw: rawAmount(),
    /** Address of the worker process's arbitrator key at the last status reading of the open dispute. */
    arbitrator: p.text().nullable(),
    evidence: p.json<Record<string, unknown>>(),
    evidenceHash: p.text(),
    lastAlarmAt: instant().nullable(),
    updatedAt: instant(),
  },
})

/** The decision of a round. The first insert decides; later requests read that row. */
export const DisputeVerdict = defineEntity({
  name: 'DisputeVerdict',
  tableName: 'dispute_verdict',
  primaryKeys: ['disputeId', 'round'],
  properties: {
    disputeId: p.text().primary(),
    round: p.integer().primary(),
    source: p.text(),
    verdict: p.text(),
    reasonCode: p.text(),
    workerPayoutRaw: rawAmount().nullable(),
    payoutSource: p.text().nullable(),
    reasoningHash: p.text().nullable(),
    verificationId: p.text().nullable(),
    decidedBy: p.text(),
    /** Id of the request that decided; null for a signal, a time-out or a decision read from the chain. */
    decisionRequestId: p.text().nullable(),
    decidedAt: instant(),
    /** Unsigned transaction for an arbitrator whose key is not in the service. */
    preparation: p.json<Record<string, unknown>>().nullable(),
    /** Verdict observed on chain. */
    observed: p.json<Record<string, unknown>>().nullable(),
  },
})

/** Timeline of a dispute. `seq` starts at 1. */
export const DisputeEvent = defineEntity({
  name: 'DisputeEvent',
  tableName: 'dispute_event',
  primaryKeys: ['disputeId', 'seq'],
  properties: {
    disputeId: p.text().primary(),
    seq: p.integer().primary(),
    at: instant(),
    actor: p.text(),
    action: p.text(),
    data: p.json<Record<string, unknown>>(),
  },
})
