// Reads every wiring line of a deployment back from the chain. An empty answer means: ready.
import { type Abi, type Address, domainSeparator, type PublicClient, zeroAddress } from 'viem'
import { agentAccountCoreAbi } from '../activities/chain/abi/agent-account-core.ts'
import { creditPoolAbi } from '../activities/chain/abi/credit-pool.ts'
import { depositPoolAbi } from '../activities/chain/abi/deposit-pool.ts'
import { escrowCoreAbi } from '../activities/chain/abi/escrow-core.ts'
import { hydrationUsdcAdapterAbi } from '../activities/chain/abi/hydration-usdc-adapter.ts'
import { reputationSbtAbi } from '../activities/chain/abi/reputation-sbt.ts'
import { strategyAdapterRegistryAbi } from '../activities/chain/abi/strategy-adapter-registry.ts'
import { testUsdcAbi } from '../activities/chain/abi/test-usdc.ts'
import { treasuryPolicyAbi } from '../activities/chain/abi/treasury-policy.ts'
import { xcmWrapperAbi } from '../activities/chain/abi/xcm-wrapper.ts'
import type { ChainFile } from '../schemas/chain/chain-file.ts'
import { POOL_SEED_RAW } from '../schemas/pool/record.ts'
import type { RoleHolders } from './deploy.ts'
import {
  CROSS_CHAIN_STRATEGY_ID,
  FEES,
  IDLE_STRATEGY_ID,
  LOCAL_STRATEGY_ID,
  MIN_CLAIM_FEE,
  POLICY_PARAMETERS,
  REMOTE_ACCOUNT_ID32,
} from './parameters.ts'

/** The members of a chain file that describe a deployment. */
type DeployedChain = Pick<ChainFile, 'chainId' | 'asset' | 'contracts'>

interface DeploymentProblem {
  /** What was read, for instance `policy.verifiers`. */
  readonly name: string
  readonly expected: string
  readonly found: string
}

type Problems = Promise<DeploymentProblem[]>
type Read = (functionName: string, expected: unknown, ...args: readonly unknown[]) => Problems

/** Reads lines of one contract and compares each with what is expected, without regard to case. */
const reader =
  (client: PublicClient, contract: string, address: Address, abi: Abi): Read =>
  async (functionName, value, ...args) => {
    const expected = String(value)
    const found = await client.readContract({ address, abi, functionName, args }).then(String, () => 'unreadable')
    return expected.toLowerCase() === found.toLowerCase() ? [] : [{ name: `${contract}.${functionName}`, expected, found }]
  }

/** Lines of functions that take no argument. */
const readAll = (read: Read, values: Record<string, unknown>): Problems[] =>
  Object.entries(values).map(([name, value]) => read(name, value))

function policyLines(client: PublicClient, { asset, contracts }: DeployedChain, escrow: Address, roles: RoleHolders): Problems[] {
  const read = reader(client, 'policy', contracts.policy.address, treasuryPolicyAbi)
  return [
    read('approvedAssets', true, asset.address),
    read('settlementBroker', true, escrow),
    read('settlementBroker', true, roles.operator),
    read('reputationWriter', true, escrow),
    read('outflowRecorder', true, contracts.agentAccount.address),
    read('strategySettler', true, contracts.agentAccount.address),
    read('strategySettler', true, roles.operator),
    read('verifiers', true, roles.verifier),
    read('arbitrators', true, roles.arbitrator),
    read('minClaimFeeByAsset', MIN_CLAIM_FEE, asset.address),
    ...readAll(read, { paused: false, ...POLICY_PARAMETERS }),
  ]
}

function coreLines(client: PublicClient, chain: DeployedChain, escrow: Address, { treasury }: RoleHolders): Problems[] {
  const { policy, registry, agentAccount, reputation } = chain.contracts
  const readAccounts = reader(client, 'agentAccount', agentAccount.address, agentAccountCoreAbi)
  return [
    readAccounts('escrowOperators', true, escrow),
    ...readAll(readAccounts, {
      policy: policy.address,
      registry: registry.address,
      treasuryAccount: treasury,
      domainSeparator: separatorOf(chain, agentAccount, agentAccount.address),
    }),
    ...readAll(reader(client, 'escrow', escrow, escrowCoreAbi), {
      policy: policy.address,
      accounts: agentAccount.address,
      reputation: reputation.address,
      treasuryAccount: treasury,
      supportsGasRetention: true,
      externalSchemaDomainSeparator: separatorOf(chain, chain.contracts.escrow, escrow),
      ...FEES,
    }),
    ...readAll(reader(client, 'registry', registry.address, strategyAdapterRegistryAbi), {
      policy: policy.address,
      listStrategyIds: `${LOCAL_STRATEGY_ID},${IDLE_STRATEGY_ID}`,
    }),
    reader(client, 'reputation', reputation.address, reputationSbtAbi)('policy', policy.address),
    reader(client, 'asset', chain.asset.address, testUsdcAbi)('decimals', chain.asset.decimals),
  ]
}

type Contracts = DeployedChain['contracts']
type Pools = { [Pool in 'depositPool' | 'creditPool']: NonNullable<Contracts[Pool]> }

/** A pool that began with fewer shares of its operator than the seed never gets them at the first price again. Both pools have the same read. */
async function checkSeed(client: PublicClient, pool: keyof Pools, address: Address): Problems {
  const name = `${pool}.operatorPrincipalShares`
  const read = client.readContract({ address, abi: depositPoolAbi, functionName: 'operatorPrincipalShares' })
  const found = await read.catch(() => null)
  return found !== null && found >= POOL_SEED_RAW
    ? []
    : [{ name, expected: `at least ${POOL_SEED_RAW}`, found: String(found ?? 'unreadable') }]
}

function poolLines(client: PublicClient, { depositPool, creditPool }: Pools, asset: Address, roles: RoleHolders): Problems[] {
  return [
    checkSeed(client, 'depositPool', depositPool.address),
    checkSeed(client, 'creditPool', creditPool.address),
    ...readAll(reader(client, 'depositPool', depositPool.address, depositPoolAbi), {
      asset,
      operator: roles.operator,
      creditPool: creditPool.address,
      venueAdapter: zeroAddress,
      name: depositPool.shareName,
      symbol: depositPool.shareSymbol,
    }),
    ...readAll(reader(client, 'creditPool', creditPool.address, creditPoolAbi), {
      asset,
      operator: roles.creditOperator,
      depositPool: depositPool.address,
      RISK_DISCLOSURE: creditPool.riskDisclosure,
    }),
  ]
}

function crossChainLines(client: PublicClient, { wrapper, adapter }: NonNullable<Contracts['xcm']>, chain: DeployedChain): Problems[] {
  const readWrapper = reader(client, 'xcm.wrapper', wrapper.address, xcmWrapperAbi)
  const policy = chain.contracts.policy.address
  return [
    readWrapper('strategyAdapter', adapter.address, CROSS_CHAIN_STRATEGY_ID),
    ...readAll(readWrapper, { policy, hydrationAccountId32: REMOTE_ACCOUNT_ID32, dispatchPaused: false }),
    ...readAll(reader(client, 'xcm.adapter', adapter.address, hydrationUsdcAdapterAbi), {
      policy,
      asset: chain.asset.address,
      strategyId: CROSS_CHAIN_STRATEGY_ID,
      xcmWrapper: wrapper.address,
    }),
  ]
}

function separatorOf(
  { chainId }: DeployedChain,
  { eip712Name: name, eip712Version: version }: Pick<Contracts['escrow'], 'eip712Name' | 'eip712Version'>,
  verifyingContract: Address,
): string {
  return domainSeparator({ domain: { name, version, chainId, verifyingContract } })
}

async function checkCode(client: PublicClient, name: string, address: Address): Problems {
  const code = await client.getCode({ address })
  return code ? [] : [{ name: `${name}.code`, expected: 'code', found: 'none' }]
}

/** Every deviation of a deployment from its chain file, its role holders and the local parameters. */
export async function checkDeployment(client: PublicClient, chain: DeployedChain, roles: RoleHolders): Problems {
  const live = chain.contracts.escrow.generations.find((generation) => generation.mode === 'live')
  if (!live) return [{ name: 'escrow.generations', expected: 'a live generation', found: 'none' }]
  const { depositPool, creditPool, xcm } = chain.contracts
  if (!xcm) return [{ name: 'xcm', expected: 'deployed', found: 'none' }]
  if (!depositPool || !creditPool) return [{ name: 'depositPool, creditPool', expected: 'deployed', found: 'none' }]
  const chainId = await client.getChainId()
  if (chainId !== chain.chainId) return [{ name: 'chainId', expected: String(chain.chainId), found: String(chainId) }]
  const { policy, registry, agentAccount, reputation } = chain.contracts
  const pools = { depositPool, creditPool }
  const { wrapper: xcmWrapper, adapter: xcmAdapter } = xcm
  const parts = { policy, registry, agentAccount, reputation, escrow: live, ...pools, xcmWrapper, xcmAdapter, asset: chain.asset }
  const problems = await Promise.all([
    ...Object.entries(parts).map(([name, { address }]) => checkCode(client, name, address)),
    ...policyLines(client, chain, live.address, roles),
    ...coreLines(client, chain, live.address, roles),
    ...poolLines(client, pools, chain.asset.address, roles),
    ...crossChainLines(client, xcm, chain),
  ])
  return problems.flat()
}
