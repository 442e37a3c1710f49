import { setTimeout as sleep } from 'node:timers/promises'

/** Longest wait. Only a test that fails waits so long. */
const LIMIT_MS = 120_000
const PAUSE_MS = 10

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
  for (const end = performance.now() + LIMIT_MS; ; await sleep(PAUSE_MS)) {
    const value = await read()
    if (holds(value)) return value as Wanted
    await alive()
    if (performance.now() > end) throw new Error(`${what}: not within two minutes; the last value is ${JSON.stringify(value)}`)
  }
}
