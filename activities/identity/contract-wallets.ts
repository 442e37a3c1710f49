import { BaseError, ExecutionRevertedError, type Hex, hashMessage, type PublicClient } from 'viem'
import { verifyHash } from 'viem/actions'
import { ServiceError } from '../../schemas/errors.ts'

/** viem takes every failed call for a refusal by the wallet. Only a revert is one. */
const convertCallError = (cause: unknown): unknown => {
  if (cause instanceof BaseError && cause.walk((inner) => inner instanceof ExecutionRevertedError) !== null) return cause
  const detail =
    'The signature is not one of the key of the wallet, and the chain cannot be read: only externally owned accounts can sign in now.'
  return new ServiceError('blockchain_unavailable', { detail, cause })
}

/**
 * Creates a check that asks the chain whether a contract wallet accepts a signature: by EIP-1271, or by ERC-6492 while the wallet is not
 * deployed. Throws 502 `blockchain_unavailable` if the chain cannot be read.
 */
export const createContractWalletCheck = (reader: PublicClient) => {
  const client = reader.extend((base) => ({
    call: async (request: Parameters<PublicClient['call']>[0]) => {
      try {
        return await base.call(request)
      } catch (error) {
        throw convertCallError(error)
      }
    },
  }))
  return (wallet: Hex, message: string, signature: Hex): Promise<boolean> =>
    verifyHash(client, { address: wallet, hash: hashMessage(message), signature })
}
