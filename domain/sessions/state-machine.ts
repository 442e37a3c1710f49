import { ServiceError } from '../../schemas/errors.ts'
import { SESSION_STATUSES, type SessionRecord, type SessionStatus, type SessionTimestamps } from '../../schemas/sessions/record.ts'
import { DISPUTE_WINDOW_SECONDS } from '../common/constants.ts'
import { isoOrNull, isPast, plusSeconds } from '../common/instants.ts'
import { replacementOf } from './replaced-verdict.ts'

interface StatusRow {
  label: string
  phase: 'claim' | 'work' | 'verification' | 'terminal'
  outcome: string
  next: readonly SessionStatus[]
  /** Where an observed dispute or an operator overturn may still take a status that is terminal for everybody else. */
  reopensTo?: readonly SessionStatus[]
}

/** The one table of the session graph: legal moves, the public document and the lifecycle object all come from here. */
const GRAPH: Record<SessionStatus, StatusRow> = {
  claimed: {
    label: 'Claimed',
    phase: 'work',
    outcome: 'in_progress',
    next: ['submitted', 'expired', 'timed_out', 'closed', 'chain_state_diverged'],
  },
  submitted: {
    label: 'Submitted',
    phase: 'verification',
    outcome: 'awaiting_verification',
    next: ['resolved', 'rejected', 'disputed', 'timed_out', 'closed', 'chain_state_diverged'],
  },
  disputed: { label: 'Disputed', phase: 'verification', outcome: 'operator_attention', next: ['resolved', 'rejected', 'closed'] },
  rejected: { label: 'Rejected', phase: 'terminal', outcome: 'rejected', next: [], reopensTo: ['disputed'] },
  resolved: { label: 'Resolved', phase: 'terminal', outcome: 'approved', next: [] },
  closed: { label: 'Closed', phase: 'terminal', outcome: 'closed', next: [] },
  expired: { label: 'Expired', phase: 'terminal', outcome: 'expired', next: [] },
  timed_out: { label: 'Timed out', phase: 'terminal', outcome: 'timed_out', next: [] },
  chain_state_diverged: { label: 'Chain state diverged', phase: 'terminal', outcome: 'operator_attention', next: [] },
}

/** The pseudo-state before the first status; never stored, never served. */
const NEW: StatusRow = { label: 'New', phase: 'claim', outcome: 'not_started', next: ['claimed'] }

const rowOf = (status: SessionStatus | null): StatusRow => (status === null ? NEW : GRAPH[status])

/** True for a status that ordinary callers cannot leave. */
export const isTerminal = (status: SessionStatus): boolean => GRAPH[status].phase === 'terminal'

/** Statuses in which a verification result still decides a session. */
export const VERDICT_STATUSES: readonly SessionStatus[] = ['submitted', 'disputed']

/** Whether a verification result still decides a session. Source: lifecycle, "Who writes which edge". */
export const takesVerdict = (status: SessionStatus): boolean => VERDICT_STATUSES.includes(status)

/** Whether a verdict of a verifier can still move the money; of what is disputed on chain an arbitrator decides. `awaitingVerdict` asks it of rows. */
export const awaitsVerdict = ({ status, chainState }: Pick<SessionRecord, 'status' | 'chainState'>): boolean =>
  takesVerdict(status) && chainState === 'submitted'

/** Whether a session ended because the chain tells another story than the record: an operator sees to it, and its row stays as it is. */
export const hasDiverged = ({ status, chainStateDivergence }: Pick<SessionRecord, 'status' | 'chainStateDivergence'>): boolean =>
  status === 'chain_state_diverged' || (status === 'closed' && chainStateDivergence !== null)

/** How a session ends whose submission the chain has lost. None diverges that has a verdict already: it is closed, with the same note. */
export const WAYS_WITHOUT_SUBMISSION: Partial<Record<SessionStatus, readonly SessionStatus[]>> = {
  claimed: ['chain_state_diverged'],
  submitted: ['chain_state_diverged'],
  rejected: ['disputed', 'closed'],
  disputed: ['closed'],
}

/** Which timestamp a transition to a status stamps. */
export const STATUS_TIMESTAMP: Record<SessionStatus, keyof SessionTimestamps> = {
  claimed: 'claimedAt',
  submitted: 'submittedAt',
  disputed: 'disputedAt',
  rejected: 'rejectedAt',
  resolved: 'resolvedAt',
  closed: 'closedAt',
  expired: 'expiredAt',
  timed_out: 'timedOutAt',
  chain_state_diverged: 'chainStateDivergedAt',
}

/** Whether a session may move. `rejectionFinalizedAt` closes the way back from a rejection. */
export const canMove = (from: SessionStatus | null, to: SessionStatus, rejectionFinalizedAt: number | null = null): boolean => {
  const row = rowOf(from)
  return row.next.includes(to) || (rejectionFinalizedAt === null && (row.reopensTo ?? []).includes(to))
}

const refusalReason = (from: SessionStatus | null, rejectionFinalizedAt: number | null): string => {
  if (from === 'rejected' && rejectionFinalizedAt !== null) return 'rejection_final'
  return rowOf(from).phase === 'terminal' ? 'terminal_status' : 'transition_not_allowed'
}

/** Throws `invalid_session_transition` with what would be allowed, unless the graph has the edge. `from` is null for a session not yet stored. */
export const assertMove = (from: SessionStatus | null, to: SessionStatus, rejectionFinalizedAt: number | null = null): void => {
  if (canMove(from, to, rejectionFinalizedAt)) return
  const row = rowOf(from)
  throw new ServiceError('invalid_session_transition', {
    detail: `A session that is ${from ?? 'new'} cannot become ${to}.`,
    details: {
      currentStatus: from ?? 'new',
      nextStatus: to,
      reason: refusalReason(from, rejectionFinalizedAt),
      allowedTransitions: row.next,
      currentPhase: row.phase,
      terminal: row.phase === 'terminal',
    },
  })
}

const statusView = (status: SessionStatus) => {
  const { label, phase, outcome, next, reopensTo } = GRAPH[status]
  return {
    status,
    label,
    phase,
    terminal: phase === 'terminal',
    outcome,
    allowedTransitions: [...next],
    ...(reopensTo && { reopensTo: [...reopensTo], reopenWindowSeconds: DISPUTE_WINDOW_SECONDS }),
  }
}

/** Body of `GET /session/state-machine`. */
export const stateMachine = () => ({ timelineVersion: 'v2', statuses: SESSION_STATUSES.map(statusView) })

/** What decides whether a claim has lapsed; instants in epoch ms. */
export interface ClaimClock {
  status: SessionStatus
  /** True once a submission was accepted; that stops the claim clock even while its chain write is still under way. */
  submissionAccepted: boolean
  claimExpiresAt: number
}

/** A claim nobody submitted for and whose last accepted second is over, whether or not its timer has fired yet. */
export const isLapsed = (claim: ClaimClock, now: number): boolean =>
  claim.status === 'claimed' && !claim.submissionAccepted && isPast(claim.claimExpiresAt, now)

type ClaimTime = Pick<SessionRecord, 'status' | 'claimExpiresAt' | 'submission'>

/** {@link isLapsed} of a record. */
export const isLapsedSession = (session: ClaimTime, now: number): boolean =>
  isLapsed({ ...session, submissionAccepted: session.submission !== null }, now)

/** A session that still holds its job: neither ended nor lapsed. */
export const isLiveSession = (session: ClaimTime, now: number): boolean => !isTerminal(session.status) && !isLapsedSession(session, now)

/** Last instant of the dispute window of a rejection. */
export const disputeWindowEndsAt = (rejectedAt: number): number => plusSeconds(rejectedAt, DISPUTE_WINDOW_SECONDS)

/** A rejection nobody can dispute any more, whether or not its finalisation has been recorded yet. */
export const isRejectionFinal = (
  session: { status: SessionStatus; rejectedAt: number | null; rejectionFinalizedAt: number | null },
  now: number,
): boolean => {
  if (session.status !== 'rejected') return false
  if (session.rejectionFinalizedAt !== null) return true
  return session.rejectedAt !== null && isPast(disputeWindowEndsAt(session.rejectedAt), now)
}

type LifecycleSession = Pick<
  SessionRecord,
  | 'status'
  | 'timestamps'
  | 'claimExpiresAt'
  | 'submission'
  | 'verificationSummary'
  | 'disputeResolution'
  | 'operatorOverturn'
  | 'operatorClose'
  | 'chainStateDivergence'
>

/** The status a reader sees: a lapsed claim reads expired even before its timer has moved the record. */
export const shownStatus = (session: ClaimTime, now: number): SessionStatus => (isLapsedSession(session, now) ? 'expired' : session.status)

/** Timestamps as a reader sees them: ISO strings, only those that happened; a lapsed claim expired at its exact expiry instant. */
export const timestampsView = (session: ClaimTime & Pick<SessionRecord, 'timestamps'>, now: number) => {
  const lapsed = shownStatus(session, now) === 'expired' && session.status !== 'expired'
  const instants = lapsed ? { ...session.timestamps, expiredAt: session.claimExpiresAt } : session.timestamps
  return Object.fromEntries(
    Object.entries(instants).flatMap(([name, at]) => {
      const iso = isoOrNull(at)
      return iso === null ? [] : [[name, iso]]
    }),
  )
}

/** `lifecycle` object of a session at `now`. */
export const sessionLifecycle = (session: LifecycleSession, now: number) => {
  const status = shownStatus(session, now)
  const row = GRAPH[status]
  const terminal = isTerminal(status)
  const { rejectedAt, rejectionFinalizedAt } = session.timestamps
  const summary = session.verificationSummary
  return {
    currentStatus: status,
    currentLabel: row.label,
    currentPhase: row.phase,
    terminal,
    allowedTransitions: [...row.next],
    verificationOutcome: summary === null ? null : (replacementOf(session, summary)?.outcome ?? summary.outcome),
    finalOutcome: terminal ? row.outcome : null,
    canSubmit: status === 'claimed' && session.submission === null,
    awaitingVerification: status === 'submitted',
    needsOperatorAttention: (row.outcome === 'operator_attention' || hasDiverged(session)) && session.operatorClose === null,
    ...(status === 'rejected' &&
      rejectedAt !== null &&
      rejectionFinalizedAt === null && { disputeWindowEndsAt: new Date(disputeWindowEndsAt(rejectedAt)).toISOString() }),
    timestamps: timestampsView(session, now),
  }
}
