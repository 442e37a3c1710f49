import { z } from 'zod'
import { SubmissionContractShape } from '../catalogue/shapes.ts'
import { CHAIN_JOB_STATES } from '../chain/job-state.ts'
import {
  Address,
  Bytes32,
  closedShape,
  DecimalAmount,
  IsoTime,
  literal,
  NextActionShape,
  nativeAccount,
  OpenObject,
  RawAmount,
  SignedTime,
  shape,
} from '../operations/values.ts'
import { DeliveryShape } from './delivery-shapes.ts'
import { REVIEW_DISPOSITIONS, SESSION_STATUSES, SESSION_TIMESTAMPS, WAITING_FOR } from './record.ts'
import {
  admissionMembers,
  BadgeSnapshotShape,
  ClaimReconciliationShape,
  DisputeResolutionShape,
  DivergenceShape,
  HumanReviewShape,
  JobSnapshotShape,
  OperatorCloseShape,
  OperatorOverturnShape,
  PayoutShape,
  RefusedByShape,
  StoredSubmissionShape,
  VerificationSummaryShape,
} from './stored-shapes.ts'
import { CRITERIA, ITEM_RESULTS, RESOLUTION_KINDS, ROUND_VERDICTS, VERDICT_OUTCOMES } from './verdicts.ts'

export const GasRetentionShape = shape('GasRetention', 'Gas that the escrow retains from the reward of a brokered claim.', {
  supported: z.boolean().describe('Whether the escrow can retain gas.'),
  brokered: z.boolean().describe('Whether the operator pays the gas of the claim.'),
  waived: z.boolean().describe('Whether stake and fee are waived; then no gas is retained.'),
  retainedRaw: RawAmount,
  retained: DecimalAmount,
  netReward: DecimalAmount,
  netRewardRaw: RawAmount,
})

const StatusHistoryShape = z.object({
  from: z.enum(SESSION_STATUSES).nullable(),
  to: z.enum(SESSION_STATUSES),
  reason: z.string(),
  at: IsoTime,
  metadata: OpenObject.describe('Facts of the change.'),
})

export const SessionLifecycleShape = shape('SessionLifecycle', 'Where a session stands.', {
  currentStatus: z.enum(SESSION_STATUSES),
  currentLabel: z.string().describe('Name of the status for people.'),
  currentPhase: z.string(),
  terminal: z.boolean().describe('True where no change follows.'),
  allowedTransitions: z.array(z.enum(SESSION_STATUSES)),
  verificationOutcome: z.string().nullable().describe('Outcome of the verdict; null without one.'),
  finalOutcome: z.string().nullable().describe('Outcome of the session; null while it can still change.'),
  canSubmit: z.boolean(),
  awaitingVerification: z.boolean(),
  needsOperatorAttention: z.boolean(),
  disputeWindowEndsAt: IsoTime.optional().describe(
    'Last instant to dispute the rejection; absent without a rejection that can be disputed.',
  ),
  timestamps: z.partialRecord(z.enum(SESSION_TIMESTAMPS), IsoTime).describe('Instants of the statuses that the session had, by name.'),
})

export const VerdictItemShape = closedShape('VerdictItem', 'One check of a verdict.', {
  criterion: z.enum(CRITERIA),
  result: z.enum(ITEM_RESULTS),
  evidence: z
    .string()
    .regex(/^\/[A-Za-z/]+$/)
    .nullable()
    .meta({ description: 'JSON pointer to the evidence in the verdict, or in the dispute that decided. Null where not applicable.' }),
})

/** The verifier's verdict that a dispute or an operator's overturn replaced. */
export const ReplacedVerdict = z
  .strictObject({ outcome: z.enum(VERDICT_OUTCOMES), reasonCode: z.string(), resolvedAt: SignedTime, items: z.array(VerdictItemShape) })
  .meta({ id: 'ReplacedVerdict', description: 'A verdict that a later decision replaced.' })
  .optional()

/** How a session was decided in the end, and the part of the reward that its worker got. */
export const ResolutionShape = closedShape('Resolution', 'How the work was decided.', {
  kind: z.enum(RESOLUTION_KINDS),
  verdict: z.enum(ROUND_VERDICTS),
  workerShareBps: z.int().min(0).max(10_000).describe('Part of the reward that the worker got, in basis points, before gas is retained.'),
})

/** A resolution with the verdict that it replaced, as badges and receipts state it. */
export const StatedResolutionShape = ResolutionShape.extend({ replacedVerdict: ReplacedVerdict }).meta({
  id: 'StatedResolution',
  description: 'How the work was decided, and the verdict that this decision replaced.',
})

/** What a session waits for, why and until when. */
export const waitingMembers = {
  waitingFor: z.enum(WAITING_FOR).nullable().optional().describe('Who or what must act next; null once the session is over.'),
  reason: z.string().nullable().optional().describe("Reason code of the session's state."),
  deadline: IsoTime.optional().describe('Until when it waits; then the time-out of the state applies.'),
  score: z.number().optional().describe('Score of the newest verdict, 0 to 100.'),
  disposition: z.enum(REVIEW_DISPOSITIONS).optional().describe('Why a submission has no final verdict.'),
  heldBecause: z.string().optional().describe('Why the last reading of a pull request settled nothing.'),
  disputeId: z.string().optional(),
  disputableUntil: IsoTime.optional().describe('Until when a rejection can be disputed.'),
}

const identity = {
  sessionId: z.string(),
  wallet: Address,
  nativeAccount,
  jobId: z.string(),
  chainJobId: Bytes32,
  idempotencyKey: z.string().nullable(),
  protocolHistory: z.array(z.enum(['http', 'mcp'])).describe('Protocols over which requests of the session came.'),
  version: z.int().describe('Counts the changes of the session.'),
}

const state = {
  status: z.enum(SESSION_STATUSES),
  chainState: z
    .enum(CHAIN_JOB_STATES)
    .nullable()
    .describe('State of the job in the escrow, as the service last read it; null before the first reading.'),
  statusHistory: z.array(StatusHistoryShape).describe('Changes of the status, oldest first.'),
  claimedAt: IsoTime.optional(),
  since: IsoTime.describe('Since when the session has its status.'),
  ...waitingMembers,
  reason: z.string().nullable().describe("Reason code of the session's state."),
  claimExpiresAt: IsoTime.describe('Last instant at which a submission is accepted.'),
  claimTtlSeconds: z.int().optional(),
  chainClaimExpiresAt: IsoTime.optional().describe('Deadline of the claim in the escrow contract.'),
  updatedAt: IsoTime,
  submittedAt: IsoTime.nullable().optional(),
  resolvedAt: IsoTime.nullable().optional().describe('When a verdict or a decision paid the worker.'),
  rejectedAt: IsoTime.nullable().optional(),
  disputedAt: IsoTime.nullable().optional(),
  closedAt: IsoTime.nullable().optional(),
  expiredAt: IsoTime.nullable().optional().describe('When the claim lapsed.'),
  timedOutAt: IsoTime.nullable().optional().describe('When an operator closed a session that could not progress.'),
  chainStateDivergedAt: IsoTime.nullable().optional().describe('When record and escrow were found to differ.'),
  rejectionFinalizedAt: IsoTime.nullable().optional().describe('When the rejection became final.'),
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
  claimNumber: z.int().min(1).describe("Ordinal of the wallet's claims, which decides the waiver."),
  claimEconomicsWaived: z.boolean().describe('Whether stake and fee were waived.'),
  claimEconomicsWaivedAtClaim: z.boolean(),
  claimEconomicsWaiverScope: literal('claim_time'),
  claimFeeRetainedOnSuccess: z.boolean().describe('Whether an approval keeps the fee.'),
  gasRetentionSupported: z.boolean(),
  gasRetention: GasRetentionShape,
  claimStakeCustody: literal('chain_escrow'),
}

const outcome = {
  submission: StoredSubmissionShape.nullable().optional(),
  evidenceHash: Bytes32.nullable().optional().describe('keccak256 of the canonical JSON of the submission.'),
  submitFailedAt: IsoTime.nullable().optional().describe('When the last accepted submission was refused; the session stayed claimed.'),
  submitFailureCode: z
    .string()
    .nullable()
    .optional()
    .describe('Code of that refusal: `brokered_submit_expired` when the claim lapsed before the submission was mined.'),
  outputSchemaBuiltin: z.boolean().nullable().optional(),
  outputSchemaRegistered: z.boolean().nullable().optional(),
  verificationSummary: VerificationSummaryShape.nullable().optional(),
  payoutTx: PayoutShape.nullable().optional(),
  workReceiptId: Bytes32.nullable().optional(),
  disputeResolution: DisputeResolutionShape.nullable().optional(),
  humanReview: HumanReviewShape.nullable().optional(),
  operatorOverturn: OperatorOverturnShape.nullable().optional(),
  chainStateDivergence: DivergenceShape.nullable().optional(),
  claimReconciliation: ClaimReconciliationShape.nullable().optional(),
  operatorClose: OperatorCloseShape.nullable().optional(),
}

/** One attempt of one wallet on one job. Source: lifecycle, "Session record". */
export const SessionShape = shape('Session', 'One attempt of one wallet on one job.', {
  ...identity,
  ...state,
  ...economics,
  ...admissionMembers,
  refusedBy: RefusedByShape.optional().describe('Present where the wallet may not do this work: whatever it submits is rejected.'),
  jobSnapshot: JobSnapshotShape,
  badgeSnapshot: BadgeSnapshotShape,
  responsiblePerson: z
    .string()
    .optional()
    .describe('Person whom the claim named as the one who answers for the work before the maintainers.'),
  submissionContract: SubmissionContractShape.optional(),
  disclosureFooter: z.string().optional().describe('Text that the pull request must hold, with wallet and session.'),
  ...outcome,
  delivery: DeliveryShape.optional().describe('Present once a pull request or proposal was paid.'),
})

/** Row of a list of sessions: everything but the pinned terms, the work and the history. */
export const SessionRowShape = SessionShape.omit({
  jobSnapshot: true,
  submission: true,
  submissionContract: true,
  statusHistory: true,
  delivery: true,
}).meta({ id: 'SessionRow', description: 'Row of a list of sessions: everything but the pinned terms, the work and the history.' })

/** A claim or submit whose chain write takes longer than the request. Source: lifecycle, "When the chain write outlasts the request". */
export const PendingSessionShape = shape('PendingSession', 'A claim or submission whose chain write is under way.', {
  sessionId: z.string(),
  jobId: z.string(),
  wallet: Address.optional(),
  status: literal('pending'),
  stage: z.string().describe('Step that is under way.'),
  txHash: Bytes32.nullable().describe('Transaction of this step; null before it was sent.'),
  nonce: z.int().nullable(),
  retryAfterSeconds: z.int(),
  nextActions: z.array(NextActionShape),
})

export const TimelineEntryShape = shape('TimelineEntry', 'Entry of a timeline.', {
  id: z.string(),
  type: z.string(),
  at: IsoTime,
  timestamp: IsoTime.optional(),
  recordedAt: IsoTime.describe('When the service recorded it, by its own clock.'),
  blockTime: IsoTime.nullable().describe(
    'Time of its block, which can differ from the clock of the service; null for what did not happen on chain.',
  ),
  correlationId: z.string().nullable().describe('Ties together entries of one request.'),
  phase: z.string(),
  source: z.string(),
  topic: z.string(),
  severity: z.enum(['info', 'warn', 'error']),
  jobId: z.string().nullable(),
  sessionId: z.string().nullable(),
  wallet: Address.nullable(),
  data: OpenObject,
})

/** Entry of the session timeline. */
export const SessionTimelineEntryShape = TimelineEntryShape.extend({
  sequence: z.int().min(1).describe('Place in the timeline, from 1; instants of two clocks do not tell the order.'),
}).meta({ id: 'SessionTimelineEntry', description: 'Entry of a session timeline.' })

/** An entry of a session's history; `hash` is keccak256 of the canonical JSON of the other members. */
export const LogEntryShape = z
  .strictObject({
    sessionId: z.string(),
    seq: z.int().min(1).describe('Number of the entry in the history, from 1.'),
    from: z.enum(SESSION_STATUSES).nullable(),
    to: z.enum(SESSION_STATUSES),
    reason: z.string(),
    at: SignedTime,
    recordedAt: SignedTime.nullable().describe('When the service recorded it, where `at` is the time of a block; else null.'),
    metadata: OpenObject.describe('Facts of the change.'),
    previousHash: Bytes32.nullable().describe('Hash of the entry before; null for the first.'),
    hash: Bytes32,
  })
  .meta({ id: 'SessionLogEntry', description: 'One entry of the history of a session, with the hash that the log publishes.' })
export type SessionLogEntry = z.infer<typeof LogEntryShape>

export const SessionStateShape = z
  .object({
    seq: z.int().min(1),
    status: z.enum(SESSION_STATUSES),
    reason: z.string(),
    at: IsoTime,
    statusTimes: z
      .array(z.object({ status: z.enum(SESSION_STATUSES), at: IsoTime }))
      .describe('Statuses that the session had, each with the instant at which it last took it.'),
  })
  .meta({ id: 'SessionState', description: 'State of a session after one entry of its history, rebuilt from the entries up to it.' })

/** Members of a session, or of one that is pending, in the short answer of a tool. */
export const SESSION_IN_SHORT = [
  ...['sessionId', 'jobId', 'wallet', 'status', 'stage', 'txHash', 'nonce', 'retryAfterSeconds', 'chainState'],
  ...['waitingFor', 'reason', 'deadline', 'score', 'disposition', 'heldBecause', 'disputeId', 'disputableUntil', 'submitFailureCode'],
  ...['claimedAt', 'claimExpiresAt', 'submittedAt', 'resolvedAt', 'rejectedAt', 'expiredAt'],
  ...['totalClaimLock', 'claimEconomicsWaived', 'workReceiptId', 'responsiblePerson', 'disclosureFooter'],
] as const
