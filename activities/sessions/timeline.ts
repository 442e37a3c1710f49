import type { Topic } from '../../domain/events/topics.ts'
import type { SessionRecord, SessionStatus } from '../../schemas/sessions/record.ts'
import type { Rows } from '../database/database.ts'
import { eventEntry, instantsOf } from '../events/timeline.ts'

/** Statuses that an event reports; it is listed after the next transition to one of them. Other events are listed by their time. */
const REPORTED_STATUSES: Partial<Record<Topic, readonly SessionStatus[]>> = {
  'session.claimed': ['claimed'],
  'funding.claim_lock_recorded': ['claimed'],
  'session.submitted': ['submitted'],
  'session.expired': ['expired'],
  'session.closed': ['closed', 'timed_out'],
  'settlement.session_resolved': ['resolved'],
  'settlement.session_rejected': ['rejected'],
  'settlement.stake_release_recorded': ['resolved'],
  'dispute.opened': ['disputed'],
  'dispute.verdict_recorded': ['resolved', 'rejected', 'closed'],
  'verifier.chain_state_diverged': ['chain_state_diverged', 'closed'],
  'escrow.job_claimed': ['claimed'],
  'escrow.work_submitted': ['submitted'],
  'escrow.job_rejected': ['rejected'],
  'escrow.dispute_opened': ['disputed'],
  'escrow.job_closed': ['resolved', 'rejected', 'closed'],
}

type Move = SessionRecord['statusHistory'][number]

/** Number of transitions listed before an event. `passed` is the number before the previous event. */
const countMovesBefore = (event: { topic: string; source: string; at: number }, moves: readonly Move[], passed: number): number => {
  const reported = REPORTED_STATUSES[event.topic as Topic]
  const from = Math.max(passed - 1, 0)
  if (reported !== undefined) {
    const found = moves.findIndex((move, index) => index >= from && reported.includes(move.to))
    return found === -1 ? passed : found + 1
  }
  // A verdict is listed before its effects and after the submission.
  if (event.topic === 'verification.resolved') return Math.max(passed, moves.findIndex(({ to }) => to === 'submitted') + 1)
  // Other chain events keep their order of recording: a block's time can equal that of transitions it did not cause.
  if (event.source === 'chain') return passed
  const later = moves.findIndex((move, index) => index >= passed && move.at > event.at)
  return later === -1 ? moves.length : later
}

/**
 * The history of a session up to a transition (from 1), causes before effects: each transition, followed by the events that report it.
 */
export const sessionTimeline = async (rows: Rows, session: SessionRecord, upTo: number) => {
  const events = await rows.selectFrom('event').selectAll().where('sessionId', '=', session.sessionId).orderBy('id').execute()
  const common = { jobId: session.jobId, sessionId: session.sessionId, wallet: session.wallet }
  const moves = session.statusHistory
  const transitions = moves.map((entry, index) => ({
    id: `${session.sessionId}#${index + 1}`,
    type: 'session_transition',
    ...instantsOf(entry),
    correlationId: session.sessionId,
    phase: 'session',
    source: 'state',
    topic: `session.${entry.to}`,
    severity: 'info' as const,
    ...common,
    data: { from: entry.from, to: entry.to, reason: entry.reason, metadata: entry.metadata },
  }))
  const published = events.map((event) => ({ ...eventEntry(event), ...common }))
  let passed = 0
  const places = events.map((event) => {
    passed = countMovesBefore(event, moves, passed)
    return passed
  })
  const eventsAfter = (count: number) => published.filter((_entry, index) => places[index] === count)
  const entries = [...eventsAfter(0), ...transitions.slice(0, upTo).flatMap((transition, index) => [transition, ...eventsAfter(index + 1)])]
  return entries.map((entry, index) => ({ sequence: index + 1, ...entry }))
}
