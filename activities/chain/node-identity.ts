import type { PublicClient } from 'viem'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'

/** The node serves another chain than the chain file names; a retry does not help. */
export class WrongChainError extends Error {
  override readonly name = 'WrongChainError'
}

/** True for every failure except a node of another chain: slow, limiting or unreachable nodes may recover. */
export const isTransient = (error: unknown): boolean => !(error instanceof WrongChainError)

/** Whether the chain file marks the chain as local and the node is Anvil. Throws `WrongChainError` or the node's failure. */
export const detectLocalChain = async (chain: ChainFile, reader: PublicClient): Promise<boolean> => {
  const chainId = await reader.getChainId()
  if (chainId !== chain.chainId) throw new WrongChainError(`the chain file says chain ${chain.chainId}, the node says ${chainId}`)
  return chain.local && (await reader.request({ method: 'web3_clientVersion' })).toLowerCase().startsWith('anvil')
}
