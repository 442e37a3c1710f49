import { createPublicClient, defineChain, type Hex, type PublicClient } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import type { Settings } from '../../schemas/settings.ts'
import { publicAddress } from './node/call.ts'
import { type ChainNodes, createChainNodes } from './node/nodes.ts'
import { type NodeTransportDeps, nodeTransport } from './node/transport.ts'

/** Reads time out early so that a slow node never blocks a request. Writes may take longer: a busy node still accepts the bytes. */
const READ_TIMEOUT_MS = 1_100
const WRITE_TIMEOUT_MS = 15_000
/** No request waits for the follower, so a page of logs may take longer. */
const SCAN_TIMEOUT_MS = 10_000

/** Roles that work on the chain of the contracts. */
export const CONTRACT_ROLES = ['operator', 'verifier', 'arbitrator'] as const
/** `settler` takes payments of verification runs, on the payment chain. */
export const SIGNER_ROLES = [...CONTRACT_ROLES, 'settler'] as const
export type SignerRole = (typeof SIGNER_ROLES)[number]
/** A role without a key is absent. */
export type Signers = Partial<Record<SignerRole, PrivateKeyAccount | undefined>>

export interface ChainClients {
  chainId: number
  /** Batched reads. */
  reader: PublicClient
  /** The nodes that are asked, and what their answers show. */
  nodes: ChainNodes
  /** One client per write URL; without one a client of the node in use. A transaction is dead only if all of them confirm it. */
  writers: PublicClient[]
}

/** A chain that the service signs on, with the roles that do. Each has its own rows and nonces in the one journal. */
export interface SigningChain {
  clients: ChainClients
  roles: readonly SignerRole[]
}

/** Members of the chain file that a client needs. */
type Reached = Pick<ChainFile, 'chainId' | 'name' | 'nativeSymbol' | 'nativeDecimals' | 'rpc' | 'genesisHash'>

const viemChain = (chain: Reached) =>
  defineChain({
    id: chain.chainId,
    name: chain.name,
    nativeCurrency: { name: chain.nativeSymbol, symbol: chain.nativeSymbol, decimals: chain.nativeDecimals },
    rpcUrls: { default: { http: [publicAddress(chain.rpc.primary)] } },
  })

/** Creates the clients of callers and of the journal. */
export const createChainClients = (chain: Reached, nodes: ChainNodes = createChainNodes(chain)): ChainClients => {
  const { chainId } = chain
  const { addresses, writeAddresses, choice, batches } = nodes
  const definition = viemChain(chain)
  const client = (to: Pick<NodeTransportDeps, 'addresses' | 'choice' | 'timeoutMs' | 'batches'>): PublicClient =>
    createPublicClient({ chain: definition, pollingInterval: 100, transport: nodeTransport({ ...to, chainId, retryCount: 1 }) })
  const writer = { timeoutMs: WRITE_TIMEOUT_MS, batches: null }
  return {
    chainId,
    reader: client({ addresses, choice, timeoutMs: READ_TIMEOUT_MS, batches }),
    nodes,
    writers:
      writeAddresses.length > 0
        ? writeAddresses.map((address) => client({ ...writer, addresses: [address], choice: null }))
        : [client({ ...writer, addresses, choice })],
  }
}

/** Client of the chain follower: its requests are its own, and it does not retry, because the follower does. */
export const createScanClient = (chain: Reached, nodes: ChainNodes = createChainNodes(chain)): PublicClient => {
  const { addresses, choice, batches } = nodes
  return createPublicClient({
    chain: viemChain(chain),
    transport: nodeTransport({ addresses, choice, chainId: chain.chainId, timeoutMs: SCAN_TIMEOUT_MS, batches, retryCount: 0 }),
    cacheTime: 0,
  })
}

/** Accounts of the configured keys. */
export const createSigners = (settings: Pick<Settings, 'OPERATOR_KEY' | 'VERIFIER_KEY' | 'ARBITRATOR_KEY' | 'SETTLER_KEY'>): Signers => {
  const account = (key: string | undefined) => (key === undefined ? undefined : privateKeyToAccount(key as Hex))
  return {
    operator: account(settings.OPERATOR_KEY),
    verifier: account(settings.VERIFIER_KEY),
    arbitrator: account(settings.ARBITRATOR_KEY),
    settler: account(settings.SETTLER_KEY),
  }
}

/** The account of a role. Throws if this process lacks the key. */
export const getAccount = (signers: Signers, role: SignerRole): PrivateKeyAccount => {
  const account = signers[role]
  if (!account) throw new Error(`no ${role} key is configured`)
  return account
}

/** Role of an address if this process holds its key. */
export const roleOf = (signers: Signers, address: string): SignerRole | undefined =>
  SIGNER_ROLES.find((role) => signers[role]?.address.toLowerCase() === address.toLowerCase())
