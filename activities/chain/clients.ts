import { createPublicClient, defineChain, type Hex, http, type PublicClient } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import type { Settings } from '../../schemas/settings.ts'
import { createRpcFetch } from './rpc-fetch.ts'

/** Reads time out early so that a slow node never blocks a request. Writes may take longer: a busy node still accepts the bytes. */
const READ_TIMEOUT_MS = 1_100
const WRITE_TIMEOUT_MS = 15_000
/** No request waits for the follower, so a page of logs may take longer. */
const SCAN_TIMEOUT_MS = 10_000

export const SIGNER_ROLES = ['operator', 'verifier', 'arbitrator'] as const
export type SignerRole = (typeof SIGNER_ROLES)[number]
/** A role without a key is absent. */
export type Signers = Partial<Record<SignerRole, PrivateKeyAccount | undefined>>

export interface ChainClients {
  chainId: number
  /** Batched reads. */
  reader: PublicClient
  /** One client per write URL. A transaction is dead only if all of them confirm it. */
  writers: PublicClient[]
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

/** Creates the clients of callers and of the journal. */
export const createChainClients = (chain: Reached): ChainClients => {
  const definition = viemChain(chain)
  const client = (url: string, timeout: number, batch: boolean): PublicClient =>
    createPublicClient({
      chain: definition,
      pollingInterval: 100,
      // `fetchFn` has the time-out. A time-out of viem's own would count pauses of this process against the node.
      transport: http(url, { timeout: 0, fetchFn: createRpcFetch(timeout), retryCount: 1, retryDelay: 100, batch }),
    })
  const writeUrls = chain.rpc.writeUrls.length > 0 ? chain.rpc.writeUrls : [chain.rpc.primary]
  return {
    chainId: chain.chainId,
    reader: client(chain.rpc.primary, READ_TIMEOUT_MS, true),
    writers: writeUrls.map((url) => client(url, WRITE_TIMEOUT_MS, false)),
  }
}

/**
 * Client of the chain follower. It does not retry, because the follower does. viem batches requests by URL across clients. The URL fragment,
 * which no node receives, keeps requests of callers out of the follower's batches.
 */
export const createScanClient = (chain: Reached): PublicClient =>
  createPublicClient({
    chain: viemChain(chain),
    transport: http(`${chain.rpc.primary}#scan`, { timeout: 0, fetchFn: createRpcFetch(SCAN_TIMEOUT_MS), retryCount: 0, batch: true }),
    cacheTime: 0,
  })

/** Accounts of the configured keys. */
export const createSigners = (settings: Pick<Settings, 'OPERATOR_KEY' | 'VERIFIER_KEY' | 'ARBITRATOR_KEY'>): Signers => {
  const account = (key: string | undefined) => (key === undefined ? undefined : privateKeyToAccount(key as Hex))
  return {
    operator: account(settings.OPERATOR_KEY),
    verifier: account(settings.VERIFIER_KEY),
    arbitrator: account(settings.ARBITRATOR_KEY),
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
