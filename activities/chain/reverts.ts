import { type Abi, BaseError, decodeErrorResult, type Hex, type PublicClient, RawContractError, toFunctionSelector } from 'viem'
import type { RevertParts } from '../../domain/chain/contract-refusals.ts'
import { agentAccountCoreAbi } from './abi/agent-account-core.ts'
import { creditPoolAbi } from './abi/credit-pool.ts'
import { depositPoolAbi } from './abi/deposit-pool.ts'
import { escrowCoreAbi } from './abi/escrow-core.ts'
import { hydrationUsdcAdapterAbi } from './abi/hydration-usdc-adapter.ts'
import { reputationSbtAbi } from './abi/reputation-sbt.ts'
import { treasuryPolicyAbi } from './abi/treasury-policy.ts'
import { xcmWrapperAbi } from './abi/xcm-wrapper.ts'

const ABIS = [
  escrowCoreAbi,
  agentAccountCoreAbi,
  reputationSbtAbi,
  treasuryPolicyAbi,
  depositPoolAbi,
  creditPoolAbi,
  xcmWrapperAbi,
  hydrationUsdcAdapterAbi,
] as const
/** Every custom error that a call of the service or of a wallet can raise, in any of the contracts. */
const CUSTOM_ERRORS = (ABIS.flat() as Abi).filter((item) => item.type === 'error')
const SELECTORS: ReadonlyMap<string, Hex> = new Map(
  CUSTOM_ERRORS.map((item) => [item.name, toFunctionSelector({ ...item, type: 'function', outputs: [], stateMutability: 'view' })]),
)
/** Solidity's own: `Error(string)` of a require, and `Panic(uint256)`. */
const [REQUIRE, PANIC] = ['0x08c379a0', '0x4e487b71'] as const
const NO_DATA = 'revert without data'
const UNKNOWN = 'unknown error '

const revertDataOf = (error: unknown): Hex | undefined => {
  if (!(error instanceof BaseError)) return undefined
  const raw = error.walk((cause) => cause instanceof RawContractError || (typeof cause === 'object' && cause !== null && 'data' in cause))
  if (raw === null || !('data' in raw)) return undefined
  const data = raw.data
  if (typeof data === 'string' && data.startsWith('0x')) return data as Hex
  if (typeof data === 'object' && data !== null && 'data' in data && typeof data.data === 'string') return data.data as Hex
  return undefined
}

/** Name of a custom error, text of a require, or selector of an unknown error. */
export const decodeRevert = (data: Hex): string => {
  if (data === '0x') return NO_DATA
  try {
    const decoded = decodeErrorResult({ abi: CUSTOM_ERRORS, data })
    return decoded.errorName === 'Error' ? String(decoded.args?.[0]) : decoded.errorName
  } catch {
    return `${UNKNOWN}${data.slice(0, 10)}`
  }
}

/** Splits a reason of `decodeRevert`, as the journal stores it. A require whose text equals an error's name counts as that error. */
export const parseRevert = (reason: string | null): RevertParts => {
  if (reason === null || reason === NO_DATA) return { customError: null, rawReason: null, selector: null }
  if (reason.startsWith(UNKNOWN)) return { customError: null, rawReason: null, selector: reason.slice(UNKNOWN.length) }
  if (reason === 'Panic') return { customError: reason, rawReason: null, selector: PANIC }
  const selector = SELECTORS.get(reason)
  return selector === undefined
    ? { customError: null, rawReason: reason, selector: REQUIRE }
    : { customError: reason, rawReason: null, selector }
}

/** Name of the error with which a call reverts at a block; null if it succeeds. Throws if the node does not answer. */
export const findRevertName = async (
  reader: PublicClient,
  { from, to, data, gas, value }: { from: Hex; to: Hex; data: Hex; gas: bigint; value?: bigint | undefined },
  at: bigint | 'pending',
): Promise<string | null> => {
  try {
    await reader.call({
      account: from,
      to,
      data,
      gas,
      ...(value !== undefined && { value }),
      ...(at === 'pending' ? { blockTag: at } : { blockNumber: at }),
    })
    return null
  } catch (error) {
    const reverted = revertDataOf(error)
    if (reverted === undefined) throw error
    return decodeRevert(reverted)
  }
}

/** What nodes say of bytes that they have and of a nonce that is used, in letters only: no code of JSON-RPC says it. */
const KNOWN_PHRASES = [
  'alreadyknown',
  'knowntransaction',
  'alreadyimported',
  'alreadyexist',
  'alreadyin',
  'noncetoolow',
  'oldnonce',
  'nonceused',
]

/** True if the node says that it already has these bytes or that their nonce is used. The receipt tells which. */
export const isAlreadyKnown = (error: unknown): boolean => {
  if (!(error instanceof BaseError)) return false
  const text = error.details.toLowerCase().replaceAll(/[^a-z]/g, '')
  return KNOWN_PHRASES.some((phrase) => text.includes(phrase))
}
