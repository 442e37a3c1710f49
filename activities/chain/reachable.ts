import { setTimeout as sleep } from 'node:timers/promises'
import { BaseError, HttpRequestError, TimeoutError } from 'viem'
import { isServiceError, ServiceError } from '../../schemas/errors.ts'

const RETRY_MS = 500
/** Number of tries between two reports. */
const REPORT_EVERY = 60

const isWithoutAnswer = (cause: unknown): boolean => cause instanceof HttpRequestError || cause instanceof TimeoutError

/** Whether a call failed because the node did not answer. */
export const isUnreachable = (error: unknown): boolean => error instanceof BaseError && error.walk(isWithoutAnswer) !== null

/** Runs a read of the chain. Throws 502 `blockchain_unavailable` if the node does not answer or answers with an error. */
export const convertReadErrors = async <T>(read: () => Promise<T>): Promise<T> => {
  try {
    return await read()
  } catch (cause) {
    if (cause instanceof BaseError) throw new ServiceError('blockchain_unavailable', { cause })
    throw cause
  }
}

/** What a read of the chain answers; what `otherwise` answers if the chain cannot be read. */
export const readOrElse = async <T, Else>(read: () => Promise<T>, otherwise: () => Else): Promise<T | Else> => {
  try {
    return await convertReadErrors(read)
  } catch (error) {
    if (isServiceError(error) && error.code === 'blockchain_unavailable') return otherwise()
    throw error
  }
}

/**
 * Repeats `work` while `shouldRetry` accepts its error, by default only for a node without an answer. Reports to `onWait` now and then; throws
 * all other errors.
 */
export const retryUntilReachable = async <T>(
  work: () => Promise<T>,
  onWait: (error: unknown) => void | Promise<void>,
  shouldRetry: (error: unknown) => boolean = isUnreachable,
): Promise<T> => {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (!shouldRetry(error)) throw error
      if (tries % REPORT_EVERY === 0) await onWait(error)
      await sleep(RETRY_MS)
    }
  }
}
