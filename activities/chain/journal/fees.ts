import type { PublicClient } from 'viem'
import type { Fees } from '../../../domain/chain/replacement-fees.ts'

/** Multiplier on the quoted fee: the base fee can rise between quote and inclusion. */
const FEE_BUFFER = 3n

/** Fee caps (wei) for a transaction signed now. */
export const quoteFees = async (reader: PublicClient): Promise<Fees> => {
  const fees = await reader.estimateFeesPerGas()
  return { maxFeePerGas: fees.maxFeePerGas * FEE_BUFFER, maxPriorityFeePerGas: fees.maxPriorityFeePerGas }
}
