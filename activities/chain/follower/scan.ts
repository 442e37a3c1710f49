import {
  type Abi,
  BlockNotFoundError,
  decodeEventLog,
  type Hex,
  hexToBigInt,
  type Log,
  numberToHex,
  type PublicClient,
  pad,
  toEventSelector,
} from 'viem'
import { type ChainLogRecord, plainArgs } from '../../../domain/chain/log.ts'
import type { BlockPoint, BlockSpan } from '../../../domain/chain/pages.ts'
import type { ChainContract } from '../../../domain/chain/topics.ts'
import type { ChainFile } from '../../../schemas/chain/chain-file.ts'
import { agentAccountCoreAbi } from '../abi/agent-account-core.ts'
import { creditPoolAbi } from '../abi/credit-pool.ts'
import { depositPoolAbi } from '../abi/deposit-pool.ts'
import { escrowCoreAbi } from '../abi/escrow-core.ts'
import { hydrationUsdcAdapterAbi } from '../abi/hydration-usdc-adapter.ts'
import { reputationSbtAbi } from '../abi/reputation-sbt.ts'
import { strategyAdapterRegistryAbi } from '../abi/strategy-adapter-registry.ts'
import { testUsdcAbi } from '../abi/test-usdc.ts'
import { treasuryPolicyAbi } from '../abi/treasury-policy.ts'
import { xcmWrapperAbi } from '../abi/xcm-wrapper.ts'
import { assertChain, parseBlockTime, readBlock, UnreadyAnswerError } from '../node/answers.ts'

/** Result of reading a span: its logs, or `chain_changed` if the chain changed meanwhile and must be read again. */
export type ScannedPage = { kind: 'read'; logs: ChainLogRecord[]; end: BlockPoint } | { kind: 'chain_changed' }

type RpcLog = Log<Hex, Hex, false>

interface Watched {
  contract: ChainContract
  abi: Abi
}

interface LogFilter {
  address: Hex[]
  topics?: (Hex | Hex[] | null)[]
}

const lower = (address: string): Hex => address.toLowerCase() as Hex

const watchedContracts = (chain: ChainFile): Map<Hex, Watched> => {
  const { policy, registry, agentAccount, reputation, escrow, depositPool, creditPool, xcm } = chain.contracts
  const watch = ({ address }: { address: string }, contract: ChainContract, abi: Abi): [Hex, Watched] => [lower(address), { contract, abi }]
  return new Map([
    ...escrow.generations.map((generation) => watch(generation, 'escrow', escrowCoreAbi)),
    watch(agentAccount, 'accounts', agentAccountCoreAbi),
    watch(reputation, 'reputation', reputationSbtAbi),
    watch(policy, 'policy', treasuryPolicyAbi),
    watch(registry, 'registry', strategyAdapterRegistryAbi),
    ...(depositPool ? [watch(depositPool, 'pool', depositPoolAbi)] : []),
    ...(creditPool ? [watch(creditPool, 'credit', creditPoolAbi)] : []),
    ...(xcm ? [watch(xcm.wrapper, 'xcm', xcmWrapperAbi), watch(xcm.adapter, 'xcm', hydrationUsdcAdapterAbi)] : []),
    watch(chain.asset, 'token', testUsdcAbi),
  ])
}

/** All logs of our contracts, and the token's logs in which one of our contracts is a participant. */
const filtersOf = (watched: Map<Hex, Watched>): LogFilter[] => {
  const token = [...watched].flatMap(([address, { contract }]) => (contract === 'token' ? [address] : []))
  const own = [...watched.keys()].filter((address) => !token.includes(address))
  const moves = ['Transfer(address,address,uint256)', 'Approval(address,address,uint256)'].map(toEventSelector)
  const parties = own.map((address) => pad(address))
  return [{ address: own }, { address: token, topics: [moves, parties] }, { address: token, topics: [moves, null, parties] }]
}

const decodeLog = ({ abi }: Watched, log: RpcLog): Pick<ChainLogRecord, 'event' | 'args'> => {
  try {
    const { eventName, args } = decodeEventLog({ abi, topics: log.topics, data: log.data })
    return { event: eventName ?? 'Unknown', args: plainArgs({ ...args }) }
  } catch {
    // A contract of a later version may emit events that our ABI lacks. They are stored undecoded.
    return { event: 'Unknown', args: { topics: log.topics, data: log.data } }
  }
}

const keyOf = ({ transactionHash, logIndex }: RpcLog): string => `${transactionHash}/${logIndex}`
/** Key of a log in its block: after a fork the same log stands in another block. */
export const placedKey = (txHash: string, logIndex: number, blockHash: string): string => `${txHash}/${logIndex}/${blockHash}`

const isMined = ({ transactionHash, logIndex, blockNumber, blockHash }: RpcLog): boolean =>
  [transactionHash, logIndex, blockNumber, blockHash].every((value: unknown) => value != null)

/** Logs of the transactions that have a log which `known` lacks. A bond log gets its job from the other logs of its transaction. */
const withUnknown = (logs: RpcLog[], known: ReadonlySet<string>): RpcLog[] => {
  const isKnown = (log: RpcLog) => known.has(placedKey(log.transactionHash, Number(log.logIndex), log.blockHash))
  const incomplete = new Set(logs.filter((log) => !isKnown(log)).map(({ transactionHash }) => transactionHash))
  return logs.filter(({ transactionHash }) => incomplete.has(transactionHash))
}

export type ChainScan = ReturnType<typeof createChainScan>

/** Reads and decodes blocks and logs of a chain. Rejects if the node does not answer. */
export const createChainScan = (chain: ChainFile, client: PublicClient) => {
  const watched = watchedContracts(chain)
  const filters = filtersOf(watched)

  const blockAt = async (number: bigint): Promise<BlockPoint | null> => {
    try {
      const { hash } = await client.getBlock({ blockNumber: number, includeTransactions: false })
      return { number, hash }
    } catch (error) {
      if (error instanceof BlockNotFoundError) return null
      throw error
    }
  }

  const logsOf = async (filter: LogFilter, { from, to }: BlockSpan): Promise<RpcLog[]> => {
    const span = { fromBlock: numberToHex(from), toBlock: numberToHex(to) }
    const logs = (await client.request({ method: 'eth_getLogs', params: [{ ...filter, ...span }] })) as RpcLog[] | null
    if (!Array.isArray(logs) || !logs.every(isMined)) throw new UnreadyAnswerError('the node answers with no list of mined logs')
    return logs.filter(({ removed }) => removed !== true)
  }

  /** Block times by hash, epoch ms. Requests the blocks whose logs carry no time, or 0 in its place. */
  const timesOf = async (logs: RpcLog[]): Promise<Map<Hex, number>> => {
    const times = new Map<Hex, number>()
    for (const { blockHash, blockNumber, blockTimestamp } of logs) {
      const time = parseBlockTime(blockTimestamp, hexToBigInt(blockNumber))
      if (time !== null) times.set(blockHash, time)
    }
    const missing = [...new Set(logs.map(({ blockHash }) => blockHash))].filter((hash) => !times.has(hash))
    const read = await Promise.all(missing.map((blockHash) => readBlock(client, { blockHash })))
    for (const { hash, time } of read) times.set(hash, time)
    return times
  }

  const recordOf = (log: RpcLog, times: Map<Hex, number>): ChainLogRecord => {
    const address = lower(log.address)
    const source = watched.get(address)
    const blockTime = times.get(log.blockHash)
    if (source === undefined || blockTime === undefined) throw new Error(`the node returned a log outside the filters: ${keyOf(log)}`)
    return {
      txHash: log.transactionHash,
      logIndex: Number(log.logIndex),
      blockNumber: hexToBigInt(log.blockNumber),
      blockHash: log.blockHash,
      blockTime,
      address,
      contract: source.contract,
      ...decodeLog(source, log),
    }
  }

  return {
    /** Contracts of the chain file, lower case. */
    contracts: new Set<string>(watched.keys()),

    /** Escrow generations among them. */
    escrows: new Set<string>([...watched].flatMap(([address, { contract }]) => (contract === 'escrow' ? [address] : []))),

    head: async (): Promise<BlockPoint> => {
      const { number, hash } = await client.getBlock({ blockTag: 'latest' })
      return { number, hash }
    },

    blockAt,

    /** Throws `WrongChainError` if the node serves another chain. */
    assertChain: () => assertChain(client, chain.chainId),

    /**
     * Logs of a span, without those of transactions whose logs are all among `known`. Reads the last block before and after the logs: if its hash
     * is the same, the logs belong to that chain.
     */
    page: async (span: BlockSpan, known: ReadonlySet<string> = new Set()): Promise<ScannedPage> => {
      const end = await blockAt(span.to)
      const found = (await Promise.all(filters.map((filter) => logsOf(filter, span)))).flat()
      const logs = withUnknown([...new Map(found.map((log) => [keyOf(log), log])).values()], known)
      const [times, after] = await Promise.all([timesOf(logs), blockAt(span.to)])
      if (end === null || after?.hash !== end.hash) return { kind: 'chain_changed' }
      return { kind: 'read', logs: logs.map((log) => recordOf(log, times)), end }
    },
  }
}

/** First block that can hold a log of our contracts. */
export const firstBlockOf = ({ contracts }: ChainFile): bigint => {
  const { policy, registry, agentAccount, reputation, escrow } = contracts
  const known = [policy, registry, agentAccount, reputation, ...escrow.generations].flatMap(({ deployBlock }) => deployBlock ?? [])
  return BigInt(Math.max(0, Math.min(...(known.length > 0 ? known : [0]))))
}
