import type { Logger } from 'pino'
import { type Hex, hexToBigInt, hexToNumber } from 'viem'
import type { ChainFile } from '../../../schemas/chain/chain-file.ts'
import type { Settings } from '../../../schemas/settings.ts'
import { createRpcFetch } from '../rpc-fetch.ts'
import { type BatchLimit, createBatchLimit, type NodeEvidence } from './batch-limit.ts'
import { callNode, type NodeAddress } from './call.ts'
import { CHOICE_TIMES, type ChoiceTimes, createNodeChoice, type NodeAnswer, type NodeChoice, type NodesInUse } from './choice.ts'

/** Members of the chain file that name its nodes. */
type Reached = Pick<ChainFile, 'chainId' | 'rpc' | 'genesisHash'>

/** Size of a batch for callers without settings. */
const DEFAULT_BATCH_SIZE = 100
/** Time in which a node must answer for itself. */
const ASK_MS = 1_000

/** The nodes of a chain, which all clients of a process share. */
export interface ChainNodes {
  /** In the order of preference. */
  addresses: readonly NodeAddress[]
  /** Each gets every transaction; without one the node in use gets it. */
  writeAddresses: readonly NodeAddress[]
  choice: NodeChoice
  /** Size of the batches to a node, and what its answers show. */
  batches: BatchLimit
  evidence: () => NodeEvidence & { nodes: NodesInUse }
}

export interface NodesOptions {
  batches?: BatchLimit
  /** Addresses that replace those of the chain file; each may be for another chain. */
  given?: Settings['CHAIN_NODES']
  onChange?: (change: { from: number; to: number; lag: bigint }) => void
  times?: ChoiceTimes
}

/** Addresses of the setting for a chain; those of the chain file if it names none. */
const addressesOf = ({ chainId, rpc }: Reached, given: NonNullable<NodesOptions['given']>) => {
  const own = given.filter((node) => node.chainId === chainId)
  const bare = (url: string): NodeAddress => ({ url, headers: {} })
  const reads = own.filter(({ writeOnly }) => !writeOnly)
  const writes = own.filter(({ writeOnly }) => writeOnly)
  return {
    addresses: reads.length > 0 ? reads : [...new Set([rpc.primary, ...rpc.backups])].map(bare),
    writeAddresses: writes.length > 0 ? writes : reads.length > 0 ? [] : rpc.writeUrls.map(bare),
  }
}

const resultOf = async <Result>(address: NodeAddress, fetchFn: typeof fetch, method: string, params: unknown[] = []): Promise<Result> => {
  const { error, result } = await callNode(address, fetchFn, { method, params })
  if (error !== undefined || result == null) throw new Error(`the node answers ${method} without a result`)
  return result as Result
}

const askNode = async (address: NodeAddress, fetchFn: typeof fetch): Promise<NodeAnswer> => {
  const [chainId, head, first] = await Promise.all([
    resultOf<Hex>(address, fetchFn, 'eth_chainId'),
    resultOf<Hex>(address, fetchFn, 'eth_blockNumber'),
    // A node without old blocks may have none.
    resultOf<{ hash?: Hex }>(address, fetchFn, 'eth_getBlockByNumber', ['0x0', false]).catch(() => null),
  ])
  return { chainId: hexToNumber(chainId), head: hexToBigInt(head), genesis: first?.hash ?? null }
}

/** The nodes of a chain. Their addresses may hold keys: nothing but a request has them. */
export const createChainNodes = (chain: Reached, options: NodesOptions = {}): ChainNodes => {
  const { batches = createBatchLimit({ size: DEFAULT_BATCH_SIZE }), given = [], onChange = () => undefined, times = CHOICE_TIMES } = options
  const { addresses, writeAddresses } = addressesOf(chain, given)
  const fetches = addresses.map(() => createRpcFetch(ASK_MS))
  const choice = createNodeChoice({
    count: addresses.length,
    chainId: chain.chainId,
    genesis: chain.genesisHash,
    ask: (index) => {
      const [address, fetchFn] = [addresses[index], fetches[index]]
      if (address === undefined || fetchFn === undefined) throw new Error(`there is no node ${index}`)
      return askNode(address, fetchFn)
    },
    onChange,
    times,
  })
  return { addresses, writeAddresses, choice, batches, evidence: () => ({ ...batches.evidence(), nodes: choice.state() }) }
}

/** The nodes of a chain by the settings of a process; refused batches and changes are logged. */
export const openChainNodes = (
  chain: Reached,
  { CHAIN_BATCH_SIZE, CHAIN_NODES }: Pick<Settings, 'CHAIN_BATCH_SIZE' | 'CHAIN_NODES'>,
  logger?: Pick<Logger, 'warn'>,
): ChainNodes =>
  createChainNodes(chain, {
    given: CHAIN_NODES,
    batches: createBatchLimit({
      size: CHAIN_BATCH_SIZE,
      onRefusal: (refusal) => logger?.warn(refusal, 'the node refused a batch of requests: sending smaller ones'),
    }),
    onChange: ({ from, to, lag }) =>
      logger?.warn({ chainId: chain.chainId, from: from + 1, to: to + 1, lag: Number(lag) }, 'another node of the chain is used'),
  })
