import type { ReviewDisposition, SessionRecord, WaitingFor } from '../../schemas/sessions/record.ts'
import { disputeId } from '../common/ids.ts'
import { iso, isoOrNull } from '../common/instants.ts'
import { reviewEnd } from './review-deadline.ts'
import { disputeWindowEndsAt, effectiveStatus, hasDiverged, isDisputable, isLapsedSession } from './state-machine.ts'

/** Records beside a session that tell what it waits for. */
export interface WaitingFacts {
  /** What an open dispute waits for, with its deadline in epoch ms; null without one. */
  dispute: { waitingFor: WaitingFor; deadlineAt: number } | null
  /** Null without a watched pull request. */
  pullRequest: { disposition: ReviewDisposition | null; heldBecause: string | null } | null
  /** Score of the newest verdict; null without a verdict. */
  score: number | null
}

/** For a reader of the session's own record alone. */
export const NO_WAITING_FACTS: WaitingFacts = { dispute: null, pullRequest: null, score: null }

/** Who or what a session waits for at `now` (epoch ms); null once it is over. */
const findWaitingFor = (session: SessionRecord, facts: WaitingFacts, now: number): WaitingFor | null => {
  switch (effectiveStatus(session, now)) {
    case 'claimed':
      return session.submission === null ? 'worker' : 'chain'
    case 'submitted':
      return session.verifierMode === 'codehost_pr' ? 'pull_request' : 'verifier'
    case 'disputed':
      return facts.dispute?.waitingFor ?? (session.chainState === 'submitted' ? 'reviewer' : 'arbitrator')
    case 'rejected':
      return isDisputable(session, now) ? 'worker' : null
    default:
      return hasDiverged(session) && session.operatorClose === null ? 'operator' : null
  }
}

/** Until when a rejection can be disputed, epoch ms; null when it cannot. */
const findDisputeDeadline = (session: SessionRecord, now: number): number | null => {
  const { rejectedAt } = session.timestamps
  return rejectedAt !== null && isDisputable(session, now) ? disputeWindowEndsAt(rejectedAt) : null
}

/** Until when it waits, epoch ms: then the time-out of its status applies. Null without a deadline, or one that these facts do not tell. */
const findDeadline = (session: SessionRecord, { dispute }: WaitingFacts, now: number): number | null => {
  const { submittedAt } = session.timestamps
  switch (effectiveStatus(session, now)) {
    case 'claimed':
      return session.submission === null ? session.claimExpiresAt : null
    case 'submitted':
      return submittedAt === null ? null : reviewEnd(session, submittedAt)
    case 'disputed':
      return dispute?.deadlineAt ?? null
    case 'rejected':
      return findDisputeDeadline(session, now)
    default:
      return null
  }
}

/** Why a submission has no final verdict yet, in the words of the operators' queue. */
export const describeDisposition = (
  { status }: Pick<SessionRecord, 'status'>,
  pullRequest: Pick<NonNullable<WaitingFacts['pullRequest']>, 'disposition'> | null | undefined,
): ReviewDisposition => pullRequest?.disposition ?? (status === 'disputed' ? 'human_review' : 'awaiting_verdict')

/** What a session waits for, why and until when: the same for its owner as for operators. */
export const waitingView = (session: SessionRecord, facts: WaitingFacts, now: number) => {
  const waitingFor = findWaitingFor(session, facts, now)
  const deadline = findDeadline(session, facts, now)
  const until = disputableUntil(session, now)
  const isUndecided = session.status === 'submitted' || session.status === 'disputed'
  const heldBecause = isUndecided ? facts.pullRequest?.heldBecause : null
  return {
    waitingFor,
    reason: isLapsedSession(session, now) ? 'claim_ttl_expired' : (session.statusHistory.at(-1)?.reason ?? null),
    ...(deadline !== null && { deadline: iso(deadline) }),
    ...(facts.score !== null && { score: facts.score }),
    ...(isUndecided && { disposition: describeDisposition(session, facts.pullRequest) }),
    ...(typeof heldBecause === 'string' && { heldBecause }),
    ...(session.status === 'disputed' && { disputeId: disputeId(session.sessionId) }),
    ...(until !== null && { disputableUntil: until }),
  }
}

/** Until when a rejection can be disputed (ISO 8601); null when it cannot. */
export const disputableUntil = (session: SessionRecord, now: number): string | null => isoOrNull(findDisputeDeadline(session, now))
