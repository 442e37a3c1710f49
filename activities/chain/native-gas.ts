import { BaseError, type Hex } from 'viem'
import type { NativeGas } from '../../domain/chain/native-gas.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import type { ChainClients } from './clients.ts'

/** Current fee per gas, and the native balance of a wallet that sends a transaction itself; null when the chain does not tell. */
export const readNativeGas = async (
  { reader }: Pick<ChainClients, 'reader'>,
  { nativeSymbol: symbol, nativeDecimals: decimals }: Pick<ChainFile, 'nativeSymbol' | 'nativeDecimals'>,
  wallet: string,
): Promise<NativeGas | null> => {
  try {
    const [fees, balanceRaw] = await Promise.all([reader.estimateFeesPerGas(), reader.getBalance({ address: wallet as Hex })])
    return { feePerGasRaw: fees.maxFeePerGas, balanceRaw, asset: { symbol, decimals } }
  } catch (error) {
    if (error instanceof BaseError) return null
    throw error
  }
}
