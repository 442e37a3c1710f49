import {
  BaseError,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hexToBigInt,
  MethodNotFoundRpcError,
  MethodNotSupportedRpcError,
  type PublicClient,
  slice,
} from 'viem'
import type { Asset } from '../../domain/common/money.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { agentAccountCoreAbi } from './abi/agent-account-core.ts'
import { decodeRevert } from './reverts.ts'

/** An encoded call of a contract. */
export interface EncodedCall {
  to: Hex
  data: Hex
}

/** A balance that transactions may change: the call that reads it, and the place of its 32-byte word in the answer. */
export interface WatchedBalance {
  kind: string
  holder: Hex
  asset: Asset
  call: EncodedCall
  word: number
}

/** Tokens of the settlement asset that an address holds itself. */
export const walletTokens = ({ asset }: ChainFile, holder: Hex): WatchedBalance => ({
  kind: 'wallet',
  holder,
  asset,
  word: 0,
  call: { to: asset.address as Hex, data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [holder] }) },
})

/** The words of `positions(address,address)`, in the contract's order. */
const POSITION_WORDS = ['liquid', 'reserved', 'strategyAllocated', 'collateralLocked', 'jobStakeLocked', 'debtOutstanding'] as const

/** The six balances of a wallet in the account contract. */
export const accountBalances = ({ asset, contracts }: ChainFile, holder: Hex): WatchedBalance[] => {
  const args = [holder, asset.address as Hex] as const
  const call = {
    to: contracts.agentAccount.address as Hex,
    data: encodeFunctionData({ abi: agentAccountCoreAbi, functionName: 'positions', args }),
  }
  return POSITION_WORDS.map((name, word) => ({ kind: `account.${name}`, holder, asset, word, call }))
}

/** A balance before and after the transactions, base units. */
interface BalanceChange extends Omit<WatchedBalance, 'call' | 'word'> {
  beforeRaw: bigint
  afterRaw: bigint
}

/** Outcome of transactions that were run on the state of one block and not sent. `gasUsed` is in the order of the calls. */
export type Simulation =
  | { status: 'simulated'; gasUsed: bigint[]; changes: BalanceChange[] }
  | { status: 'reverted'; index: number; customError: string }
  | { status: 'unavailable'; reason: 'node_cannot_simulate' }

const READ_GAS = 500_000n
const CALL_GAS = 3_000_000n
const WORD_BYTES = 32

const cannotSimulate = (error: BaseError): boolean =>
  error.walk((cause) => cause instanceof MethodNotFoundRpcError || cause instanceof MethodNotSupportedRpcError) !== null

/** Distinct reads of the balances; several balances may be words of one answer. */
const distinctReads = (watched: readonly WatchedBalance[]) => [
  ...new Map(watched.map(({ call }) => [`${call.to}${call.data}`, call])).values(),
]

interface CallResult {
  status: 'success' | 'failure'
  data: Hex
  gasUsed: bigint
}

/** The watched balances that differ between the answers of the reads before and after the calls. */
const changesBetween = (
  watched: readonly WatchedBalance[],
  reads: ReturnType<typeof distinctReads>,
  { before, after }: Readonly<Record<'before' | 'after', readonly CallResult[]>>,
): BalanceChange[] => {
  const rawOf = (results: readonly CallResult[], { call, word }: WatchedBalance): bigint => {
    const answer = results[reads.findIndex(({ to, data }) => to === call.to && data === call.data)]
    return hexToBigInt(slice(answer?.data ?? '0x', word * WORD_BYTES, (word + 1) * WORD_BYTES))
  }
  return watched
    .map((one) => {
      const { kind, holder, asset } = one
      return { kind, holder, asset, beforeRaw: rawOf(before, one), afterRaw: rawOf(after, one) }
    })
    .filter(({ beforeRaw, afterRaw }) => beforeRaw !== afterRaw)
}

/**
 * Runs calls of one wallet in their order on the state of a block, with the balances read before and after (`eth_simulateV1`). Nothing is
 * sent, and no native gas is charged. Throws viem's error if the node does not answer.
 */
export const simulateCalls = async (
  reader: PublicClient,
  {
    from,
    calls,
    watched,
    blockNumber,
  }: {
    from: Hex
    calls: readonly EncodedCall[]
    watched: readonly WatchedBalance[]
    blockNumber: bigint
  },
): Promise<Simulation> => {
  const reads = distinctReads(watched)
  const ofWallet =
    (gas: bigint) =>
    ({ to, data }: EncodedCall) => ({ from, to, data, gas })
  const all = [...reads.map(ofWallet(READ_GAS)), ...calls.map(ofWallet(CALL_GAS)), ...reads.map(ofWallet(READ_GAS))]
  try {
    const [block] = await reader.simulateBlocks({ blockNumber, blocks: [{ calls: all }] })
    const results = (block?.calls ?? []) as readonly CallResult[]
    const ran = results.slice(reads.length, reads.length + calls.length)
    const index = ran.findIndex(({ status }) => status === 'failure')
    if (index !== -1) return { status: 'reverted', index, customError: decodeRevert(ran[index]?.data ?? '0x') }
    const [before, after] = [results.slice(0, reads.length), results.slice(reads.length + calls.length)]
    return {
      status: 'simulated',
      gasUsed: ran.map(({ gasUsed }) => gasUsed),
      changes: changesBetween(watched, reads, { before, after }),
    }
  } catch (error) {
    if (error instanceof BaseError && cannotSimulate(error)) return { status: 'unavailable', reason: 'node_cannot_simulate' }
    throw error
  }
}
