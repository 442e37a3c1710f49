import type { ArticleFacts, DeliveryFacts, DeliveryReading, PullRequestFacts } from '../../schemas/deliveries/record.ts'
import type { DeliveryKind, DeliveryState } from '../../schemas/sessions/delivery-shapes.ts'
import { DAY_MS } from '../common/instants.ts'

/** How long a delivery may stay open after its payment. Source: lifecycle, "Delivery tracking". */
export const DEADLINE_DAYS: Readonly<Record<DeliveryKind, number>> = { pull_request: 30, edit: 14 }
/** How long a merge is watched for a revert, and how long adopted texts must stand. */
const CONFIRM_DAYS = 7
/** Pause between two readings. */
const POLL_HOURS = 24
/** How long a due decision waits for a reading that succeeds. Then the last known state counts. */
const GRACE_DAYS = 7

/** What the record knows of a delivery. Instants in epoch ms. */
export interface TrackedFacts {
  kind: DeliveryKind
  state: DeliveryState
  deadlineAt: number
  confirmAt: number | null
  adopted: number[] | null
}

export interface DeliveryDecision {
  state: DeliveryState
  confirmAt: number | null
  adopted: number[] | null
  /** True when no later reading changes the state. */
  isFinal: boolean
  /** Why the reading decided nothing; null when it counts. */
  failure: string | null
}

type Decision = Omit<DeliveryDecision, 'failure'>

/** When the state is decided at the latest, if every reading succeeds. */
const dueAt = ({ deadlineAt, confirmAt }: Pick<TrackedFacts, 'deadlineAt' | 'confirmAt'>): number => confirmAt ?? deadlineAt

const confirmFrom = (now: number): number => now + CONFIRM_DAYS * DAY_MS

const openUntilDeadline = ({ deadlineAt }: TrackedFacts, now: number): Decision =>
  now < deadlineAt
    ? { state: 'open', confirmAt: null, adopted: null, isFinal: false }
    : { state: 'open_stale', confirmAt: null, adopted: null, isFinal: true }

const decidePullRequest = (before: TrackedFacts, facts: PullRequestFacts, now: number): Decision => {
  if (facts.isMerged) {
    const confirmAt = before.confirmAt ?? confirmFrom(now)
    if (facts.revertedBy !== null) return { state: 'reverted', confirmAt, adopted: null, isFinal: true }
    return { state: 'merged', confirmAt, adopted: null, isFinal: now >= confirmAt }
  }
  if (facts.state === 'closed') return { state: 'closed_unmerged', confirmAt: null, adopted: null, isFinal: true }
  return openUntilDeadline(before, now)
}

const decideEdit = (before: TrackedFacts, facts: ArticleFacts, now: number): Decision => {
  const { confirmAt } = before
  if (confirmAt === null) {
    if (facts.adopted.length === 0) return openUntilDeadline(before, now)
    return { state: 'open', confirmAt: confirmFrom(now), adopted: facts.adopted, isFinal: false }
  }
  const adopted = (before.adopted ?? []).filter((position) => facts.adopted.includes(position))
  if (adopted.length === 0) return { state: 'reverted', confirmAt, adopted, isFinal: true }
  return now < confirmAt ? { state: 'open', confirmAt, adopted, isFinal: false } : { state: 'merged', confirmAt, adopted, isFinal: true }
}

/** A failed reading changes nothing. Long after its due instant the delivery ends as it is known: a merge stays one, all else is stale. */
const keep = (before: TrackedFacts, failure: string, now: number): DeliveryDecision => {
  const { state, confirmAt, adopted } = before
  const isFinal = now >= dueAt(before) + GRACE_DAYS * DAY_MS
  return { state: isFinal && state === 'open' ? 'open_stale' : state, confirmAt, adopted, isFinal, failure }
}

/** Why facts cannot be those of the tracked delivery; null when they can. */
const contradictionOf = ({ kind, state }: TrackedFacts, facts: DeliveryFacts): string | null => {
  if (facts.kind !== kind) return 'other_kind'
  return state === 'merged' && facts.kind === 'pull_request' && !facts.isMerged ? 'merge_not_known_any_more' : null
}

/** State of a delivery after a reading at `now` (epoch ms). Source: lifecycle, "Delivery tracking". */
export const decideDelivery = (before: TrackedFacts, reading: DeliveryReading, now: number): DeliveryDecision => {
  if (!reading.ok) return keep(before, reading.failure, now)
  const { facts } = reading
  const contradiction = contradictionOf(before, facts)
  if (contradiction !== null) return keep(before, contradiction, now)
  const decision = facts.kind === 'pull_request' ? decidePullRequest(before, facts, now) : decideEdit(before, facts, now)
  return { ...decision, failure: null }
}

/** When a delivery is read next, epoch ms: a day later, and at the instant that decides. */
export const nextReadingAt = (facts: Pick<TrackedFacts, 'deadlineAt' | 'confirmAt'>, now: number): number => {
  const daily = now + POLL_HOURS * 3_600_000
  const due = dueAt(facts)
  return due > now ? Math.min(daily, due) : daily
}
