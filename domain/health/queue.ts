import { QUEUE_KINDS, type QueueKind, type QueueRow } from '../../schemas/health/queue.ts'
import type { Role } from '../../schemas/identity/authorisation.ts'

/** Who sees a kind of the queue, and what decides it. A role that sees a kind can decide it, or read what it is about. */
interface QueueRule {
  seenBy: readonly Role[]
  decidedBy: QueueRow['decidedBy']
}

/** Rules of the kinds. An admin sees all of them, also those that only another role decides. */
export const QUEUE_RULES: Readonly<Record<QueueKind, QueueRule>> = {
  review: { seenBy: ['admin', 'verifier'], decidedBy: { operation: 'decideReview', role: 'verifier' } },
  dispute: { seenBy: ['admin', 'arbitrator'], decidedBy: { operation: 'decideDispute', role: 'arbitrator' } },
  signature: { seenBy: ['admin', 'arbitrator'], decidedBy: { operation: 'decideDispute', role: 'arbitrator' } },
  request: { seenBy: ['admin'], decidedBy: { operation: 'finalizeXcmRequest', role: 'admin' } },
  blocked: { seenBy: ['admin'], decidedBy: null },
  diverged: { seenBy: ['admin'], decidedBy: { operation: 'closeSession', role: 'admin' } },
  alarm: { seenBy: ['admin'], decidedBy: null },
  source: { seenBy: ['admin'], decidedBy: { operation: 'steerSource', role: 'admin' } },
  webhook: { seenBy: ['admin'], decidedBy: null },
  lane: { seenBy: ['admin'], decidedBy: { operation: 'setLaneState', role: 'admin' } },
  template: { seenBy: ['admin'], decidedBy: { operation: 'resumeTemplate', role: 'admin' } },
}

/** Kinds that a caller with these roles sees, in their order. */
export const kindsFor = (roles: readonly Role[]): QueueKind[] =>
  QUEUE_KINDS.filter((kind) => QUEUE_RULES[kind].seenBy.some((role) => roles.includes(role)))

/** Place of a row in the queue: by deadline (epoch ms; null is last), then kind, then id. */
export interface QueuePlace {
  deadline: number | null
  kind: QueueKind
  id: string
}

const orderOf = (kind: QueueKind): number => QUEUE_KINDS.indexOf(kind)
const timeOf = (deadline: number | null): number => deadline ?? Number.POSITIVE_INFINITY

/** Order of rows whose ids need no comparison, because a source gives its rows in order. */
export const comparePlaces = (left: QueuePlace, right: QueuePlace): number => {
  const [earlier, later] = [timeOf(left.deadline), timeOf(right.deadline)]
  return earlier === later ? orderOf(left.kind) - orderOf(right.kind) : earlier < later ? -1 : 1
}

/** Rows of a kind that follow a place: those with a later deadline, and those with this one from an id on. */
export interface Remainder {
  /** Null: rows with a deadline are all before the place. */
  deadline: number | null
  /** Of the rows with this deadline: `all`, `none`, or those after an id. */
  ids: 'all' | 'none' | { after: string }
}

/** What of a kind follows a place. */
export const remainderOf = (kind: QueueKind, { deadline, kind: standing, id }: QueuePlace): Remainder => {
  const distance = orderOf(kind) - orderOf(standing)
  return { deadline, ids: distance === 0 ? { after: id } : distance > 0 ? 'all' : 'none' }
}

/** Whether a row stands after a place. */
export const isAfter = (row: QueuePlace, place: QueuePlace): boolean => {
  const { deadline, ids } = remainderOf(row.kind, place)
  if (timeOf(row.deadline) !== timeOf(deadline)) return timeOf(row.deadline) > timeOf(deadline)
  return ids === 'all' || (ids !== 'none' && row.id > ids.after)
}
