import { z } from 'zod'
import { SubmissionContractShape } from '../catalogue/shapes.ts'
import { CHAIN_JOB_STATES } from '../chain/job-state.ts'
import {
  Address,
  Bytes32,
  DecimalAmount,
  DigitString,
  IsoTime,
  literal,
  NextActionShape,
  OpenObject,
  RawAmount,
} from '../operations/values.ts'
import { REVIEW_DISPOSITIONS, SESSION_STATUSES, type SessionAdmission, WAITING_FOR } from './record.ts'
import { CRITERIA, ITEM_RESULTS, RESOLUTION_KINDS, ROUND_VERDICTS, VERDICT_OUTCOMES } from './verdicts.ts'

/** Gas that the escrow retains from the reward of a brokered claim. */
export const GasRetentionShape = z
  .object({
    supported: z.boolean(),
    brokered: z.boolean(),
    waived: z.boolean(),
    retainedRaw: RawAmount,
    retained: DecimalAmount,
    netReward: DecimalAmount,
    netRewardRaw: RawAmount,
  })
  .meta({ id: 'GasRetention', description: 'Gas that the escrow retains from the reward of a brokered claim.' })

const StatusHistoryShape = z.object({
  from: z.enum(SESSION_STATUSES).nullable(),
  to: z.enum(SESSION_STATUSES),
  reason: z.string(),
  at: IsoTime,
  metadata: OpenObject,
})

export const SessionLifecycleShape = z
  .object({
    currentStatus: z.enum(SESSION_STATUSES),
    currentLabel: z.string(),
    currentPhase: z.string(),
    terminal: z.boolean(),
    allowedTransitions: z.array(z.enum(SESSION_STATUSES)),
    verificationOutcome: z.string().nullable(),
    finalOutcome: z.string().nullable(),
    canSubmit: z.boolean(),
    awaitingVerification: z.boolean(),
    needsOperatorAttention: z.boolean(),
    disputeWindowEndsAt: IsoTime.nullable().optional(),
    timestamps: OpenObject,
  })
  .meta({ id: 'SessionLifecycle', description: 'Where a session stands.' })

const VerificationSummaryShape = z
  .object({
    outcome: z.string(),
    reasonCode: z.string(),
    handler: z.string(),
    escalatedFrom: z.string().optional(),
    handlerVersion: z.int(),
    verifierPolicyVersion: z.int(),
    verifierConfigVersion: z.int(),
  })
  .meta({ id: 'VerificationSummary', description: 'Short form of a verdict.' })

/** Mined payout of an approved session. */
export const PayoutShape = z
  .object({
    txHash: Bytes32,
    blockNumber: z.union([z.int(), DigitString]),
    status: z.union([z.int(), z.string()]),
    settlement: OpenObject,
  })
  .meta({ id: 'Payout', description: 'Mined payout of an approved session.' })

/** One check of a verdict. */
export const VerdictItemShape = z
  .strictObject({
    criterion: z.enum(CRITERIA),
    result: z.enum(ITEM_RESULTS),
    evidence: z
      .string()
      .regex(/^\/[A-Za-z/]+$/)
      .nullable()
      .meta({ description: 'JSON pointer to the evidence in the verdict, or in the dispute that decided. Null where not applicable.' }),
  })
  .meta({ id: 'VerdictItem', description: 'One check of a verdict.' })

/** The verifier's verdict that a dispute or an operator's overturn replaced. */
export const ReplacedVerdict = z
  .strictObject({ outcome: z.enum(VERDICT_OUTCOMES), reasonCode: z.string(), resolvedAt: IsoTime, items: z.array(VerdictItemShape) })
  .meta({ id: 'ReplacedVerdict', description: 'A verdict that a later decision replaced.' })
  .optional()

/** How a session was decided in the end, and the part of the reward that its worker got. */
export const ResolutionShape = z
  .strictObject({
    kind: z.enum(RESOLUTION_KINDS),
    verdict: z.enum(ROUND_VERDICTS),
    /** Before gas is retained. */
    workerShareBps: z.int().min(0).max(10_000),
  })
  .meta({ id: 'Resolution', description: 'How the work was decided.' })

/** A resolution with the verdict that it replaced, as badges and receipts state it. */
export const StatedResolutionShape = ResolutionShape.extend({ replacedVerdict: ReplacedVerdict }).meta({
  id: 'StatedResolution',
  description: 'How the work was decided, and the verdict that this decision replaced.',
})

/** What a session waits for, why and until when. */
export const waitingMembers = {
  /** Null once the session is over. */
  waitingFor: z.enum(WAITING_FOR).nullable().optional(),
  /** Reason code of the session's state. */
  reason: z.string().nullable().optional(),
  /** Until when it waits; then the time-out of the state applies. */
  deadline: IsoTime.optional(),
  /** Score of the newest verdict, 0 to 100. */
  score: z.number().optional(),
  disposition: z.enum(REVIEW_DISPOSITIONS).optional(),
  /** Why the last reading of a pull request settled nothing. */
  heldBecause: z.string().optional(),
  disputeId: z.string().optional(),
  /** Until when a rejection can be disputed. */
  disputableUntil: IsoTime.optional(),
}

const identity = {
  sessionId: z.string(),
  wallet: Address,
  jobId: z.string(),
  chainJobId: Bytes32,
  idempotencyKey: z.string().nullable(),
  protocolHistory: z.array(z.enum(['http', 'mcp'])),
  version: z.int(),
}

const state = {
  status: z.enum(SESSION_STATUSES),
  chainState: z.enum(CHAIN_JOB_STATES).nullable(),
  statusHistory: z.array(StatusHistoryShape),
  claimedAt: IsoTime.optional(),
  /** Since when the session has its state. */
  since: IsoTime,
  ...waitingMembers,
  reason: z.string().nullable(),
  claimExpiresAt: IsoTime,
  claimTtlSeconds: z.int().optional(),
  chainClaimExpiresAt: IsoTime.nullable().optional(),
  updatedAt: IsoTime,
  submittedAt: IsoTime.nullable().optional(),
  resolvedAt: IsoTime.nullable().optional(),
  rejectedAt: IsoTime.nullable().optional(),
  disputedAt: IsoTime.nullable().optional(),
  closedAt: IsoTime.nullable().optional(),
  expiredAt: IsoTime.nullable().optional(),
  timedOutAt: IsoTime.nullable().optional(),
  chainStateDivergedAt: IsoTime.nullable().optional(),
  rejectionFinalizedAt: IsoTime.nullable().optional(),
  lifecycle: SessionLifecycleShape,
  nextActions: z.array(NextActionShape),
}

/** Amounts that the claim locked, in whole units of the asset, each with `Raw` in base units. */
const economics = {
  claimStake: DecimalAmount,
  claimStakeRaw: RawAmount,
  claimStakeBps: z.int(),
  claimFee: DecimalAmount,
  claimFeeRaw: RawAmount,
  claimFeeBps: z.int(),
  totalClaimLock: DecimalAmount,
  totalClaimLockRaw: RawAmount,
  claimNumber: z.int().min(1),
  claimEconomicsWaived: z.boolean(),
  claimEconomicsWaivedAtClaim: z.boolean(),
  claimEconomicsWaiverScope: literal('claim_time'),
  claimFeeRetainedOnSuccess: z.boolean(),
  gasRetentionSupported: z.boolean(),
  gasRetention: GasRetentionShape,
  claimStakeCustody: literal('chain_escrow'),
}

/** Stored decisions of the gates at the admission. */
const admissionMembers = {
  workerExposure: OpenObject.nullable().optional(),
  dailyExposure: OpenObject.nullable().optional(),
  dailyAllowance: OpenObject.nullable().optional(),
  catalogueAccess: OpenObject.nullable().optional(),
  catalogueDailyBudget: OpenObject.nullable().optional(),
  onboardingSubsidy: OpenObject.nullable().optional(),
  claimantAttribution: OpenObject.nullable().optional(),
  tierGate: OpenObject.nullable().optional(),
  priorityQualification: OpenObject.nullable().optional(),
} satisfies Record<keyof SessionAdmission, z.ZodType>

const outcome = {
  submission: OpenObject.nullable().optional(),
  evidenceHash: Bytes32.nullable().optional(),
  /** Time at which the last accepted submission was refused; the session stayed claimed. */
  submitFailedAt: IsoTime.nullable().optional(),
  /** Code of that refusal: `brokered_submit_expired` when the claim lapsed before the submission was mined. */
  submitFailureCode: z.string().nullable().optional(),
  outputSchemaBuiltin: z.boolean().nullable().optional(),
  outputSchemaRegistered: z.boolean().nullable().optional(),
  verificationSummary: VerificationSummaryShape.nullable().optional(),
  progression: OpenObject.nullable().optional(),
  payoutTx: PayoutShape.nullable().optional(),
  workReceiptId: Bytes32.nullable().optional(),
  disputeResolution: OpenObject.nullable().optional(),
  /** Reviewer's verdict. */
  humanReview: OpenObject.nullable().optional(),
  /** Operator's overturn of the rejection. */
  operatorOverturn: OpenObject.nullable().optional(),
  chainStateDivergence: OpenObject.nullable().optional(),
  claimReconciliation: OpenObject.nullable().optional(),
  /** Operator's close, with the state on chain. */
  operatorClose: OpenObject.nullable().optional(),
  onboardingWaiverConsumptionExemptedAt: IsoTime.nullable().optional(),
}

/** One attempt of one wallet on one job. Source: lifecycle, "Session record". */
export const SessionShape = z
  .object({
    ...identity,
    ...state,
    ...economics,
    ...admissionMembers,
    jobSnapshot: OpenObject,
    badgeSnapshot: OpenObject,
    submissionContract: SubmissionContractShape.optional(),
    /** Pull-request jobs: the disclosure footer with wallet and session. */
    disclosureFooter: z.string().optional(),
    ...outcome,
  })
  .meta({ id: 'Session', description: 'One attempt of one wallet on one job.' })

/** Row of a list of sessions: everything but the pinned terms, the work and the history. */
export const SessionRowShape = SessionShape.omit({
  jobSnapshot: true,
  submission: true,
  submissionContract: true,
  statusHistory: true,
}).meta({ id: 'SessionRow', description: 'Row of a list of sessions: everything but the pinned terms, the work and the history.' })

/** A claim or submit whose chain write takes longer than the request. Source: lifecycle, "When the chain write outlasts the request". */
export const PendingSessionShape = z
  .object({
    sessionId: z.string(),
    jobId: z.string(),
    wallet: Address.optional(),
    status: literal('pending'),
    stage: z.string(),
    txHash: Bytes32.nullable(),
    nonce: z.int().nullable(),
    retryAfterSeconds: z.int(),
    nextActions: z.array(NextActionShape),
  })
  .meta({ id: 'PendingSession', description: 'A claim or submission whose chain write is under way.' })

/** Entry of a timeline. */
export const TimelineEntryShape = z
  .object({
    id: z.string(),
    type: z.string(),
    at: IsoTime,
    timestamp: IsoTime.optional(),
    /** When the service recorded it, by its own clock. */
    recordedAt: IsoTime,
    /** Time of the block of what happened on chain; else null. It can be earlier or later than the service clock. */
    blockTime: IsoTime.nullable(),
    correlationId: z.string().nullable(),
    phase: z.string(),
    source: z.string(),
    topic: z.string(),
    severity: z.enum(['info', 'warn', 'error']),
    jobId: z.string().nullable(),
    sessionId: z.string().nullable(),
    wallet: Address.nullable(),
    data: OpenObject,
  })
  .meta({ id: 'TimelineEntry', description: 'Entry of a timeline.' })

/** Entry of the session timeline. */
export const SessionTimelineEntryShape = TimelineEntryShape.extend({
  /** Place in the timeline, from 1; instants of two clocks do not tell the order. */
  sequence: z.int().min(1),
}).meta({ id: 'SessionTimelineEntry', description: 'Entry of a session timeline.' })

/** An entry of a session's history; `hash` is keccak256 of the canonical JSON of the other members. */
export const LogEntryShape = z
  .strictObject({
    sessionId: z.string(),
    seq: z.int().min(1),
    from: z.enum(SESSION_STATUSES).nullable(),
    to: z.enum(SESSION_STATUSES),
    reason: z.string(),
    at: IsoTime,
    recordedAt: IsoTime.nullable(),
    metadata: OpenObject,
    previousHash: Bytes32.nullable(),
    hash: Bytes32,
  })
  .meta({ id: 'SessionLogEntry', description: 'One entry of the history of a session, with the hash that the log publishes.' })

export const SessionStateShape = z
  .object({
    seq: z.int().min(1),
    status: z.enum(SESSION_STATUSES),
    reason: z.string(),
    at: IsoTime,
    statusTimes: z.array(z.object({ status: z.enum(SESSION_STATUSES), at: IsoTime })),
  })
  .meta({ id: 'SessionState', description: 'State of a session after one entry of its history, rebuilt from the entries up to it.' })
