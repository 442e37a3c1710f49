import { ServiceError } from '../../schemas/errors.ts'
import { SESSION_STATUSES, type SessionRecord, type SessionStatus, type SessionTimestamps } from '../../schemas/sessions/record.ts'
import { DISPUTE_WINDOW_SECONDS } from '../common/constants.ts'
import { iso, isoOrNull, isPast, plusSeconds } from '../common/instants.ts'
import { replacementOf } from './replaced-verdict.ts'

interface StatusRow {
  label: string
  phase: 'claim' | 'work' | 'verification' | 'terminal'
  outcome: string
  next: readonly SessionStatus[]
  /** Statuses that only a dispute on chain or an operator's overturn can reach from a terminal status. */
  reopensTo?: readonly SessionStatus[]
}

/** Session graph: source of the allowed transitions, the public document and the lifecycle object. */
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

/** True for a status without ordinary transitions. */
export const isTerminal = (status: SessionStatus): boolean => GRAPH[status].phase === 'terminal'

/** Statuses in which a verification result decides a session. */
export const VERDICT_STATUSES: readonly SessionStatus[] = ['submitted', 'disputed']

/** Whether a verification result decides a session. Source: lifecycle, "Who writes which edge". */
export const takesVerdict = (status: SessionStatus): boolean => VERDICT_STATUSES.includes(status)

/** Whether a verifier's verdict can still release the money; on chain an arbitrator decides disputes. `awaitingVerdict` is the same rule in SQL. */
export const awaitsVerdict = ({ status, chainState }: Pick<SessionRecord, 'status' | 'chainState'>): boolean =>
  takesVerdict(status) && chainState === 'submitted'

/** Whether a session ended because the on-chain state does not match the record; an operator resolves it. */
export const hasDiverged = ({ status, chainStateDivergence }: Pick<SessionRecord, 'status' | 'chainStateDivergence'>): boolean =>
  status === 'chain_state_diverged' || (status === 'closed' && chainStateDivergence !== null)

/** Final statuses of a session whose submission a fork removed. With a verdict it is closed, otherwise it diverges. */
export const STATUSES_AFTER_LOST_SUBMISSION: Partial<Record<SessionStatus, readonly SessionStatus[]>> = {
  claimed: ['chain_state_diverged'],
  submitted: ['chain_state_diverged'],
  rejected: ['disputed', 'closed'],
  disputed: ['closed'],
}

/** Timestamp that a transition to each status sets. */
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

/** Whether a transition is allowed. A final rejection (`rejectionFinalizedAt`, epoch ms) cannot reopen. */
export const canMove = (from: SessionStatus | null, to: SessionStatus, rejectionFinalizedAt: number | null = null): boolean => {
  const row = rowOf(from)
  return row.next.includes(to) || (rejectionFinalizedAt === null && (row.reopensTo ?? []).includes(to))
}

const refusalReason = (from: SessionStatus | null, rejectionFinalizedAt: number | null): string => {
  if (from === 'rejected' && rejectionFinalizedAt !== null) return 'rejection_final'
  return rowOf(from).phase === 'terminal' ? 'terminal_status' : 'transition_not_allowed'
}

/** Throws `invalid_session_transition` with the allowed transitions, unless the graph has the edge. `from` is null for a new session. */
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

type ClaimTime = Pick<SessionRecord, 'status' | 'claimExpiresAt' | 'submission'>

/**
 * Whether a claim without a submission is past its last accepted second, even before its timer fires. An accepted submission stops the claim
 * clock even before its chain write.
 */
export const isLapsedSession = ({ status, submission, claimExpiresAt }: ClaimTime, now: number): boolean =>
  status === 'claimed' && submission === null && isPast(claimExpiresAt, now)

/** Whether a session still holds its job: neither ended nor lapsed. */
export const isLiveSession = (session: ClaimTime, now: number): boolean => !isTerminal(session.status) && !isLapsedSession(session, now)

/** Whether a session of this status takes its job for good: no other claim of it can follow. */
export const endsClaims = (status: SessionStatus): boolean => status !== 'claimed' && status !== 'expired'

/** Last instant of a rejection's dispute window, epoch ms. */
export const disputeWindowEndsAt = (rejectedAt: number): number => plusSeconds(rejectedAt, DISPUTE_WINDOW_SECONDS)

/** Whether a rejection can no longer be disputed, even before its finalisation is recorded. */
export const isRejectionFinal = (
  session: { status: SessionStatus; rejectedAt: number | null; rejectionFinalizedAt: number | null },
  now: number,
): boolean => {
  if (session.status !== 'rejected') return false
  if (session.rejectionFinalizedAt !== null) return true
  return session.rejectedAt !== null && isPast(disputeWindowEndsAt(session.rejectedAt), now)
}

type Rejection = Pick<SessionRecord, 'status'> & { timestamps: Pick<SessionTimestamps, 'rejectedAt' | 'rejectionFinalizedAt'> }

/** Whether a rejection can still be disputed. */
export const isDisputable = ({ status, timestamps }: Rejection, now: number): boolean =>
  status === 'rejected' && timestamps.rejectedAt !== null && !isRejectionFinal({ status, ...timestamps }, now)

/** Whether a session can still be approved and paid. A rejection counts as open until its end is recorded. */
export const canBeApproved = (session: ClaimTime & Rejection, now: number): boolean =>
  !isTerminal(effectiveStatus(session, now)) || (session.status === 'rejected' && session.timestamps.rejectionFinalizedAt === null)

/** Served status: a lapsed claim is expired even before its timer updates the record. */
export const effectiveStatus = (session: ClaimTime, now: number): SessionStatus =>
  isLapsedSession(session, now) ? 'expired' : session.status

/** Served timestamps: ISO strings of the instants that happened; a lapsed claim expired at its expiry instant. */
export const timestampsView = (session: ClaimTime & Pick<SessionRecord, 'timestamps'>, now: number) => {
  const lapsed = effectiveStatus(session, now) === 'expired' && session.status !== 'expired'
  const instants = lapsed ? { ...session.timestamps, expiredAt: session.claimExpiresAt } : session.timestamps
  const shown: Partial<Record<keyof SessionTimestamps, string>> = Object.fromEntries(
    Object.entries(instants).flatMap(([name, at]) => {
      const instant = isoOrNull(at)
      return instant === null ? [] : [[name, instant]]
    }),
  )
  return shown
}

/** `lifecycle` object of a session at `now`. */
export const sessionLifecycle = (session: SessionRecord, now: number) => {
  const status = effectiveStatus(session, now)
  const row = GRAPH[status]
  const disputable = isDisputable(session, now)
  const terminal = isTerminal(status) && !disputable
  const { rejectedAt, rejectionFinalizedAt } = session.timestamps
  const summary = session.verificationSummary
  return {
    currentStatus: status,
    currentLabel: row.label,
    currentPhase: disputable ? GRAPH.disputed.phase : row.phase,
    terminal,
    allowedTransitions: [...row.next, ...(disputable ? (row.reopensTo ?? []) : [])],
    verificationOutcome: summary === null ? null : (replacementOf(session, summary)?.outcome ?? summary.outcome),
    finalOutcome: terminal ? row.outcome : null,
    canSubmit: status === 'claimed' && session.submission === null,
    awaitingVerification: status === 'submitted',
    needsOperatorAttention: (row.outcome === 'operator_attention' || hasDiverged(session)) && session.operatorClose === null,
    ...(status === 'rejected' &&
      rejectedAt !== null &&
      rejectionFinalizedAt === null && { disputeWindowEndsAt: iso(disputeWindowEndsAt(rejectedAt)) }),
    timestamps: timestampsView(session, now),
  }
}
