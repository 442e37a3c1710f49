import type { Hex, PublicClient, TransactionReceipt } from 'viem'
import { proveReceipt, type ReceiptInclusion, type TrieBlock, type TrieReceipt } from '../../domain/chain/receipt-trie.ts'
import { isUnreachable } from './reachable.ts'

type Place = Pick<TransactionReceipt, 'blockHash' | 'transactionHash' | 'transactionIndex'>
type Answered = TrieReceipt & { transactionHash?: Hex }

/**
 * Path of a mined receipt in the receipt trie of its block. Null if the node does not give all receipts of the block, or gives others than the
 * header states: not every chain has this trie. Throws if the node does not answer.
 */
export const findInclusion = async (
  reader: Pick<PublicClient, 'request'>,
  { blockHash, transactionHash, transactionIndex }: Place,
): Promise<ReceiptInclusion | null> => {
  try {
    const [block, receipts] = await Promise.all([
      reader.request<{ Method: 'eth_getBlockByHash'; Parameters: [Hex, boolean]; ReturnType: TrieBlock | null }>({
        method: 'eth_getBlockByHash',
        params: [blockHash, false],
      }),
      reader.request<{ Method: 'eth_getBlockReceipts'; Parameters: [Hex]; ReturnType: Answered[] | null }>({
        method: 'eth_getBlockReceipts',
        params: [blockHash],
      }),
    ])
    if (block === null || receipts === null || receipts[transactionIndex]?.transactionHash !== transactionHash) return null
    return await proveReceipt(receipts, transactionIndex, block)
  } catch (error) {
    if (isUnreachable(error)) throw error
    return null
  }
}
