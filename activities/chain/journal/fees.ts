import type { PublicClient } from 'viem'
import type { Fees } from '../../../domain/chain/replacement-fees.ts'

/** Head room over the quoted fee: blocks can raise the base fee between quote and inclusion. */
const FEE_BUFFER = 3n

/** What a transaction signed now should offer. */
export const quoteFees = async (reader: PublicClient): Promise<Fees> => {
  const fees = await reader.estimateFeesPerGas()
  return { maxFeePerGas: fees.maxFeePerGas * FEE_BUFFER, maxPriorityFeePerGas: fees.maxPriorityFeePerGas }
}
