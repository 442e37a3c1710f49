import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 250

/** Polls until `isDone` is true, the time is over, or the client has gone. */
export const pollUntil = async (seconds: number, signal: AbortSignal, isDone: () => Promise<boolean>): Promise<void> => {
  for (const end = performance.now() + seconds * 1000; performance.now() < end && !signal.aborted; ) {
    await sleep(POLL_MS)
    if (await isDone()) return
  }
}
