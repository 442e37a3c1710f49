// Deploys and wires the contracts of a local chain. The order matters: a missing role shows only when the
// first job is settled, as a bare Unauthorized() or TreasuryAccountUnset().
import { type Abi, type Address, encodeDeployData, encodeFunctionData, type Hex, slice, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { agentAccountCoreAbi } from '../activities/chain/abi/agent-account-core.ts'
import { depositPoolAbi } from '../activities/chain/abi/deposit-pool.ts'
import { escrowCoreAbi } from '../activities/chain/abi/escrow-core.ts'
import { strategyAdapterRegistryAbi } from '../activities/chain/abi/strategy-adapter-registry.ts'
import { testUsdcAbi } from '../activities/chain/abi/test-usdc.ts'
import { treasuryPolicyAbi } from '../activities/chain/abi/treasury-policy.ts'
import { xcmWrapperAbi } from '../activities/chain/abi/xcm-wrapper.ts'
import { POOL_SEED_RAW } from '../schemas/pool/record.ts'
import { type ContractName, loadArtifact } from './artifact.ts'
import {
  ACCOUNT_DOMAIN,
  CREDIT_RISK_DISCLOSURE,
  CROSS_CHAIN_STRATEGY_ID,
  DEPOSIT_POOL_SHARE,
  ESCROW_DOMAIN,
  FEES,
  IDLE_STRATEGY_ID,
  LOCAL_ASSET,
  LOCAL_STRATEGY_ID,
  MIN_CLAIM_FEE,
  POLICY_PARAMETERS,
  REMOTE_ACCOUNT_ID32,
} from './parameters.ts'
import { createPipeline, type Pipeline, type PipelineCall } from './pipeline.ts'

/** Who holds which role. */
export interface RoleHolders {
  readonly operator: Address
  readonly verifier: Address
  readonly arbitrator: Address
  readonly treasury: Address
  /** Sets the terms of the credit pool and attests what a borrower may borrow against. */
  readonly creditOperator: Address
}

export interface DeployOptions extends RoleHolders {
  readonly rpcUrl: string
  /** Becomes the owner of the policy; needs native gas, like the operator. */
  readonly deployerKey: Hex
  readonly operatorKey: Hex
  readonly creditOperatorKey: Hex
  /** Minted to the operator and deposited as the funds of its curated jobs. */
  readonly rewardBankRaw: bigint
}

/** The members of the chain file that a deployment fills in. */
export type Deployment = Awaited<ReturnType<typeof deployAll>>

type Addresses = Awaited<ReturnType<typeof deployContracts>>
type Create = (name: ContractName, ...args: readonly unknown[]) => Promise<Address>

type WiringCall = Required<Omit<PipelineCall, 'from'>>

const creator =
  (pipeline: Pipeline, deployerKey: Hex): Create =>
  async (name, ...args) => {
    const { abi, bytecode } = await loadArtifact(name)
    return pipeline.send({ label: name, from: deployerKey, data: encodeDeployData({ abi, bytecode, args }) })
  }

const caller =
  (to: Address, abi: Abi) =>
  (functionName: string, ...args: readonly unknown[]): WiringCall => ({
    label: `${functionName} ${args[0]}`,
    to,
    data: encodeFunctionData({ abi, functionName, args }),
  })

async function deployContracts(create: Create, treasury: Address) {
  const token = await create('TestUSDC')
  const policy = await create('TreasuryPolicy')
  const registry = await create('StrategyAdapterRegistry', policy)
  const accounts = await create('AgentAccountCore', policy, registry)
  const reputation = await create('ReputationSBT', policy)
  const escrow = await create('EscrowCore', policy, accounts, reputation, treasury)
  return { token, policy, registry, accounts, reputation, escrow }
}

/** Each pool stores the address of the other for good, so the first one gets the address that the second one will have. */
async function deploySavings(pipeline: Pipeline, create: Create, at: Addresses, options: DeployOptions) {
  const { deployerKey, operator, creditOperator } = options
  const predicted = await pipeline.addressAfter(deployerKey, 1)
  const depositPool = await create('DepositPoolV2', at.token, operator, zeroAddress, predicted)
  const creditPool = await create('CreditPool', at.token, creditOperator, depositPool)
  const strategy = await create('MockVDotAdapter', at.policy, at.token, LOCAL_STRATEGY_ID)
  const idleStrategy = await create('PoolStrategyAdapter', at.policy, depositPool, IDLE_STRATEGY_ID)
  return { depositPool, creditPool, strategies: [strategy, idleStrategy] }
}

/** Contributes the first shares of a pool for its operator. Both pools take a contribution by the same call. */
async function seedPool(pipeline: Pipeline, token: Address, pool: Address, operatorKey: Hex, deployerKey: Hex): Promise<void> {
  const { address } = privateKeyToAccount(operatorKey)
  const tokenCall = caller(token, testUsdcAbi)
  const contribute = caller(pool, depositPoolAbi)('contributeOperatorPrincipal', POOL_SEED_RAW)
  await pipeline.send({ ...tokenCall('mint', address, POOL_SEED_RAW), label: `mint the seed of ${pool}`, from: deployerKey })
  await pipeline.send({ ...tokenCall('approve', pool, POOL_SEED_RAW), label: `approve the seed of ${pool}`, from: operatorKey })
  await pipeline.send({ ...contribute, label: `contribute the seed of ${pool}`, from: operatorKey })
}

/** Calls that admit the yield source; the account contract itself moves money into it. */
const strategyWiring = (at: Addresses, strategy: Address): readonly WiringCall[] => [
  caller(at.policy, treasuryPolicyAbi)('setApprovedStrategy', strategy, true),
  caller(at.policy, treasuryPolicyAbi)('setStrategySettler', at.accounts, true),
  caller(at.registry, strategyAdapterRegistryAbi)('registerStrategy', strategy),
]

/** The transport to the other chain with a stand-in for its precompile, and the yield source there with the tokens that it trades. */
async function deployCrossChain(create: Create, at: Addresses) {
  const precompile = await create('MockXcmPrecompile')
  const wrapper = await create('XcmWrapperV22', at.policy, precompile)
  const adapter = await create('HydrationUsdcAdapterV22', at.policy, at.token, CROSS_CHAIN_STRATEGY_ID, wrapper, at.accounts)
  const venueAsset = await create('MockRemoteToken')
  const venueShare = await create('MockRemoteToken')
  return { wrapper, adapter, venueAsset, venueShare }
}

/** Calls that open the transport; it can be configured only before the last one. The operator settles, and the owner dispatches. */
const crossChainWiring = (
  at: Addresses,
  { wrapper, adapter }: Awaited<ReturnType<typeof deployCrossChain>>,
  { operator, deployerKey }: DeployOptions,
): readonly WiringCall[] => [
  caller(at.policy, treasuryPolicyAbi)('setStrategySettler', operator, true),
  caller(wrapper, xcmWrapperAbi)('setOperator', privateKeyToAccount(deployerKey).address),
  caller(wrapper, xcmWrapperAbi)('setStrategyAdapter', CROSS_CHAIN_STRATEGY_ID, adapter),
  caller(wrapper, xcmWrapperAbi)('setHydrationAccountId32', REMOTE_ACCOUNT_ID32),
  caller(wrapper, xcmWrapperAbi)('setDispatchPaused', false),
]

/** The wiring calls with their targets, in order. */
function wiring(at: Addresses, roles: RoleHolders): readonly WiringCall[] {
  const policy = caller(at.policy, treasuryPolicyAbi)
  const accounts = caller(at.accounts, agentAccountCoreAbi)
  const escrow = caller(at.escrow, escrowCoreAbi)
  return [
    policy('setApprovedAsset', at.token, true),
    policy('setSettlementBroker', at.escrow, true),
    policy('setSettlementBroker', roles.operator, true),
    accounts('setEscrowOperator', at.escrow, true),
    accounts('setTreasuryAccount', roles.treasury),
    policy('setReputationWriter', at.escrow, true),
    policy('setOutflowRecorder', at.accounts, true),
    policy('setVerifier', roles.verifier, true),
    policy('setArbitrator', roles.arbitrator, true),
    policy('setMinClaimFee', at.token, MIN_CLAIM_FEE),
    policy('setDefaultClaimStakeBps', POLICY_PARAMETERS.defaultClaimStakeBps),
    policy('setClaimFeeBps', POLICY_PARAMETERS.claimFeeBps),
    policy('setMinimumCollateralRatioBps', POLICY_PARAMETERS.minimumCollateralRatioBps),
    policy('setPerAccountBorrowCap', POLICY_PARAMETERS.perAccountBorrowCap),
    escrow('setFeeSchedule', FEES.retentionFlatRaw, FEES.retentionCapBps, FEES.posterFeeBps, FEES.posterFeeFloorRaw),
  ]
}

/** Mints the reward bank to the operator and deposits it from there. */
async function fundRewardBank(pipeline: Pipeline, at: Addresses, options: DeployOptions): Promise<void> {
  const { operator, operatorKey, deployerKey, rewardBankRaw: amount } = options
  if (amount === 0n) return
  const token = caller(at.token, testUsdcAbi)
  const deposit = caller(at.accounts, agentAccountCoreAbi)('deposit', at.token, amount)
  await pipeline.send({ ...token('mint', operator, amount), label: 'mint reward bank', from: deployerKey })
  await pipeline.send({ ...token('approve', at.accounts, amount), label: 'approve reward bank', from: operatorKey })
  await pipeline.send({ ...deposit, label: 'deposit reward bank', from: operatorKey })
}

/** Deploys everything to a fresh local chain and returns what the chain file says about it. */
export async function deployAll(options: DeployOptions) {
  for (const [name, key, address] of [
    ['operator', options.operatorKey, options.operator],
    ['credit operator', options.creditOperatorKey, options.creditOperator],
  ] as const)
    if (privateKeyToAccount(key).address.toLowerCase() !== address.toLowerCase())
      throw new Error(`the ${name} key does not belong to the ${name} address`)
  const pipeline = await createPipeline(options.rpcUrl)
  const create = creator(pipeline, options.deployerKey)
  const send = async (calls: readonly WiringCall[]): Promise<void> => {
    for (const call of calls) await pipeline.send({ ...call, from: options.deployerKey })
  }
  const at = await deployContracts(create, options.treasury)
  await send(wiring(at, options))
  const savings = await deploySavings(pipeline, create, at, options)
  await send(savings.strategies.flatMap((strategy) => strategyWiring(at, strategy)))
  const crossChain = await deployCrossChain(create, at)
  await send(crossChainWiring(at, crossChain, options))
  await seedPool(pipeline, at.token, savings.depositPool, options.operatorKey, options.deployerKey)
  await seedPool(pipeline, at.token, savings.creditPool, options.creditOperatorKey, options.deployerKey)
  await fundRewardBank(pipeline, at, options)
  const receipts = await pipeline.settle()
  const blockOf = (name: ContractName): number => Number(receipts.get(name)?.blockNumber ?? 0n)
  return {
    chainId: await pipeline.client.getChainId(),
    contracts: {
      policy: { address: at.policy, deployBlock: blockOf('TreasuryPolicy') },
      registry: { address: at.registry },
      agentAccount: { address: at.accounts, ...ACCOUNT_DOMAIN },
      reputation: { address: at.reputation },
      escrow: {
        ...ESCROW_DOMAIN,
        generations: [{ version: 3, address: at.escrow, deployBlock: blockOf('EscrowCore'), mode: 'live' as const }],
      },
      depositPool: { version: '2', address: savings.depositPool, deployBlock: blockOf('DepositPoolV2'), ...DEPOSIT_POOL_SHARE },
      creditPool: { address: savings.creditPool, deployBlock: blockOf('CreditPool'), riskDisclosure: CREDIT_RISK_DISCLOSURE },
      xcm: {
        wrapper: { address: crossChain.wrapper, deployBlock: blockOf('XcmWrapperV22') },
        adapter: { address: crossChain.adapter, deployBlock: blockOf('HydrationUsdcAdapterV22') },
        venue: {
          account: slice(REMOTE_ACCOUNT_ID32, 0, 20),
          asset: { address: crossChain.venueAsset },
          share: { address: crossChain.venueShare },
        },
      },
    },
    asset: { ...LOCAL_ASSET, address: at.token },
  }
}
