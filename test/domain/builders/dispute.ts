import { arbitrationEndsAt } from '../../../domain/disputes/stage.ts'
import type { DisputeRecord, RoundDecision } from '../../../schemas/disputes/record.ts'
import type { ObservedVerdict } from '../../../schemas/disputes/stages.ts'
import { CLAIMED_AT } from './session.ts'

/** When the dispute of the builder was opened: an hour after the claim. */
export const OPENED_AT = CLAIMED_AT + 3_600_000

/** An open dispute that the worker has brought to the arbitrator, whose key the service holds. */
export const aDispute = (changes: Partial<DisputeRecord> = {}): DisputeRecord => ({
  disputeId: 'dispute-0a96015779ab',
  sessionId: 's',
  jobId: 'j',
  chainJobId: '0x',
  claimant: '0xc',
  respondent: null,
  stage: 'arbitration',
  origin: 'participant',
  round: 1,
  status: 'open',
  reasonCode: 'dispute_opened',
  openedAt: OPENED_AT,
  deadlineAt: arbitrationEndsAt(OPENED_AT),
  isProofGated: false,
  proof: null,
  remainingRaw: 1_000_000n,
  arbitrator: '0xa',
  evidence: { before: {}, after: {} },
  evidenceHash: '0x',
  statementHash: null,
  statedAt: null,
  lastAlarmAt: null,
  updatedAt: OPENED_AT,
  ...changes,
})

/** A decision of the arbitrator for the worker, which the chain has not shown yet. */
export const aDecision = (changes: Partial<RoundDecision> = {}): RoundDecision => ({
  round: 1,
  source: 'arbitrator',
  verdict: 'dismissed',
  reasonCode: 'DISPUTE_OVERTURNED',
  workerPayoutRaw: 1_000_000n,
  payoutSource: null,
  reasoningHash: null,
  verificationId: null,
  decidedBy: '0xd',
  decisionRequestId: null,
  decidedAt: OPENED_AT,
  preparation: null,
  observed: null,
  ...changes,
})

/** The end of a dispute as the chain shows it. */
export const anObservedVerdict = (changes: Partial<ObservedVerdict> = {}): ObservedVerdict => ({
  verdict: 'dismissed',
  workerPayoutRaw: '1000000',
  by: '0xe',
  txHash: '0xt',
  mismatch: false,
  at: new Date(OPENED_AT + 9_000).toISOString(),
  ...changes,
})
