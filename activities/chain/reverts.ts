import { type Abi, BaseError, decodeErrorResult, type Hex, type PublicClient, RawContractError } from 'viem'
import { agentAccountCoreAbi } from './abi/agent-account-core.ts'
import { escrowCoreAbi } from './abi/escrow-core.ts'
import { reputationSbtAbi } from './abi/reputation-sbt.ts'
import { treasuryPolicyAbi } from './abi/treasury-policy.ts'

/** Every custom error a call into the escrow can surface, whichever contract raised it. */
const ERROR_ABI: Abi = [...escrowCoreAbi, ...agentAccountCoreAbi, ...reputationSbtAbi, ...treasuryPolicyAbi].filter(
  (item) => item.type === 'error',
)

const revertDataOf = (error: unknown): Hex | undefined => {
  if (!(error instanceof BaseError)) return undefined
  const raw = error.walk((cause) => cause instanceof RawContractError || (typeof cause === 'object' && cause !== null && 'data' in cause))
  if (raw === null || !('data' in raw)) return undefined
  const data = raw.data
  if (typeof data === 'string' && data.startsWith('0x')) return data as Hex
  if (typeof data === 'object' && data !== null && 'data' in data && typeof data.data === 'string') return data.data as Hex
  return undefined
}

/** Name of a custom error, the text of a require, or the selector of something unknown. */
export const decodeRevert = (data: Hex): string => {
  if (data === '0x') return 'revert without data'
  try {
    const decoded = decodeErrorResult({ abi: ERROR_ABI, data })
    return decoded.errorName === 'Error' ? String(decoded.args?.[0]) : decoded.errorName
  } catch {
    return `unknown error ${data.slice(0, 10)}`
  }
}

/** Why a call reverts at a block: its error's name, or null when it passes there. A node that cannot be asked is an error, not an answer. */
export const revertNameOf = async (
  reader: PublicClient,
  { from, to, data, gas }: { from: Hex; to: Hex; data: Hex; gas: bigint },
  at: bigint | 'pending',
): Promise<string | null> => {
  try {
    await reader.call({ account: from, to, data, gas, ...(at === 'pending' ? { blockTag: at } : { blockNumber: at }) })
    return null
  } catch (error) {
    const reverted = revertDataOf(error)
    if (reverted === undefined) throw error
    return decodeRevert(reverted)
  }
}

/**
 * The node need not be given these bytes again: it has them, or another transaction has spent their nonce. Which of both, its receipt tells.
 */
export const isAlreadyKnown = (error: unknown): boolean => {
  if (!(error instanceof BaseError)) return false
  const text = `${error.message} ${error.details}`.toLowerCase()
  return ['already known', 'already imported', 'nonce too low', 'already in mempool'].some((phrase) => text.includes(phrase))
}
