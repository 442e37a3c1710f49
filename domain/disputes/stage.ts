import type { ChainJobState } from '../../schemas/chain/job-state.ts'
import { post, wait } from '../../schemas/common/error-row.ts'
import type { DisputeRecord, RoundDecision, TimeoutOutcome } from '../../schemas/disputes/record.ts'
import type { Preparation } from '../../schemas/disputes/shapes.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { SessionStatus, WaitingFor } from '../../schemas/sessions/record.ts'
import type { ArbitrationVerdict } from '../../schemas/sessions/verdicts.ts'
import { ARBITRATOR_SLA_SECONDS, SPLIT_AHEAD_SECONDS } from '../common/constants.ts'
import { sha256Of } from '../common/hashes.ts'
import { iso, isPast, plusSeconds } from '../common/instants.ts'
import { disputeWindowEndsAt } from '../sessions/state-machine.ts'
import type { rationaleBlob } from './evidence.ts'
import { describeDecision } from './outcome.ts'

/** Deadline of a stage, and the outcome when it passes without a decision. Instants in epoch ms. */
interface Deadline {
  deadlineAt: number
  /** First instant at which the service applies the outcome. */
  dueAt: number
  timeoutOutcome: TimeoutOutcome
}

/** Stage of a session that is not approved, with its deadline. */
export type DisputeStatus =
  /** Submitted without a verdict, or a reader without a lock has not seen the new dispute yet. No deadline applies. */
  | { stage: 'verdict' }
  /** A reviewer decides; the escrow is Submitted. */
  | ({ stage: 'review' } & Deadline)
  /** Rejected; worker or poster may open a dispute. */
  | ({ stage: 'window' } & Deadline)
  /** Disputed on chain; the arbitrator decides. */
  | ({ stage: 'arbitration' } & Deadline)
  | { stage: 'final'; status: SessionStatus }

export interface DisputableSession {
  status: SessionStatus
  timestamps: { rejectedAt: number | null; rejectionFinalizedAt: number | null }
}

const SECOND_MS = 1000
const DAY_MS = 86_400_000

/** Last instant (epoch ms) at which the service retries a recorded verdict; after it the service requests the contract's time-out. */
export const verdictLapsesAt = ({ deadlineAt }: Pick<DisputeRecord, 'deadlineAt'>): number =>
  plusSeconds(deadlineAt, ARBITRATOR_SLA_SECONDS)

type DisputeTerms = Pick<DisputeRecord, 'stage' | 'origin' | 'arbitrator' | 'deadlineAt' | 'openedAt' | 'isProofGated'>
type Decided = Pick<RoundDecision, 'verdict'>

/** What happens when the deadline passes. After a recorded decision the contract's time-out applies, even if no arbitrator signs. */
export const timeoutOutcome = (
  { stage, origin, arbitrator, isProofGated }: Omit<DisputeTerms, 'openedAt' | 'deadlineAt'>,
  decision: Decided | null,
): TimeoutOutcome => {
  const ours = arbitrator !== null && decision === null
  // Only a passing result pays, so a missing decision gives no half away.
  if (isProofGated && ours) return 'split_unit'
  if (stage === 'review') return ours ? 'split_half' : 'open_on_chain'
  return ours && origin !== 'participant' ? 'split_half' : 'contract_timeout'
}

const isSplit = (outcome: TimeoutOutcome): boolean => outcome === 'split_half' || outcome === 'split_unit'

/** Instant (epoch ms) until which an open dispute waits for a decision or a signature; then its time-out outcome applies. */
export const decisionDeadline = (dispute: DisputeTerms, decision: Decided | null): number => {
  // The profile had its time already, and is the only judge.
  if (dispute.isProofGated && dispute.stage === 'review') return dispute.openedAt
  const ahead = dispute.stage === 'arbitration' && isSplit(timeoutOutcome(dispute, decision))
  return ahead ? plusSeconds(dispute.deadlineAt, -SPLIT_AHEAD_SECONDS) : dispute.deadlineAt
}

/** Whether the service has to split an undecided dispute at `now` (epoch ms). */
export const isSplitDue = (dispute: DisputeTerms, now: number): boolean =>
  isSplit(timeoutOutcome(dispute, null)) && now >= decisionDeadline(dispute, null)

/** Stage and deadline of a session. `dispute` names the arbitrator whose key the service holds now; `decision` is that of the current round. */
export const disputeStatus = (
  { status, timestamps }: DisputableSession,
  dispute: DisputeTerms | null,
  decision: Decided | null,
): DisputeStatus => {
  if (status === 'disputed' && dispute !== null) {
    const until = decisionDeadline(dispute, decision)
    return { stage: dispute.stage, deadlineAt: until, dueAt: until, timeoutOutcome: timeoutOutcome(dispute, decision) }
  }
  if (status === 'submitted' || status === 'disputed') return { stage: 'verdict' }
  if (status === 'rejected' && timestamps.rejectionFinalizedAt === null && timestamps.rejectedAt !== null) {
    const deadlineAt = disputeWindowEndsAt(timestamps.rejectedAt)
    // The window includes its last second.
    return { stage: 'window', deadlineAt, dueAt: deadlineAt + SECOND_MS, timeoutOutcome: 'finalize_rejection' }
  }
  return { stage: 'final', status }
}

/** Whether the escrow's state is earlier than the recorded stage. */
export const isBehind = (stage: DisputeStatus['stage'], escrow: ChainJobState): boolean =>
  (stage === 'window' && escrow === 'submitted') || (stage === 'arbitration' && (escrow === 'submitted' || escrow === 'rejected'))

/**
 * Whether a fork removed the recorded stage from the chain. Instants in epoch ms. A node that has not reached `recordedAt` yet only
 * lags behind.
 */
export const isLostOnChain = (
  stage: DisputeStatus['stage'],
  escrow: ChainJobState,
  { blockTime, recordedAt }: { blockTime: number; recordedAt: number },
): boolean => isPast(recordedAt, blockTime) && isBehind(stage, escrow)

/** Whether today's alarm is due: one per 24 hours since the opening, none on the first day. `now` in epoch ms. */
export const isAlarmDue = ({ openedAt, lastAlarmAt }: Pick<DisputeRecord, 'openedAt' | 'lastAlarmAt'>, now: number): boolean => {
  const dayOf = (instant: number): number => Math.floor((instant - openedAt) / DAY_MS)
  return dayOf(now) > dayOf(lastAlarmAt ?? openedAt)
}

/** End of the arbitration SLA, epoch ms. */
export const arbitrationEndsAt = (openedAt: number): number => plusSeconds(openedAt, ARBITRATOR_SLA_SECONDS)

const decidedRefusal = (decision: RoundDecision): ServiceError => {
  const { verdict, decidedAt } = describeDecision(decision)
  return new ServiceError('dispute_already_decided', { details: { verdict, decidedAt } })
}

/** Refusal while a prepared verdict waits for its signature: a request replaces it by naming its `preparationId`. */
const preparedRefusal = (decision: RoundDecision, { disputeId }: DisputeRecord, { preparationId }: Preparation): ServiceError =>
  new ServiceError('dispute_already_decided', {
    detail: 'A recorded verdict waits for the arbitrator’s signature; replace it by naming its preparationId.',
    details: { ...decidedRefusal(decision).info.details, preparationId },
    nextActions: [
      post(`/disputes/${disputeId}/verdict`, `Send the new verdict with supersedes: "${preparationId}", or sign the prepared transaction.`),
    ],
  })

const transitionRefusal = (
  status: SessionStatus,
  reason: string,
  detail = `The session is ${status}; this decision does not apply to it.`,
): ServiceError =>
  new ServiceError('invalid_session_transition', {
    detail,
    details: { currentStatus: status, reason },
  })

interface DecisionContext {
  session: DisputableSession
  dispute: DisputeRecord | null
  /** Decision of the current round; null while it is undecided. */
  decision: RoundDecision | null
  /** Service clock, epoch ms. */
  now: number
}

/**
 * Why the service refuses an arbitrator's verdict now; null when it accepts. `dispute` names the arbitrator whose key the service holds now.
 * An overdue `timeout` replaces a preparation without naming it: after the deadline anyone may send the contract's time-out before the arbitrator signs.
 */
export const arbitrationRefusal = (
  { session, dispute, decision, now }: DecisionContext,
  verdict: ArbitrationVerdict,
  supersedes: string | null | undefined,
): ServiceError | null => {
  if (dispute === null) return new ServiceError('dispute_not_found')
  const overdue = dispute.stage === 'arbitration' && now >= dispute.deadlineAt
  const unsigned = decision !== null && isAwaitingSignature(decision, dispute.arbitrator !== null) ? decision.preparation : null
  const replaced = unsigned !== null && (supersedes === unsigned.preparationId || (verdict === 'timeout' && overdue && supersedes == null))
  if (decision !== null && !replaced) return unsigned === null ? decidedRefusal(decision) : preparedRefusal(decision, dispute, unsigned)
  if (session.status !== 'disputed') return transitionRefusal(session.status, 'not_disputed')
  if (decision === null && supersedes != null)
    return transitionRefusal(
      session.status,
      'nothing_to_supersede',
      'No prepared verdict exists to replace; send the verdict without supersedes.',
    )
  if (verdict === 'timeout' && !overdue)
    return new ServiceError('dispute_timeout_not_reached', {
      details: { deadline: iso(dispute.deadlineAt), stage: dispute.stage },
      ...(dispute.stage === 'arbitration' && {
        nextActions: [{ ...wait('Send the verdict from the deadline on.'), availableAt: iso(dispute.deadlineAt) }],
      }),
    })
  return null
}

/** Why the service refuses a reviewer's verdict now; null when it accepts. */
export const reviewRefusal = ({ session, dispute, decision }: Omit<DecisionContext, 'now'>): ServiceError | null => {
  if (session.status !== 'disputed' || dispute === null) return transitionRefusal(session.status, 'not_awaiting_people')
  if (dispute.stage !== 'review') return transitionRefusal(session.status, 'not_submitted_on_chain')
  return decision === null ? null : decidedRefusal(decision)
}

/** Why the service refuses to overturn a rejection now; null when it accepts. The window includes its last second. */
export const overturnRefusal = (session: DisputableSession, now: number): ServiceError | null => {
  const standing = disputeStatus(session, null, null)
  if (standing.stage === 'window' && now < standing.dueAt) return null
  if (session.status !== 'rejected') return transitionRefusal(session.status, 'not_rejected')
  const { rejectedAt, rejectionFinalizedAt } = session.timestamps
  // A dispute's verdict makes a rejection final at once.
  if (rejectionFinalizedAt !== null)
    return new ServiceError('overturn_window_closed', { details: { rejectionFinalizedAt: iso(rejectionFinalizedAt) } })
  return new ServiceError('overturn_window_closed', {
    details: { ...(rejectedAt !== null && { disputeWindowEndsAt: iso(disputeWindowEndsAt(rejectedAt)) }) },
  })
}

/** Whether this request already overturned the rejection: a retried step succeeds, a second overturn is refused. */
export const isSameOverturn = (mark: { by: string; note: string } | null, overturn: { by: string; note: string }): boolean =>
  mark?.by === overturn.by && mark.note === overturn.note

/** Whether a decided round waits for an external arbitrator's signature. With the arbitrator's key the service signs the decision itself. */
export const isAwaitingSignature = (
  { preparation, observed }: Pick<RoundDecision, 'preparation' | 'observed'>,
  arbitratorHeld: boolean,
): boolean => preparation !== null && observed === null && !arbitratorHeld

/** State of a decided round: `prepared` waits for a signature, `decided` for the service's transaction; `settled` is confirmed on chain. */
export const decisionState = (
  decision: Pick<RoundDecision, 'preparation' | 'observed'>,
  arbitratorHeld: boolean,
): 'decided' | 'prepared' | 'settled' => {
  if (decision.observed !== null) return 'settled'
  return isAwaitingSignature(decision, arbitratorHeld) ? 'prepared' : 'decided'
}

/** What an open dispute waits for, and until when (epoch ms). */
export const disputeWait = (dispute: DisputeRecord, decision: RoundDecision | null): { waitingFor: WaitingFor; deadlineAt: number } => {
  const deadlineAt = decisionDeadline(dispute, decision)
  if (decision !== null && !isAwaitingSignature(decision, dispute.arbitrator !== null)) return { waitingFor: 'chain', deadlineAt }
  return { waitingFor: dispute.stage === 'review' ? 'reviewer' : 'arbitrator', deadlineAt }
}

/** A request to decide a round. */
export interface DecisionRequest {
  source: RoundDecision['source']
  verdict: RoundDecision['verdict']
  by: string
  /** Null for a decision without a request id; its content then identifies it. */
  decisionRequestId: string | null
  /** Rationale together with the verdict it explains. */
  blob: ReturnType<typeof rationaleBlob>
}

/** Whether this request decided the round: a retried step finds its own row. */
export const isSameRequest = (decision: RoundDecision | null, { source, verdict, by, decisionRequestId, blob }: DecisionRequest): boolean =>
  decision?.source === source &&
  decision.verdict === verdict &&
  decision.decidedBy === by &&
  decision.decisionRequestId === decisionRequestId &&
  decision.reasoningHash === sha256Of(blob)
