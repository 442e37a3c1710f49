import { BaseError } from 'viem'
import { ServiceError } from '../../schemas/errors.ts'

/** Runs a read of the chain. Throws 502 `blockchain_unavailable` if the node does not answer or answers with an error. */
export const convertReadErrors = async <T>(read: () => Promise<T>): Promise<T> => {
  try {
    return await read()
  } catch (cause) {
    if (cause instanceof BaseError) throw new ServiceError('blockchain_unavailable', { cause })
    throw cause
  }
}
