import { type NumberedEvent, readEventRange, readEventsAfter, readLastEvents } from '../../activities/events/feed.ts'
import { eventFrame, frame } from '../../domain/event-stream/envelope.ts'
import type { EventFilter } from '../../domain/events/filter.ts'
import { ERRORS, ServiceError } from '../../schemas/errors.ts'
import type { ServiceDeps } from '../deps.ts'

const DAY_MS = 86_400_000

/** Where a reader begins: after which number, and whether events are lost that it has not seen. */
export interface Start {
  after: bigint
  isGap: boolean
  /** First number that is still served, and the newest one. */
  oldest: bigint
  newest: bigint
}

/** Beginning for a reader whose last event is `known`, or who has none: then after the newest. */
export const findStart = async ({ database, clock, settings }: ServiceDeps, known: bigint | null): Promise<Start> => {
  const { oldest, newest } = await readEventRange(database.rows, clock.now() - settings.EVENT_RETENTION_DAYS * DAY_MS)
  if (known === null) return { after: newest, isGap: false, oldest, newest }
  // A number above the newest is of other records.
  const isGap = known < oldest - 1n || known > newest
  return { after: isGap ? oldest - 1n : known, isGap, oldest, newest }
}

/** Events of one read of the records. */
const PAGE = 500

interface StreamRequest {
  filter: EventFilter
  /** Number of the reader's last event; null for a reader that begins with the last `limit` events. */
  known: bigint | null
  start: Start
  limit: number
  /** Aborts when the client has gone or the process stops. */
  signal: AbortSignal
  /** The caller, whose right is checked again when a token or grant of it ends. */
  subject: string
  /** Throws 401 or 403 when the token has ended. */
  checkCaller: () => Promise<void>
}

/** Code of the refusal that ends a stream; null while the caller may read on. An outage ends none. */
const findRefusal = async (checkCaller: () => Promise<void>): Promise<string | null> => {
  try {
    await checkCaller()
    return null
  } catch (error) {
    return error instanceof ServiceError && [401, 403].includes(ERRORS[error.code].status) ? error.code : null
  }
}

/** Frames of one stream: what is recorded after its start, then what happens. */
export async function* streamFrames(
  { database, events, settings, revocations }: ServiceDeps,
  request: StreamRequest,
): AsyncGenerator<string> {
  const { filter, known, start, limit, signal, subject, checkCaller } = request
  const subscription = await events.subscribe(filter)
  signal.addEventListener('abort', subscription.wake)
  const pingMs = settings.EVENT_PING_SECONDS * 1_000
  let pingAt = performance.now() + pingMs
  // The caller was authenticated before the watch began: no notification follows for a revocation between the two.
  let isCheckDue = true
  const stopWatching = revocations.watch(subject, () => {
    isCheckDue = true
    subscription.wake()
  })
  let last = start.after
  try {
    yield ': connected\n\n'
    if (start.isGap) yield frame('gap', { topic: 'gap', lastDelivered: String(known) })
    if (known === null) {
      const recent = await readLastEvents(database.rows, filter, start.oldest, limit)
      last = recent.at(-1)?.seq ?? last
      if (recent.length > 0) yield recent.map(eventFrame).join('')
    }
    for (let isBehind = true; !signal.aborted; ) {
      const isPingDue = performance.now() >= pingAt
      if (isCheckDue || isPingDue) {
        isCheckDue = false
        const refusal = await findRefusal(checkCaller)
        if (refusal !== null) yield frame('auth_expired', { topic: 'auth_expired', code: refusal })
        if (refusal !== null) return
      }
      if (isPingDue) {
        yield ': ping\n\n'
        pingAt = performance.now() + pingMs
      }
      const waiting = subscription.take()
      if (signal.aborted) return
      isBehind ||= waiting.overflowed
      const from = last
      const found: NumberedEvent[] = isBehind
        ? await readEventsAfter(database.rows, filter, from, PAGE)
        : waiting.events.filter(({ seq }) => seq > from)
      isBehind &&= found.length === PAGE
      last = found.at(-1)?.seq ?? last
      if (found.length > 0) yield found.map(eventFrame).join('')
      else if (!isBehind && !isCheckDue) await subscription.next(pingAt - performance.now())
    }
  } finally {
    signal.removeEventListener('abort', subscription.wake)
    stopWatching()
    subscription.end()
  }
}
