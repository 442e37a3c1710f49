import type { PublicClient } from 'viem'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { isAnvil } from './clients.ts'

/** The node is of another chain than the file says; no wait helps. */
export class WrongChainError extends Error {
  override readonly name = 'WrongChainError'
}

/** True for every failure but a node of another chain: one that is slow, limits its callers or is away says nothing of the chain. */
export const isTransient = (error: unknown): boolean => !(error instanceof WrongChainError)

/** Whether the chain is the embedded one: the file says so and the node is Anvil. Throws `WrongChainError`, and what the node fails with. */
export const detectLocalChain = async (chain: ChainFile, reader: PublicClient): Promise<boolean> => {
  const chainId = await reader.getChainId()
  if (chainId !== chain.chainId) throw new WrongChainError(`the chain file says chain ${chain.chainId}, the node says ${chainId}`)
  return chain.local && (await isAnvil(reader))
}
