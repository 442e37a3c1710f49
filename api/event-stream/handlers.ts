import { readEventsAfter, readLastEvents } from '../../activities/events/feed.ts'
import { normaliseSessionId } from '../../domain/common/ids.ts'
import { eventEnvelope } from '../../domain/event-stream/envelope.ts'
import { type EventFilter, filterWords } from '../../domain/events/filter.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type * as eventOperations from '../../schemas/event-stream/operations.ts'
import { EventIdInput } from '../../schemas/event-stream/shapes.ts'
import type { Principal, WalletPrincipal } from '../../schemas/identity/authorisation.ts'
import type { HandlersOf, Input } from '../../schemas/operations/operation.ts'
import type { ServiceDeps } from '../deps.ts'
import { createOpenCounter } from '../http/open-counter.ts'
import { invalidRequest } from '../http/problem.ts'
import { findStart, streamFrames } from './stream.ts'

type Query = Omit<Input<typeof eventOperations.pollEvents>['query'], 'after' | 'waitSeconds'>

/** Throws 403 `missing_capability` if the caller asks for the events of all wallets and is no operator. */
const assertScope = ({ scope }: Query, { capabilities }: Principal): void => {
  if (scope === 'all' && !capabilities.includes('ops:view'))
    throw new ServiceError('missing_capability', { details: { missingCapabilities: ['ops:view'] } })
}

const filterOf = ({ scope, jobId, sessionId, ...query }: Query, { wallet }: WalletPrincipal): EventFilter => ({
  ...filterWords(query),
  jobId: jobId ?? null,
  sessionId: sessionId === undefined ? null : (normaliseSessionId(sessionId) ?? sessionId),
  wallet: scope === 'all' ? null : wallet,
})

/** Number of the reader's last event: the header comes before the query. */
const knownEvent = (header: string | null, query: string | undefined): bigint | null => {
  const known = EventIdInput.optional().safeParse(header ?? query)
  if (!known.success) throw invalidRequest([{ pointer: 'header/Last-Event-ID', rule: 'pattern', message: 'must be the id of an event' }])
  return known.data === undefined ? null : BigInt(known.data)
}

/** Events of a wallet, or of all wallets for operators. */
export const createEventHandlers = (deps: ServiceDeps): HandlersOf<typeof eventOperations> => {
  const { database, settings, events } = deps
  const openStream = createOpenCounter({
    all: settings.EVENT_STREAMS,
    perWallet: settings.EVENT_STREAMS_PER_WALLET,
    perAddress: settings.EVENT_STREAMS_PER_ADDRESS,
  })

  /** Waits until an event passes the filter, the time is over, or the client has gone. */
  const awaitEvent = async (filter: EventFilter, after: bigint, seconds: number, signal: AbortSignal): Promise<void> => {
    const subscription = await events.subscribe(filter)
    signal.addEventListener('abort', subscription.wake)
    try {
      // No notification follows for what was recorded before the subscription.
      if (signal.aborted || (await readEventsAfter(database.rows, filter, after, 1)).length > 0) return
      await subscription.next(seconds * 1_000)
    } finally {
      signal.removeEventListener('abort', subscription.wake)
      subscription.end()
    }
  }

  return {
    streamEvents: async ({ query, caller, request }) => {
      assertScope(query, caller)
      const filter = filterOf(query, caller)
      const known = knownEvent(request.lastEventId, query.lastEventId)
      const start = await findStart(deps, known)
      const { signal } = request
      const checkCaller = async (): Promise<void> => {
        const again = await request.checkCaller()
        if (again !== null) assertScope(query, again)
      }
      const close = openStream({ wallet: caller.wallet, ip: request.ip })
      // A client that left while the start was read never aborts again.
      if (signal.aborted) close()
      else signal.addEventListener('abort', close, { once: true })
      const stream = () => streamFrames(deps, { filter, known, start, limit: query.limit, signal, subject: caller.wallet, checkCaller })
      return { status: 200, body: '', stream }
    },

    pollEvents: async ({ query, caller, request: { signal, ip } }) => {
      assertScope(query, caller)
      const filter = filterOf(query, caller)
      const { limit, waitSeconds } = query
      const known = knownEvent(null, query.after)
      const start = await findStart(deps, known)
      const read = () =>
        known === null
          ? readLastEvents(database.rows, filter, start.oldest, limit)
          : readEventsAfter(database.rows, filter, start.after, limit)
      let found = await read()
      if (found.length === 0 && waitSeconds > 0 && !signal.aborted) {
        const close = openStream({ wallet: caller.wallet, ip })
        try {
          await awaitEvent(filter, start.newest, waitSeconds, signal)
        } finally {
          close()
        }
        found = await read()
      }
      const last = found.at(-1)?.seq
      // A page that is not full has everything up to the newest number of its beginning.
      const next = last !== undefined && (found.length === limit || last > start.newest) ? last : start.newest
      return { status: 200, body: { events: found.map(eventEnvelope), lastEventId: String(next), gap: start.isGap } }
    },
  }
}
