import { setTimeout as sleep } from 'node:timers/promises'

/** Longest wait. Only a test that fails waits so long. */
const LIMIT_MS = 120_000
const PAUSE_MS = 10

/** Reads until the value holds, and returns it. Throws with the last value after two minutes. */
export const eventually = async <T>(what: string, read: () => T | Promise<T>, holds: (value: T) => boolean = Boolean): Promise<T> => {
  for (const end = performance.now() + LIMIT_MS; ; await sleep(PAUSE_MS)) {
    const value = await read()
    if (holds(value)) return value
    if (performance.now() > end) throw new Error(`${what}: not within two minutes; the last value is ${JSON.stringify(value)}`)
  }
}
