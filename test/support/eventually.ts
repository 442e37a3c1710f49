import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'

/** Longest wait. Only a test that fails waits so long. */
const LIMIT_MS = 120_000
const SHORTEST_PAUSE_MS = 10
const LONGEST_PAUSE_MS = 100

/** A tenth of the time waited so far: a long wait leaves the processors to what it waits for. */
const pauseAfter = (waitedMs: number): number => Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, waitedMs / 10))

/**
 * Reads until the value holds, and returns it. Throws with the last value after two minutes, and at once when `alive` throws: the process
 * that would bring the value about has ended.
 */
export const eventually = async <T, Wanted extends T = T>(
  what: string,
  read: () => T | Promise<T>,
  holds: ((value: T) => value is Wanted) | ((value: T) => boolean) = Boolean,
  alive: () => void | Promise<void> = () => undefined,
): Promise<Wanted> => {
  const began = performance.now()
  for (;;) {
    const value = await read()
    if (holds(value)) return value as Wanted
    await alive()
    const waitedMs = performance.now() - began
    if (waitedMs > LIMIT_MS) throw new Error(`${what}: not within two minutes; the last value is ${inspect(value, { depth: 6 })}`)
    await sleep(pauseAfter(waitedMs))
  }
}

/** Answer of a service, as far as it says when to repeat the request. */
interface Answer {
  body: { retryAfterSeconds?: number } | undefined
}

/** Repeats a request after the time that its answer states, until an answer is final. Throws with the last answer after two minutes. */
export const untilFinal = async <Reply extends Answer>(
  what: string,
  send: () => Promise<Reply>,
  isFinal: (reply: Reply) => boolean,
): Promise<Reply> => {
  let dueAt = 0
  const sendWhenDue = async (): Promise<Reply> => {
    await sleep(Math.max(0, dueAt - performance.now()))
    const reply = await send()
    dueAt = performance.now() + (reply.body?.retryAfterSeconds ?? 1) * 1000
    return reply
  }
  return eventually(what, sendWhenDue, isFinal)
}
