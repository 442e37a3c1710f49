import { setTimeout as sleep } from 'node:timers/promises'
import { BaseError, HttpRequestError, TimeoutError } from 'viem'

const AGAIN_MS = 500
/** A wait that lasts is told again after so many tries. */
const TOLD_EVERY = 60

const isSilence = (cause: unknown): boolean => cause instanceof HttpRequestError || cause instanceof TimeoutError

/** True for a failure that says nothing about the chain but that its node did not answer. */
export const isUnreachable = (error: unknown): boolean => error instanceof BaseError && error.walk(isSilence) !== null

/** Repeats `work` for as long as the node (or what else `isPassing` names) does not answer, and tells `waiting` so now and then; every other failure is thrown. */
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
      if (tries % TOLD_EVERY === 0) await waiting(error)
      await sleep(AGAIN_MS)
    }
  }
}
