import type { Logger } from 'pino'
import { type Loop, startLoop } from '../../activities/common/loop.ts'
import type { Database } from '../../activities/database/database.ts'
import { type NumberedEvent, readEventsAfter, readNewestNumber } from '../../activities/events/feed.ts'
import { EVENTS_CHANNEL } from '../../activities/events/relay.ts'
import { type EventFilter, NO_FILTER, passes } from '../../domain/events/filter.ts'

/** Events of one read. */
const BATCH = 500
/** Events that wait in memory for one reader; with more it reads them from the records. */
const MAX_WAITING = 1_000
/** A read without a notification, in case one was lost. */
const LOOK_MS = 5_000

/** One reader of new events. */
const createSubscriber = (filter: EventFilter) => {
  let events: NumberedEvent[] = []
  let overflowed = false
  let wake = Promise.withResolvers<'event' | 'time' | 'wake'>()
  return {
    offer: (event: NumberedEvent): void => {
      if (!passes(filter, event)) return
      if (events.length < MAX_WAITING) events.push(event)
      else {
        events = []
        overflowed = true
      }
      wake.resolve('event')
    },
    /** Takes the events that wait. `overflowed`: some were dropped, and the reader has to read the records. */
    take: () => {
      const taken = { events, overflowed }
      events = []
      overflowed = false
      wake = Promise.withResolvers()
      return taken
    },
    /** Resolves when something waits, after `ms`, or at `wake`: to what ended the wait. */
    next: async (ms: number) => {
      const timer = setTimeout(wake.resolve, Math.max(0, ms), 'time' as const)
      const by = await wake.promise
      clearTimeout(timer)
      return by
    },
    wake: () => wake.resolve('wake'),
  }
}

/**
 * New events for all readers of a process: one connection listens for the relay's notifications, one statement reads the new events, and each
 * goes to the readers that may have it.
 */
export const createEventHub = ({ database, logger }: { database: Pick<Database, 'rows' | 'listen'>; logger: Pick<Logger, 'warn'> }) => {
  const subscribers = new Set<ReturnType<typeof createSubscriber>>()
  let last = 0n
  let reading: Promise<void> = Promise.resolve()
  let isQueued = false
  const onFailure = (error: unknown): void => logger.warn({ err: error }, 'new events could not be read')

  const readNew = async (): Promise<void> => {
    isQueued = false
    for (let isFull = subscribers.size > 0; isFull; ) {
      const events = await readEventsAfter(database.rows, NO_FILTER, last, BATCH)
      for (const event of events) for (const subscriber of subscribers) subscriber.offer(event)
      last = events.at(-1)?.seq ?? last
      isFull = events.length === BATCH
    }
  }

  /** One read at a time; a wake-up during a read leads to one more. */
  const wake = (): Promise<void> => {
    if (isQueued || subscribers.size === 0) return reading
    isQueued = true
    reading = reading.then(readNew).catch(onFailure)
    return reading
  }

  const listeners = new Set<() => void>()
  let opened: { looks: Loop<void>; stopListening: () => void } | null = null
  const open = (): void => {
    opened ??= {
      stopListening: database.listen(EVENTS_CHANNEL, () => {
        void wake()
        for (const listener of listeners) listener()
      }),
      looks: startLoop({ round: wake, every: LOOK_MS, firstMs: LOOK_MS, onFailure }),
    }
  }

  return {
    /** Reads the new events now. */
    round: wake,

    /** Reads no more; resolves when the running read has ended. */
    stop: async (): Promise<void> => {
      opened?.stopListening()
      await opened?.looks.stop()
    },

    /** Runs `listener` whenever new events may be there; returns a function that stops it. */
    onNewEvents: (listener: () => void): (() => void) => {
      open()
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    /** Receives the events with numbers above the newest one of now; earlier ones are in the records. */
    subscribe: async (filter: EventFilter) => {
      open()
      const subscriber = createSubscriber(filter)
      const entered = reading.then(async () => {
        if (subscribers.size === 0) last = await readNewestNumber(database.rows)
        subscribers.add(subscriber)
      })
      reading = entered.catch(() => undefined)
      await entered
      const end = (): boolean => subscribers.delete(subscriber)
      return { ...subscriber, end }
    },
  }
}
export type EventHub = ReturnType<typeof createEventHub>
