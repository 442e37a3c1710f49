import type { PublicClient } from 'viem'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { assertChain, WrongChainError } from './node/answers.ts'

/** True for every failure except a node of another chain: slow, limiting or unreachable nodes may recover. */
export const isTransient = (error: unknown): boolean => !(error instanceof WrongChainError)

/** Whether the chain file marks the chain as local and the node is Anvil. Throws `WrongChainError` or the node's failure. */
export const detectLocalChain = async (chain: ChainFile, reader: PublicClient): Promise<boolean> => {
  await assertChain(reader, chain.chainId)
  return chain.local && (await reader.request({ method: 'web3_clientVersion' })).toLowerCase().startsWith('anvil')
}
