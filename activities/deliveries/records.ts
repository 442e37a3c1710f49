import { sql } from 'kysely'
import { type DeliveryDecision, nextReadingAt } from '../../domain/deliveries/decision.ts'
import { repoKey } from '../../domain/pull-requests/address.ts'
import type { NamedPullRequests } from '../../domain/pull-requests/webhook-events.ts'
import type { DeliveryReading } from '../../schemas/deliveries/record.ts'
import type { Tables } from '../../schemas/entities/tables.ts'
import type { DeliveryState } from '../../schemas/sessions/delivery-shapes.ts'
import type { Rows } from '../database/database.ts'
import { emit, sessionSubject } from '../events/outbox.ts'

export type TrackedDelivery = Tables['tracked_delivery']

/** The tracked delivery of a session; null if there is none. */
export const findTracked = async (rows: Rows, sessionId: string): Promise<TrackedDelivery | null> =>
  (await rows.selectFrom('tracked_delivery').selectAll().where('sessionId', '=', sessionId).executeTakeFirst()) ?? null

/** The same, locked for the transaction. */
export const lockTracked = async (rows: Rows, sessionId: string): Promise<TrackedDelivery | null> =>
  (await rows.selectFrom('tracked_delivery').selectAll().where('sessionId', '=', sessionId).forUpdate().executeTakeFirst()) ?? null

/** Tracked deliveries of these sessions, by session. */
export const trackedOfSessions = async (rows: Rows, sessionIds: readonly string[]): Promise<Map<string, TrackedDelivery>> => {
  if (sessionIds.length === 0) return new Map()
  const found = await rows.selectFrom('tracked_delivery').selectAll().where('sessionId', 'in', sessionIds).execute()
  return new Map(found.map((delivery) => [delivery.sessionId, delivery]))
}

/** Deliveries of a wallet (lower case) by their states. Source: lifecycle, "Delivery tracking". */
export const countDeliveries = async (rows: Rows, wallet: string): Promise<Record<DeliveryState, number>> => {
  const count = (state: DeliveryState) => sql<number>`(count(*) filter (where state = ${state}))::integer`.as(state)
  return rows
    .selectFrom('tracked_delivery')
    .select([count('open'), count('merged'), count('closed_unmerged'), count('open_stale'), count('reverted')])
    .where('wallet', '=', wallet)
    .executeTakeFirstOrThrow() as Promise<Record<DeliveryState, number>>
}

/**
 * Records a reading with its decision, and gives the pull request of the session the same state: nothing else decides it after the payment. Its
 * place in its repository is free once it is not open any more. A change of state is announced. `now` in epoch ms.
 */
export const recordReading = async (
  rows: Rows,
  before: TrackedDelivery,
  { reading, decision, now }: { reading: DeliveryReading; decision: DeliveryDecision; now: number },
): Promise<TrackedDelivery> => {
  const { sessionId, kind, address } = before
  const { state, confirmAt, adopted, isFinal, failure } = decision
  const hasChanged = state !== before.state
  const facts = failure === null && reading.ok ? reading.facts : null
  const after: TrackedDelivery = {
    ...before,
    ...{ state, confirmAt, adopted, failure },
    changedAt: hasChanged ? now : before.changedAt,
    nextReadAt: nextReadingAt({ deadlineAt: before.deadlineAt, confirmAt }, now),
    endedAt: isFinal ? now : null,
    readings: before.readings + 1,
    failedReadings: before.failedReadings + (failure === null ? 0 : 1),
    readAt: now,
    facts: facts ?? before.facts,
    history: hasChanged ? [...before.history, { state, at: now, facts }] : before.history,
  }
  await rows.updateTable('tracked_delivery').set(after).where('sessionId', '=', sessionId).execute()
  if (kind === 'pull_request')
    await rows
      .updateTable('pull_request')
      .set({ delivery: state, endedAt: state === 'open' ? null : sql<number>`coalesce(ended_at, ${new Date(now)})` })
      .where('sessionId', '=', sessionId)
      .where('delivery', '!=', 'wrong_repository')
      .execute()
  if (hasChanged)
    await emit(rows, {
      ...sessionSubject(before),
      topic: 'delivery.changed',
      at: now,
      data: { kind, address, from: before.state, state, ...(facts !== null && { facts }) },
    })
  return after
}

/** Sessions whose delivery is still tracked among these pull requests. A renamed repository is known by its id. */
export const trackedAmong = async (rows: Rows, { repo, repoId, numbers }: NamedPullRequests): Promise<string[]> => {
  if (numbers.length === 0) return []
  const found = await rows
    .selectFrom('tracked_delivery')
    .innerJoin('pull_request', 'pull_request.sessionId', 'tracked_delivery.sessionId')
    .where('tracked_delivery.endedAt', 'is', null)
    .where('pull_request.number', 'in', [...numbers])
    .where(({ eb, or }) =>
      or([
        eb('pull_request.repo', '=', repoKey(repo)),
        ...(repoId === null ? [] : [eb(sql`pull_request.first_state ->> 'repoId'`, '=', String(repoId))]),
      ]),
    )
    .select('tracked_delivery.sessionId')
    .execute()
  return found.map(({ sessionId }) => sessionId)
}
