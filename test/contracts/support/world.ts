// A fresh deployment, with named people and short ways to act and to look.
import {
  type Abi,
  type Address,
  BaseError,
  createPublicClient,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  http,
  type Log,
  numberToHex,
  type PublicClient,
  RpcRequestError,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { agentAccountCoreAbi } from '../../../activities/chain/abi/agent-account-core.ts'
import { creditPoolAbi } from '../../../activities/chain/abi/credit-pool.ts'
import { depositPoolAbi } from '../../../activities/chain/abi/deposit-pool.ts'
import { escrowCoreAbi } from '../../../activities/chain/abi/escrow-core.ts'
import { reputationSbtAbi } from '../../../activities/chain/abi/reputation-sbt.ts'
import { strategyAdapterRegistryAbi } from '../../../activities/chain/abi/strategy-adapter-registry.ts'
import { testUsdcAbi } from '../../../activities/chain/abi/test-usdc.ts'
import { treasuryPolicyAbi } from '../../../activities/chain/abi/treasury-policy.ts'
import type { ContractArtifact } from '../../../contracts/artifact.ts'
import { type Deployment, deployAll } from '../../../contracts/deploy.ts'
import { eventually } from '../../support/eventually.ts'
import { type EventSource, errorText, type Happening, happenings } from './decode.ts'
import { type Rpc, rpcTo } from './rpc.ts'
import { revertTo, sharedChain } from './shared-chain.ts'

// The well-known keys of the development node.
export const OWNER_KEY: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
export const OPERATOR_KEY: Hex = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'
export const WORKER_KEY: Hex = '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a'
export const CREDIT_OPERATOR_KEY: Hex = '0x4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356'

const GAS = 12_000_000n

export const who = {
  owner: privateKeyToAccount(OWNER_KEY).address,
  operator: privateKeyToAccount(OPERATOR_KEY).address,
  worker: privateKeyToAccount(WORKER_KEY).address,
  creditOperator: privateKeyToAccount(CREDIT_OPERATOR_KEY).address,
  verifier: '0x1000000000000000000000000000000000000001',
  arbitrator: '0x1000000000000000000000000000000000000002',
  treasury: '0x1000000000000000000000000000000000000003',
  pauser: '0x1000000000000000000000000000000000000004',
  poster: '0x1000000000000000000000000000000000000005',
  stranger: '0x1000000000000000000000000000000000000006',
} as const satisfies Record<string, Address>

export type ContractKey = 'token' | 'policy' | 'registry' | 'accounts' | 'reputation' | 'escrow' | 'pool' | 'credit'

const ABIS: Readonly<Record<ContractKey, Abi>> = {
  token: testUsdcAbi,
  policy: treasuryPolicyAbi,
  registry: strategyAdapterRegistryAbi,
  accounts: agentAccountCoreAbi,
  reputation: reputationSbtAbi,
  escrow: escrowCoreAbi,
  pool: depositPoolAbi,
  credit: creditPoolAbi,
}
const PREFIXES: Readonly<Record<ContractKey, string>> = {
  token: 'TOK',
  policy: 'POL',
  registry: 'REG',
  accounts: 'AAC',
  reputation: 'SBT',
  escrow: '',
  pool: 'POOL',
  credit: 'CREDIT',
}

export type Outcome = { readonly events: readonly Happening[]; readonly error?: never } | { readonly error: string }

interface Receipt {
  readonly status: Hex
  readonly logs: readonly Log[]
}

export class World {
  readonly rpcUrl: string
  readonly deployment: Deployment
  readonly at: Readonly<Record<ContractKey, Address>>
  readonly client: PublicClient
  readonly rpc: Rpc
  readonly #sources: Map<Address, EventSource>

  constructor(rpcUrl: string, deployment: Deployment) {
    const { policy, registry, agentAccount, reputation, escrow, depositPool, creditPool } = deployment.contracts
    const live = escrow.generations[0]
    if (!live) throw new Error('the deployment names no escrow')
    this.rpcUrl = rpcUrl
    this.deployment = deployment
    this.at = {
      token: deployment.asset.address,
      policy: policy.address,
      registry: registry.address,
      accounts: agentAccount.address,
      reputation: reputation.address,
      escrow: live.address,
      pool: depositPool.address,
      credit: creditPool.address,
    }
    this.client = createPublicClient({ transport: http(rpcUrl, { batch: { batchSize: 200 }, retryCount: 0 }), pollingInterval: 20 })
    this.rpc = rpcTo(rpcUrl)
    const keys = Object.keys(this.at) as ContractKey[]
    this.#sources = new Map(keys.map((key) => [this.at[key].toLowerCase() as Address, { prefix: PREFIXES[key], abi: ABIS[key] }]))
  }

  /** Makes the events of a further contract readable. */
  watch(address: Address, source: EventSource): void {
    this.#sources.set(address.toLowerCase() as Address, source)
  }

  /** Sends a real transaction; a revert is an outcome, not an exception. */
  async attempt(from: Address, contract: ContractKey, functionName: string, ...args: readonly unknown[]): Promise<Outcome> {
    return this.attemptAt(from, this.at[contract], encodeFunctionData({ abi: ABIS[contract], functionName, args }))
  }

  async attemptAt(from: Address, to: Address | undefined, data: Hex): Promise<Outcome> {
    const transaction = { from, ...(to ? { to } : {}), data, gas: numberToHex(GAS), gasPrice: '0x0' }
    const hash = await this.rpc('eth_sendTransaction', transaction)
    // `eth_sendTransactionSync` of the node misses a block that is mined at once, now and then.
    const read = async () => (await this.rpc('eth_getTransactionReceipt', hash)) as Receipt | null
    const receipt = (await eventually(`the receipt of ${hash}`, read)) as Receipt
    if (receipt.status === '0x1') return { events: happenings(receipt.logs, this.#sources) }
    return { error: errorText((await this.rpc('ots_getTransactionError', hash)) as Hex) }
  }

  /** The reason for which a call would be refused now, without a transaction. */
  async simulate(from: Address, contract: ContractKey, functionName: string, ...args: readonly unknown[]): Promise<string> {
    try {
      const data = encodeFunctionData({ abi: ABIS[contract], functionName, args })
      await this.client.call({ account: from, to: this.at[contract], data, gas: GAS })
      return 'it passed'
    } catch (error) {
      const revert = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null
      if (!(revert instanceof RpcRequestError) || revert.data === undefined) throw error
      return errorText(revert.data as Hex)
    }
  }

  /** Like attempt, for calls that must pass. */
  async run(from: Address, contract: ContractKey, functionName: string, ...args: readonly unknown[]): Promise<readonly Happening[]> {
    const outcome = await this.attempt(from, contract, functionName, ...args)
    if (outcome.error !== undefined) throw new Error(`${functionName} was refused: ${outcome.error}`)
    return outcome.events
  }

  /** Like attempt, for calls that must be refused; answers the reason. */
  async refusal(from: Address, contract: ContractKey, functionName: string, ...args: readonly unknown[]): Promise<string> {
    return (await this.attempt(from, contract, functionName, ...args)).error ?? 'it passed'
  }

  /** Deploys a further contract and answers its address. */
  async create(
    from: Address,
    { abi, bytecode }: Pick<ContractArtifact, 'abi' | 'bytecode'>,
    ...args: readonly unknown[]
  ): Promise<Address> {
    const nonce = BigInt((await this.rpc('eth_getTransactionCount', from, 'latest')) as Hex)
    const address = getContractAddress({ from, nonce })
    this.watch(address, { prefix: 'NEW', abi })
    const outcome = await this.attemptAt(from, undefined, encodeDeployData({ abi, bytecode, args }))
    if (outcome.error !== undefined) throw new Error(outcome.error)
    return address
  }

  read(contract: ContractKey, functionName: string, ...args: readonly unknown[]): Promise<unknown> {
    return this.client.readContract({ address: this.at[contract], abi: ABIS[contract], functionName, args })
  }

  async now(): Promise<number> {
    const block = (await this.rpc('eth_getBlockByNumber', 'latest', false)) as { readonly timestamp: Hex }
    return Number(block.timestamp)
  }

  /** The next transaction happens exactly then. */
  async nextBlockAt(timestamp: number): Promise<void> {
    await this.rpc('evm_setNextBlockTimestamp', timestamp)
  }

  async pass(seconds: number): Promise<void> {
    await this.nextBlockAt((await this.now()) + seconds)
    await this.rpc('evm_mine')
  }

  /** Runs something and takes everything back, also after a failure. */
  async undone<T>(work: () => Promise<T>): Promise<T> {
    const snapshot = await this.rpc('evm_snapshot')
    return work().finally(() => revertTo(this.rpc, snapshot))
  }
}

/** Short ways to call further contracts, and to make their events readable. */
export const callsOf = <Key extends string>(
  world: World,
  contracts: Readonly<Record<Key, EventSource & { readonly address: Address }>>,
) => {
  const at = Object.fromEntries(Object.entries(contracts).map(([key, value]) => [key, (value as { address: Address }).address]))
  for (const key of Object.keys(contracts) as Key[]) world.watch(contracts[key].address, contracts[key])
  const attempt = (from: Address, key: Key, functionName: string, ...args: readonly unknown[]): Promise<Outcome> =>
    world.attemptAt(from, contracts[key].address, encodeFunctionData({ abi: contracts[key].abi, functionName, args }))
  return {
    at: at as Readonly<Record<Key, Address>>,
    attempt,
    /** Like attempt, for calls that must pass. */
    run: async (from: Address, key: Key, name: string, ...args: readonly unknown[]): Promise<readonly Happening[]> => {
      const outcome = await attempt(from, key, name, ...args)
      if (outcome.error !== undefined) throw new Error(`${name} was refused: ${outcome.error}`)
      return outcome.events
    },
    /** The reason of a refusal. */
    refusal: async (from: Address, key: Key, name: string, ...args: readonly unknown[]): Promise<string> =>
      (await attempt(from, key, name, ...args)).error ?? 'it passed',
    read: (key: Key, functionName: string, ...args: readonly unknown[]): Promise<unknown> =>
      world.client.readContract({ address: contracts[key].address, abi: contracts[key].abi, functionName, args }),
  }
}

/** The contracts on the chain that the files of this worker share. */
export async function startWorld(rewardBankRaw = 1_000_000_000n): Promise<World> {
  const { operator, verifier, arbitrator, treasury, creditOperator, pauser, owner } = who
  const keys = { deployerKey: OWNER_KEY, operatorKey: OPERATOR_KEY, creditOperatorKey: CREDIT_OPERATOR_KEY }
  const roles = { operator, verifier, arbitrator, treasury, creditOperator }
  const { rpcUrl, deployment } = await sharedChain(`world-${rewardBankRaw}`, async (rpcUrl) => {
    const deployment = await deployAll({ rpcUrl, ...keys, rewardBankRaw, ...roles })
    await new World(rpcUrl, deployment).run(owner, 'policy', 'setPauser', pauser)
    return deployment
  })
  return new World(rpcUrl, deployment)
}
