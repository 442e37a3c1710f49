import { setTimeout as sleep } from 'node:timers/promises'
import { BaseError, HttpRequestError, TimeoutError } from 'viem'

const AGAIN_MS = 500
/** A wait is reported again after so many tries. */
const REPORT_EVERY = 60

const isWithoutAnswer = (cause: unknown): boolean => cause instanceof HttpRequestError || cause instanceof TimeoutError

/** Whether a call failed because the node did not answer. */
export const isUnreachable = (error: unknown): boolean => error instanceof BaseError && error.walk(isWithoutAnswer) !== null

/** Repeats `work` while it fails with an error that `isPassing`, by default a node without an answer, and reports to `waiting` now and then. Throws every other failure. */
export const whenReachable = async <T>(
  work: () => Promise<T>,
  waiting: (error: unknown) => void | Promise<void>,
  isPassing: (error: unknown) => boolean = isUnreachable,
): Promise<T> => {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error)) throw error
      if (tries % REPORT_EVERY === 0) await waiting(error)
      await sleep(AGAIN_MS)
    }
  }
}
