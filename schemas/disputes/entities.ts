import { defineEntity, p } from '@mikro-orm/core'
import { instant, rawAmount } from '../entities/columns.ts'

/** One per session: what people or arbitrators decide, opened again when a review that ended in a rejection is disputed. */
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
    /** Address of the arbitrator key that the worker process held when its standing was last read, while it is open. */
    arbitrator: p.text().nullable(),
    evidence: p.json<Record<string, unknown>>(),
    evidenceHash: p.text(),
    lastAlarmAt: instant().nullable(),
    updatedAt: instant(),
  },
})

/** The word that decided a round: whoever inserts it first decides, everybody else meets it. */
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
    /** Id of the request that gave the word; null for a signal, a default and the chain's own. */
    decisionRequestId: p.text().nullable(),
    decidedAt: instant(),
    /** Unsigned transaction for an arbitrator whose key the service does not hold. */
    preparation: p.json<Record<string, unknown>>().nullable(),
    /** What the chain showed in the end. */
    observed: p.json<Record<string, unknown>>().nullable(),
  },
})

/** What happened to a dispute; `seq` starts at 1. */
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
