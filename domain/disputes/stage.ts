import type { ChainJobState } from '../../schemas/chain/job-state.ts'
import type { DisputeRecord, Preparation, RoundDecision, Silence } from '../../schemas/disputes/record.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { SessionStatus } from '../../schemas/sessions/record.ts'
import type { ArbitrationVerdict } from '../../schemas/sessions/verdicts.ts'
import { ARBITRATOR_SLA_SECONDS } from '../common/constants.ts'
import { sha256Of } from '../common/hashes.ts'
import { iso, isPast, plusSeconds } from '../common/instants.ts'
import { disputeWindowEndsAt } from '../sessions/state-machine.ts'
import type { rationaleBlob } from './evidence.ts'
import { describeDecision } from './outcome.ts'

/** Until when somebody may say something, the first instant at which silence is carried out (epoch ms), and what it comes to. */
interface Waiting {
  deadlineAt: number
  dueAt: number
  silence: Silence
}

/** What a session that was not approved waits for. */
export type Standing =
  /** Submitted, and no verdict was taken yet; or disputed before disputes had records, where nothing is due but what the chain shows. */
  | { stage: 'verdict' }
  /** People decide; the escrow is Submitted. */
  | ({ stage: 'review' } & Waiting)
  /** Rejected; worker or poster may open a dispute. */
  | ({ stage: 'window' } & Waiting)
  /** Disputed on chain; the arbitrator decides. */
  | ({ stage: 'arbitration' } & Waiting)
  | { stage: 'final'; status: SessionStatus }

export interface StandingSession {
  status: SessionStatus
  timestamps: { rejectedAt: number | null; rejectionFinalizedAt: number | null }
}

const SECOND_MS = 1000
const DAY_MS = 86_400_000

/** Until when a verdict that the service can sign waits for a chain that takes it (epoch ms); then the contract's rule holds for it, too. */
export const verdictLapsesAt = ({ deadlineAt }: Pick<DisputeRecord, 'deadlineAt'>): number =>
  plusSeconds(deadlineAt, ARBITRATOR_SLA_SECONDS)

type Contest = Pick<DisputeRecord, 'stage' | 'origin' | 'arbitrator' | 'deadlineAt'>
type Decided = Pick<RoundDecision, 'verdict'>

/** The default outcome of a dispute's silence. A word that was given leaves the rest to the contract, also one that nobody signs. */
const silenceOf = ({ stage, origin, arbitrator }: Contest, decision: Decided | null): Silence => {
  const ours = arbitrator !== null && decision === null
  if (stage === 'review') return ours ? 'split_half' : 'open_on_chain'
  return ours && origin !== 'participant' ? 'split_half' : 'contract_timeout'
}

/** How long before the end of an arbitration the service makes its own split: in the first second after it anybody may call the contract's time-out. */
const SPLIT_AHEAD_MS = 15 * 60_000

/** Until when an open dispute waits for people, for their word or a signature (epoch ms); then silence has its meaning. */
export const waitsUntil = (dispute: Contest, decision: Decided | null): number => {
  const ahead = dispute.stage === 'arbitration' && silenceOf(dispute, decision) === 'split_half'
  return ahead ? dispute.deadlineAt - SPLIT_AHEAD_MS : dispute.deadlineAt
}

/** Whether the service's own split of a dispute that nobody has decided is due at `now` (epoch ms). */
export const isSplitDue = (dispute: Contest, now: number): boolean =>
  silenceOf(dispute, null) === 'split_half' && now >= waitsUntil(dispute, null)

/** Where a session stands, by its record, the record of its dispute with the arbitrator whose key is held now, and what decided the present round. */
export const standingOf = ({ status, timestamps }: StandingSession, dispute: Contest | null, decision: Decided | null): Standing => {
  if (status === 'disputed' && dispute !== null) {
    const until = waitsUntil(dispute, decision)
    return { stage: dispute.stage, deadlineAt: until, dueAt: until, silence: silenceOf(dispute, decision) }
  }
  if (status === 'submitted' || status === 'disputed') return { stage: 'verdict' }
  if (status === 'rejected' && timestamps.rejectionFinalizedAt === null && timestamps.rejectedAt !== null) {
    const deadlineAt = disputeWindowEndsAt(timestamps.rejectedAt)
    // The last second still belongs to the window, so the rejection is final in the next one.
    return { stage: 'window', deadlineAt, dueAt: deadlineAt + SECOND_MS, silence: 'finalize_rejection' }
  }
  return { stage: 'final', status }
}

/** Whether the escrow's state belongs to an earlier stage than the record's. */
export const isBehind = (stage: Standing['stage'], escrow: ChainJobState): boolean =>
  (stage === 'window' && escrow === 'submitted') || (stage === 'arbitration' && (escrow === 'submitted' || escrow === 'rejected'))

/**
 * Whether the chain has lost what the record holds. `blockTime` and `heldSince` (epoch ms): a
 * node that has only not come as far as the record is no fork.
 */
export const hasLost = (
  stage: Standing['stage'],
  escrow: ChainJobState,
  { blockTime, heldSince }: { blockTime: number; heldSince: number },
): boolean => isPast(heldSince, blockTime) && isBehind(stage, escrow)

/** Whether the alarm of the day is still to be raised: one for every 24 hours since the opening, none on the first. `now` in epoch ms. */
export const isAlarmDue = ({ openedAt, lastAlarmAt }: Pick<DisputeRecord, 'openedAt' | 'lastAlarmAt'>, now: number): boolean => {
  const dayOf = (instant: number): number => Math.floor((instant - openedAt) / DAY_MS)
  return dayOf(now) > dayOf(lastAlarmAt ?? openedAt)
}

/** End of the arbitration SLA. */
export const arbitrationEndsAt = (openedAt: number): number => plusSeconds(openedAt, ARBITRATOR_SLA_SECONDS)

const decidedRefusal = (decision: RoundDecision): ServiceError => {
  const { verdict, decidedAt } = describeDecision(decision)
  return new ServiceError('dispute_already_decided', { details: { verdict, decidedAt } })
}

/** Of a verdict that waits for its signature: it is replaced by who names what was prepared for it. */
const preparedRefusal = (decision: RoundDecision, { disputeId }: DisputeRecord, { preparationId }: Preparation): ServiceError =>
  new ServiceError('dispute_already_decided', {
    detail: 'A verdict was given, and waits for the arbitrator’s signature; another one takes its place only by its preparationId.',
    details: { ...decidedRefusal(decision).info.details, preparationId },
    nextActions: [
      {
        kind: 'http',
        method: 'POST',
        path: `/disputes/${disputeId}/verdict`,
        description: `Give the verdict again with supersedes: "${preparationId}", or have what was prepared signed.`,
      },
    ],
  })

const transitionRefusal = (
  status: SessionStatus,
  reason: string,
  detail = `The session is ${status}; nothing of it is to be decided so.`,
): ServiceError =>
  new ServiceError('invalid_session_transition', {
    detail,
    details: { currentStatus: status, reason },
  })

interface Deciding {
  session: StandingSession
  dispute: DisputeRecord | null
  /** Of the present round; null while nobody has decided it. */
  decision: RoundDecision | null
  /** Service clock, epoch ms. */
  now: number
}

/**
 * Why an arbitrator's verdict is not taken now, by the dispute with the arbitrator whose key is held now; null when it is. A time-out needs to
 * name no preparation: nobody can sign what the contract has left behind.
 */
export const arbitrationRefusal = (
  { session, dispute, decision, now }: Deciding,
  verdict: ArbitrationVerdict,
  supersedes: string | null | undefined,
): ServiceError | null => {
  if (dispute === null) return new ServiceError('dispute_not_found')
  const overdue = dispute.stage === 'arbitration' && now >= dispute.deadlineAt
  const unsigned = decision !== null && waitsForSigner(decision, dispute.arbitrator !== null) ? decision.preparation : null
  const replaced = unsigned !== null && (supersedes === unsigned.preparationId || (verdict === 'timeout' && overdue && supersedes == null))
  if (decision !== null && !replaced) return unsigned === null ? decidedRefusal(decision) : preparedRefusal(decision, dispute, unsigned)
  if (session.status !== 'disputed') return transitionRefusal(session.status, 'not_disputed')
  if (decision === null && supersedes != null)
    return transitionRefusal(
      session.status,
      'nothing_to_supersede',
      'Nothing was prepared that this verdict could replace; give it without supersedes.',
    )
  if (verdict === 'timeout' && !overdue)
    return new ServiceError('dispute_timeout_not_reached', {
      details: { deadline: iso(dispute.deadlineAt), stage: dispute.stage },
      ...(dispute.stage === 'arbitration' && {
        nextActions: [{ kind: 'wait', description: 'Give it from the deadline on.', availableAt: iso(dispute.deadlineAt) }],
      }),
    })
  return null
}

/** Why people's verdict on a review is not taken now; null when it is. */
export const reviewRefusal = ({ session, dispute, decision }: Omit<Deciding, 'now'>): ServiceError | null => {
  if (session.status !== 'disputed') return transitionRefusal(session.status, 'not_awaiting_people')
  if (dispute === null) return transitionRefusal(session.status, 'dispute_not_recorded')
  if (dispute.stage !== 'review') return transitionRefusal(session.status, 'not_submitted_on_chain')
  return decision === null ? null : decidedRefusal(decision)
}

/** Why a rejection is not overturned now; null when it is. The last second of the window still counts. */
export const overturnRefusal = (session: StandingSession, now: number): ServiceError | null => {
  const standing = standingOf(session, null, null)
  if (standing.stage === 'window' && now < standing.dueAt) return null
  if (session.status !== 'rejected') return transitionRefusal(session.status, 'not_rejected')
  const { rejectedAt, rejectionFinalizedAt } = session.timestamps
  // The verdict of a dispute makes a rejection final at once.
  if (rejectionFinalizedAt !== null)
    return new ServiceError('overturn_window_closed', { details: { rejectionFinalizedAt: iso(rejectionFinalizedAt) } })
  return new ServiceError('overturn_window_closed', {
    details: { ...(rejectedAt !== null && { disputeWindowEndsAt: iso(disputeWindowEndsAt(rejectedAt)) }) },
  })
}

/** Whether this request overturned the rejection: a step whose answer was lost is repeated; a second overturn is refused. */
export const isOwnOverturn = (mark: { by: string; note: string } | null, overturn: { by: string; note: string }): boolean =>
  mark?.by === overturn.by && mark.note === overturn.note

/**
 * Whether a decided round waits for an arbitrator's signature. A service that holds the key signs a prepared decision itself. A decision that
 * is on chain waits no more.
 */
export const waitsForSigner = (
  { preparation, observed }: Pick<RoundDecision, 'preparation' | 'observed'>,
  arbitratorHeld: boolean,
): boolean => preparation !== null && observed === null && !arbitratorHeld

/** How far a decided round has come: `prepared` for a signature, `decided` where the service carries it out, `settled` once the chain has shown its end. */
export const decisionState = (
  decision: Pick<RoundDecision, 'preparation' | 'observed'>,
  arbitratorHeld: boolean,
): 'decided' | 'prepared' | 'settled' => {
  if (decision.observed !== null) return 'settled'
  return waitsForSigner(decision, arbitratorHeld) ? 'prepared' : 'decided'
}

/** A request to decide a round. */
export interface DecisionRequest {
  source: RoundDecision['source']
  verdict: RoundDecision['verdict']
  by: string
  /** Id of the request; null for a decision without one, which only its content identifies. */
  decisionRequestId: string | null
  /** The rationale with all that it covers. */
  blob: ReturnType<typeof rationaleBlob>
}

/** Whether this request decided the round: a step whose answer was lost is repeated, and finds its own row. */
export const isSameRequest = (decision: RoundDecision | null, { source, verdict, by, decisionRequestId, blob }: DecisionRequest): boolean =>
  decision?.source === source &&
  decision.verdict === verdict &&
  decision.decidedBy === by &&
  decision.decisionRequestId === decisionRequestId &&
  decision.reasoningHash === sha256Of(blob)
