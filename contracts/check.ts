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
import type { RoleHolders } from './deploy.ts'
import { CROSS_CHAIN_STRATEGY_ID, IDLE_STRATEGY_ID, LOCAL_PARAMETERS, LOCAL_STRATEGY_ID, REMOTE_ACCOUNT_ID32 } from './parameters.ts'

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

function roleLines(read: Read, chain: DeployedChain, escrow: Address, roles: RoleHolders): Problems[] {
  const { asset, contracts } = chain
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
    read('paused', false),
  ]
}

function parameterLines(read: Read, asset: Address): Problems[] {
  const { minClaimFee, retentionFlatRaw, retentionCapBps, posterFeeBps, posterFeeFloorRaw, ...policy } = LOCAL_PARAMETERS
  return [read('minClaimFeeByAsset', minClaimFee, asset), ...Object.entries(policy).map(([name, value]) => read(name, value))]
}

function accountLines(read: Read, chain: DeployedChain, escrow: Address, treasury: Address): Problems[] {
  const { policy, registry, agentAccount } = chain.contracts
  return [
    read('policy', policy.address),
    read('registry', registry.address),
    read('escrowOperators', true, escrow),
    read('treasuryAccount', treasury),
    read('domainSeparator', separatorOf(chain, agentAccount, agentAccount.address)),
  ]
}

function escrowLines(read: Read, chain: DeployedChain, escrow: Address, treasury: Address): Problems[] {
  const { policy, agentAccount, reputation } = chain.contracts
  const { retentionFlatRaw, retentionCapBps, posterFeeBps, posterFeeFloorRaw } = LOCAL_PARAMETERS
  const schedule = Object.entries({ retentionFlatRaw, retentionCapBps, posterFeeBps, posterFeeFloorRaw })
  return [
    read('policy', policy.address),
    read('accounts', agentAccount.address),
    read('reputation', reputation.address),
    read('treasuryAccount', treasury),
    read('supportsGasRetention', true),
    read('externalSchemaDomainSeparator', separatorOf(chain, chain.contracts.escrow, escrow)),
    ...schedule.map(([name, value]) => read(name, value)),
  ]
}

interface Pools {
  readonly depositPool: NonNullable<DeployedChain['contracts']['depositPool']>
  readonly creditPool: NonNullable<DeployedChain['contracts']['creditPool']>
}

function poolLines(client: PublicClient, { depositPool, creditPool }: Pools, asset: Address, roles: RoleHolders): Problems[] {
  const readPool = reader(client, 'depositPool', depositPool.address, depositPoolAbi)
  const readCredit = reader(client, 'creditPool', creditPool.address, creditPoolAbi)
  return [
    readPool('asset', asset),
    readPool('operator', roles.operator),
    readPool('creditPool', creditPool.address),
    readPool('venueAdapter', zeroAddress),
    readPool('name', depositPool.shareName),
    readPool('symbol', depositPool.shareSymbol),
    readCredit('asset', asset),
    readCredit('operator', roles.creditOperator),
    readCredit('depositPool', depositPool.address),
    readCredit('RISK_DISCLOSURE', creditPool.riskDisclosure),
  ]
}

type CrossChain = NonNullable<DeployedChain['contracts']['xcm']>

function crossChainLines(client: PublicClient, { wrapper, adapter }: CrossChain, chain: DeployedChain): Problems[] {
  const readWrapper = reader(client, 'xcm.wrapper', wrapper.address, xcmWrapperAbi)
  const readAdapter = reader(client, 'xcm.adapter', adapter.address, hydrationUsdcAdapterAbi)
  return [
    readWrapper('policy', chain.contracts.policy.address),
    readWrapper('strategyAdapter', adapter.address, CROSS_CHAIN_STRATEGY_ID),
    readWrapper('hydrationAccountId32', REMOTE_ACCOUNT_ID32),
    readWrapper('dispatchPaused', false),
    readAdapter('policy', chain.contracts.policy.address),
    readAdapter('asset', chain.asset.address),
    readAdapter('strategyId', CROSS_CHAIN_STRATEGY_ID),
    readAdapter('xcmWrapper', wrapper.address),
  ]
}

function separatorOf(
  chain: DeployedChain,
  domain: { readonly eip712Name: string; readonly eip712Version: string },
  address: Address,
): string {
  return domainSeparator({
    domain: { name: domain.eip712Name, version: domain.eip712Version, chainId: chain.chainId, verifyingContract: address },
  })
}

function allLines(client: PublicClient, chain: DeployedChain, escrow: Address, pools: Pools, roles: RoleHolders): Problems[] {
  const { policy, registry, agentAccount, reputation } = chain.contracts
  const readPolicy = reader(client, 'policy', policy.address, treasuryPolicyAbi)
  const readAccounts = reader(client, 'agentAccount', agentAccount.address, agentAccountCoreAbi)
  const readEscrow = reader(client, 'escrow', escrow, escrowCoreAbi)
  const readRegistry = reader(client, 'registry', registry.address, strategyAdapterRegistryAbi)
  return [
    ...roleLines(readPolicy, chain, escrow, roles),
    ...parameterLines(readPolicy, chain.asset.address),
    ...accountLines(readAccounts, chain, escrow, roles.treasury),
    ...escrowLines(readEscrow, chain, escrow, roles.treasury),
    ...poolLines(client, pools, chain.asset.address, roles),
    readRegistry('policy', policy.address),
    readRegistry('listStrategyIds', `${LOCAL_STRATEGY_ID},${IDLE_STRATEGY_ID}`),
    reader(client, 'reputation', reputation.address, reputationSbtAbi)('policy', policy.address),
    reader(client, 'asset', chain.asset.address, testUsdcAbi)('decimals', chain.asset.decimals),
  ]
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
    ...allLines(client, chain, live.address, pools, roles),
    ...crossChainLines(client, xcm, chain),
  ])
  return problems.flat()
}
