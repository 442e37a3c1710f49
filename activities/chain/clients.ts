import type { Logger } from 'pino'
import { createPublicClient, defineChain, type Hex, type PublicClient } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import type { Settings } from '../../schemas/settings.ts'
import { type BatchLimit, createBatchLimit } from './node/batch-limit.ts'
import { nodeTransport } from './node/transport.ts'
import { createRpcFetch } from './rpc-fetch.ts'

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
  /** Size of the batches to the node that is read, and what its answers show. */
  batches: BatchLimit
  /** One client per write URL. A transaction is dead only if all of them confirm it. */
  writers: PublicClient[]
}

/** A chain that the service signs on, with the roles that do. Each has its own rows and nonces in the one journal. */
export interface SigningChain {
  clients: ChainClients
  roles: readonly SignerRole[]
}

/** Members of the chain file that a client needs. */
type Reached = Pick<ChainFile, 'chainId' | 'name' | 'nativeSymbol' | 'nativeDecimals' | 'rpc'>

const viemChain = (chain: Reached) =>
  defineChain({
    id: chain.chainId,
    name: chain.name,
    nativeCurrency: { name: chain.nativeSymbol, symbol: chain.nativeSymbol, decimals: chain.nativeDecimals },
    rpcUrls: { default: { http: [chain.rpc.primary] } },
  })

/** Size of a batch for callers without settings. */
const DEFAULT_BATCH_SIZE = 100

/** Size of the batches of a process; a refused batch is logged. */
export const createLoggedBatchLimit = (
  { CHAIN_BATCH_SIZE }: Pick<Settings, 'CHAIN_BATCH_SIZE'>,
  logger: Pick<Logger, 'warn'>,
): BatchLimit =>
  createBatchLimit({
    size: CHAIN_BATCH_SIZE,
    onRefusal: (refusal) => logger.warn(refusal, 'the node refused a batch of requests: sending smaller ones'),
  })

/** Creates the clients of callers and of the journal. */
export const createChainClients = (chain: Reached, batches: BatchLimit = createBatchLimit({ size: DEFAULT_BATCH_SIZE })): ChainClients => {
  const definition = viemChain(chain)
  const client = (url: string, timeout: number, limit: BatchLimit | null): PublicClient =>
    createPublicClient({
      chain: definition,
      pollingInterval: 100,
      transport: nodeTransport({ url, fetchFn: createRpcFetch(timeout), batches: limit, retryCount: 1 }),
    })
  const writeUrls = chain.rpc.writeUrls.length > 0 ? chain.rpc.writeUrls : [chain.rpc.primary]
  return {
    chainId: chain.chainId,
    reader: client(chain.rpc.primary, READ_TIMEOUT_MS, batches),
    batches,
    writers: writeUrls.map((url) => client(url, WRITE_TIMEOUT_MS, null)),
  }
}

/** Client of the chain follower: its requests are its own, and it does not retry, because the follower does. */
export const createScanClient = (chain: Reached, batches: BatchLimit = createBatchLimit({ size: DEFAULT_BATCH_SIZE })): PublicClient =>
  createPublicClient({
    chain: viemChain(chain),
    transport: nodeTransport({ url: chain.rpc.primary, fetchFn: createRpcFetch(SCAN_TIMEOUT_MS), batches, retryCount: 0 }),
    cacheTime: 0,
  })

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
