import { setTimeout as sleep } from 'node:timers/promises'
import { pendingClaim } from '../../activities/claims/intents.ts'
import type { Database, Rows } from '../../activities/database/database.ts'
import { findSessionVersions, type SessionVersion } from '../../activities/sessions/version.ts'
import type { PendingClaim } from '../../schemas/sessions/record.ts'
import type { Settings } from '../../schemas/settings.ts'
import type { EventHub } from '../event-stream/hub.ts'
import { createOpenCounter, type Holder } from '../http/open-counter.ts'

/** A read without a new event: not every change of a session is one. */
const LOOK_MS = 1_000
/** Shortest time between two reads. */
const REST_MS = 50

/** What the records hold of a session: its version, or the claim that becomes it. */
interface SessionProgress {
  version: SessionVersion | null
  pending: PendingClaim | null
}

/** One statement for all sessions that are recorded, one more for each claim without a session. */
const readProgress = async (rows: Rows, sessionIds: readonly string[]): Promise<Map<string, SessionProgress>> => {
  const versions = await findSessionVersions(rows, sessionIds)
  const progress = sessionIds.map(async (sessionId): Promise<[string, SessionProgress]> => {
    const version = versions.get(sessionId) ?? null
    return [sessionId, { version, pending: version === null ? await pendingClaim(rows, sessionId) : null }]
  })
  return new Map(await Promise.all(progress))
}

export interface WaitRequest {
  seconds: number
  /** Ends the wait when the client has gone or the process stops. */
  signal: AbortSignal
  /** The caller, for whom the wait counts; null for a wait that belongs to a step of the service. */
  holder: Holder | null
}

/** What ended a wait: a change of the records, its time, or the client, who has gone. */
export type WaitEnd = 'change' | 'time' | 'client'

interface Waiter {
  hasChanged: (progress: SessionProgress) => boolean
  end: (by: WaitEnd) => void
  fail: (error: unknown) => void
}

interface WaitDeps {
  database: Pick<Database, 'rows'>
  events: Pick<EventHub, 'onNewEvents'>
  settings: Pick<Settings, 'OPEN_WAITS' | 'OPEN_WAITS_PER_WALLET' | 'OPEN_WAITS_PER_ADDRESS'>
  /** Time after which the records are read without a new event. */
  lookMs?: number
}

/** Waits of callers for changes of sessions. All of them share one read of the records, at every new event and once a second. */
export const createWaits = ({ database, events, settings, lookMs = LOOK_MS }: WaitDeps) => {
  const waiting = new Map<string, Set<Waiter>>()
  const openWait = createOpenCounter({
    all: settings.OPEN_WAITS,
    perWallet: settings.OPEN_WAITS_PER_WALLET,
    perAddress: settings.OPEN_WAITS_PER_ADDRESS,
  })
  let isPolling = false

  const check = async (): Promise<void> => {
    const watched = new Map(waiting)
    try {
      const progress = await readProgress(database.rows, [...watched.keys()])
      for (const [sessionId, waiters] of watched) {
        const now = progress.get(sessionId) ?? { version: null, pending: null }
        for (const waiter of waiters) if (waiter.hasChanged(now)) waiter.end('change')
      }
    } catch (error) {
      for (const waiters of watched.values()) for (const waiter of waiters) waiter.fail(error)
    }
  }

  const poll = async (): Promise<void> => {
    if (isPolling) return
    isPolling = true
    let arrival = Promise.withResolvers<void>()
    const stop = events.onNewEvents(() => arrival.resolve())
    while (waiting.size > 0) {
      await sleep(REST_MS)
      await Promise.race([arrival.promise, sleep(lookMs - REST_MS, undefined, { ref: false })])
      arrival = Promise.withResolvers()
      await check()
    }
    stop()
    isPolling = false
  }

  const removeWaiter = (sessionId: string, waiter: Waiter): void => {
    const waiters = waiting.get(sessionId)
    waiters?.delete(waiter)
    if (waiters?.size === 0) waiting.delete(sessionId)
  }

  /** Resolves to what ended the wait. Throws 503 `too_many_waits`. */
  return async (sessionId: string, { seconds, signal, holder }: WaitRequest, hasChanged: Waiter['hasChanged']): Promise<WaitEnd> => {
    if (signal.aborted) return 'client'
    if (seconds <= 0) return 'time'
    const close = holder === null ? null : openWait(holder)
    const ended = Promise.withResolvers<WaitEnd>()
    const waiter: Waiter = { hasChanged, end: ended.resolve, fail: ended.reject }
    const stop = (): void => waiter.end('client')
    const timer = setTimeout(waiter.end, seconds * 1000, 'time')
    signal.addEventListener('abort', stop)
    waiting.set(sessionId, (waiting.get(sessionId) ?? new Set()).add(waiter))
    void poll()
    try {
      return await ended.promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      removeWaiter(sessionId, waiter)
      close?.()
    }
  }
}
export type Waits = ReturnType<typeof createWaits>
