// Deploys and wires the contracts of a local chain. The order matters: a missing role shows only when the
// first job is settled, as a bare Unauthorized() or TreasuryAccountUnset().
import { type Abi, type Address, encodeDeployData, encodeFunctionData, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { agentAccountCoreAbi } from '../../activities/chain/abi/agent-account-core.ts'
import { escrowCoreAbi } from '../../activities/chain/abi/escrow-core.ts'
import { testUsdcAbi } from '../../activities/chain/abi/test-usdc.ts'
import { treasuryPolicyAbi } from '../../activities/chain/abi/treasury-policy.ts'
import { type ContractName, loadArtifact } from './artifact.ts'
import { ACCOUNT_EIP712_NAME, EIP712_VERSION, ESCROW_EIP712_NAME, LOCAL_ASSET, LOCAL_PARAMETERS } from './parameters.ts'
import { createPipeline, type Pipeline } from './pipeline.ts'

/** Who holds which role. */
export interface RoleHolders {
  readonly operator: Address
  readonly verifier: Address
  readonly arbitrator: Address
  readonly treasury: Address
}

export interface DeployOptions extends RoleHolders {
  readonly rpcUrl: string
  /** Becomes the owner of the policy; needs native gas, like the operator. */
  readonly deployerKey: Hex
  readonly operatorKey: Hex
  /** Minted to the operator and deposited as the funds of its curated jobs. */
  readonly rewardBankRaw: bigint
}

/** The members of the chain file that a deployment fills in. */
export type Deployment = Awaited<ReturnType<typeof deployAll>>

interface Addresses {
  readonly token: Address
  readonly policy: Address
  readonly registry: Address
  readonly accounts: Address
  readonly reputation: Address
  readonly escrow: Address
}

const P = LOCAL_PARAMETERS

async function deployContracts(pipeline: Pipeline, { deployerKey, treasury }: DeployOptions): Promise<Addresses> {
  const create = async (name: ContractName, ...args: readonly Address[]): Promise<Address> => {
    const { abi, bytecode } = await loadArtifact(name)
    return pipeline.send({ label: name, from: deployerKey, data: encodeDeployData({ abi, bytecode, args }) })
  }
  const token = await create('TestUSDC')
  const policy = await create('TreasuryPolicy')
  const registry = await create('StrategyAdapterRegistry', policy)
  const accounts = await create('AgentAccountCore', policy, registry)
  const reputation = await create('ReputationSBT', policy)
  const escrow = await create('EscrowCore', policy, accounts, reputation, treasury)
  return { token, policy, registry, accounts, reputation, escrow }
}

/** The wiring calls with their targets, in order. */
function wiring(at: Addresses, roles: RoleHolders): readonly { readonly label: string; readonly to: Address; readonly data: Hex }[] {
  const caller =
    (to: Address, abi: Abi) =>
    (functionName: string, ...args: readonly unknown[]) => ({
      label: `${functionName} ${args[0]}`,
      to,
      data: encodeFunctionData({ abi, functionName, args }),
    })
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
    policy('setMinClaimFee', at.token, P.minClaimFee),
    policy('setDefaultClaimStakeBps', P.defaultClaimStakeBps),
    policy('setClaimFeeBps', P.claimFeeBps),
    policy('setMinimumCollateralRatioBps', P.minimumCollateralRatioBps),
    policy('setPerAccountBorrowCap', P.perAccountBorrowCap),
    escrow('setFeeSchedule', P.retentionFlatRaw, P.retentionCapBps, P.posterFeeBps, P.posterFeeFloorRaw),
  ]
}

/** Mints the reward bank to the operator and deposits it from there. */
async function fundRewardBank(pipeline: Pipeline, at: Addresses, options: DeployOptions): Promise<void> {
  const { operator, operatorKey, deployerKey, rewardBankRaw: amount } = options
  if (amount === 0n) return
  const abi = testUsdcAbi
  const mint = encodeFunctionData({ abi, functionName: 'mint', args: [operator, amount] })
  const approve = encodeFunctionData({ abi, functionName: 'approve', args: [at.accounts, amount] })
  const deposit = encodeFunctionData({ abi: agentAccountCoreAbi, functionName: 'deposit', args: [at.token, amount] })
  await pipeline.send({ label: 'mint reward bank', from: deployerKey, to: at.token, data: mint })
  await pipeline.send({ label: 'approve reward bank', from: operatorKey, to: at.token, data: approve })
  await pipeline.send({ label: 'deposit reward bank', from: operatorKey, to: at.accounts, data: deposit })
}

/** Deploys everything to a fresh local chain and returns what the chain file says about it. */
export async function deployAll(options: DeployOptions) {
  if (privateKeyToAccount(options.operatorKey).address.toLowerCase() !== options.operator.toLowerCase()) {
    throw new Error('the operator key does not belong to the operator address')
  }
  const pipeline = await createPipeline(options.rpcUrl)
  const at = await deployContracts(pipeline, options)
  for (const call of wiring(at, options)) await pipeline.send({ ...call, from: options.deployerKey })
  await fundRewardBank(pipeline, at, options)
  const receipts = await pipeline.settle()
  const blockOf = (name: ContractName): number => Number(receipts.get(name)?.blockNumber ?? 0n)
  return {
    chainId: await pipeline.client.getChainId(),
    contracts: {
      policy: { address: at.policy, deployBlock: blockOf('TreasuryPolicy') },
      registry: { address: at.registry },
      agentAccount: { address: at.accounts, eip712Name: ACCOUNT_EIP712_NAME, eip712Version: EIP712_VERSION },
      reputation: { address: at.reputation },
      escrow: {
        eip712Name: ESCROW_EIP712_NAME,
        eip712Version: EIP712_VERSION,
        generations: [{ version: 3, address: at.escrow, deployBlock: blockOf('EscrowCore'), mode: 'live' as const }],
      },
    },
    asset: { ...LOCAL_ASSET, address: at.token },
  }
}
