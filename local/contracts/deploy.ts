// Deploys and wires the contracts of a local chain. The order matters: a missing role shows only when the
// first job is settled, as a bare Unauthorized() or TreasuryAccountUnset().
import { type Address, encodeDeployData, encodeFunctionData, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { agentAccountCoreAbi } from '../../activities/chain/abi/agent-account-core.ts'
import { escrowCoreAbi } from '../../activities/chain/abi/escrow-core.ts'
import { testUsdcAbi } from '../../activities/chain/abi/test-usdc.ts'
import { treasuryPolicyAbi } from '../../activities/chain/abi/treasury-policy.ts'
import { type ContractName, loadArtifact } from './artifact.ts'
import type { ChainFileLike, RoleHolders } from './chain-file.ts'
import { ACCOUNT_EIP712_NAME, EIP712_VERSION, ESCROW_EIP712_NAME, LOCAL_ASSET, LOCAL_PARAMETERS } from './parameters.ts'
import { createPipeline, type Pipeline, type SendRaw } from './pipeline.ts'

export interface DeployOptions extends RoleHolders {
  readonly rpcUrl: string
  /** Becomes the owner of the policy; needs native gas, like the operator. */
  readonly deployerKey: Hex
  readonly operatorKey: Hex
  /** Minted to the operator and deposited as the funds of its curated jobs. */
  readonly rewardBankRaw: bigint
  /** Receives every signed transaction in order; the default hands it to the node. */
  readonly sendRaw?: SendRaw
}

export interface Deployment extends ChainFileLike {
  /** The first block that can hold an event of any of the contracts. */
  readonly deployBlock: number
}

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

const policyCall = encodeFunctionData<typeof treasuryPolicyAbi>
const accountCall = encodeFunctionData<typeof agentAccountCoreAbi>

/** The wiring calls with their targets, in order. */
function wiring(at: Addresses, roles: RoleHolders): readonly (readonly [label: string, to: Address, data: Hex])[] {
  const abi = treasuryPolicyAbi
  const grant = (functionName: GrantName, holder: Address): readonly [string, Address, Hex] => [
    `${functionName} ${holder}`,
    at.policy,
    policyCall({ abi, functionName, args: [holder, true] }),
  ]
  const account = (functionName: string, data: Hex): readonly [string, Address, Hex] => [functionName, at.accounts, data]
  return [
    grant('setApprovedAsset', at.token),
    grant('setSettlementBroker', at.escrow),
    grant('setSettlementBroker', roles.operator),
    account('setEscrowOperator', accountCall({ abi: agentAccountCoreAbi, functionName: 'setEscrowOperator', args: [at.escrow, true] })),
    account('setTreasuryAccount', accountCall({ abi: agentAccountCoreAbi, functionName: 'setTreasuryAccount', args: [roles.treasury] })),
    grant('setReputationWriter', at.escrow),
    grant('setOutflowRecorder', at.accounts),
    grant('setVerifier', roles.verifier),
    grant('setArbitrator', roles.arbitrator),
    ...parameterCalls(at, roles),
  ]
}

type GrantName = 'setApprovedAsset' | 'setSettlementBroker' | 'setReputationWriter' | 'setOutflowRecorder' | 'setVerifier' | 'setArbitrator'

function parameterCalls(at: Addresses, roles: RoleHolders): readonly (readonly [string, Address, Hex])[] {
  const abi = treasuryPolicyAbi
  const calls: readonly (readonly [string, Hex])[] = [
    ['setMinClaimFee', policyCall({ abi, functionName: 'setMinClaimFee', args: [at.token, P.minClaimFee] })],
    ['setDefaultClaimStakeBps', policyCall({ abi, functionName: 'setDefaultClaimStakeBps', args: [P.defaultClaimStakeBps] })],
    ['setClaimFeeBps', policyCall({ abi, functionName: 'setClaimFeeBps', args: [P.claimFeeBps] })],
    [
      'setMinimumCollateralRatioBps',
      policyCall({ abi, functionName: 'setMinimumCollateralRatioBps', args: [P.minimumCollateralRatioBps] }),
    ],
    ['setPerAccountBorrowCap', policyCall({ abi, functionName: 'setPerAccountBorrowCap', args: [P.perAccountBorrowCap] })],
    ...(roles.pauser ? [['setPauser', policyCall({ abi, functionName: 'setPauser', args: [roles.pauser] })] as const] : []),
  ]
  const schedule = [P.retentionFlatRaw, P.retentionCapBps, P.posterFeeBps, P.posterFeeFloorRaw] as const
  return [
    ...calls.map(([label, data]) => [label, at.policy, data] as const),
    ['setFeeSchedule', at.escrow, encodeFunctionData({ abi: escrowCoreAbi, functionName: 'setFeeSchedule', args: schedule })],
  ]
}

/** Mints the reward bank to the operator and deposits it from there. */
async function fundRewardBank(pipeline: Pipeline, at: Addresses, options: DeployOptions): Promise<void> {
  const { operator, operatorKey, deployerKey, rewardBankRaw: amount } = options
  if (amount === 0n) return
  const abi = testUsdcAbi
  const mint = encodeFunctionData({ abi, functionName: 'mint', args: [operator, amount] })
  const approve = encodeFunctionData({ abi, functionName: 'approve', args: [at.accounts, amount] })
  const deposit = accountCall({ abi: agentAccountCoreAbi, functionName: 'deposit', args: [at.token, amount] })
  await pipeline.send({ label: 'mint reward bank', from: deployerKey, to: at.token, data: mint })
  await pipeline.send({ label: 'approve reward bank', from: operatorKey, to: at.token, data: approve })
  await pipeline.send({ label: 'deposit reward bank', from: operatorKey, to: at.accounts, data: deposit })
}

/** Deploys everything to a fresh local chain and returns what the chain file says about it. */
export async function deployAll(options: DeployOptions): Promise<Deployment> {
  if (privateKeyToAccount(options.operatorKey).address.toLowerCase() !== options.operator.toLowerCase()) {
    throw new Error('the operator key does not belong to the operator address')
  }
  const pipeline = await createPipeline(options.rpcUrl, options.sendRaw)
  const at = await deployContracts(pipeline, options)
  for (const [label, to, data] of wiring(at, options)) await pipeline.send({ label, from: options.deployerKey, to, data })
  await fundRewardBank(pipeline, at, options)
  const receipts = await pipeline.settle()
  const blockOf = (name: ContractName): number => Number(receipts.get(name)?.blockNumber ?? 0n)
  return {
    chainId: await pipeline.client.getChainId(),
    deployBlock: blockOf('TestUSDC'),
    contracts: {
      policy: { address: at.policy, deployBlock: blockOf('TreasuryPolicy') },
      registry: { address: at.registry },
      agentAccount: { address: at.accounts, eip712Name: ACCOUNT_EIP712_NAME, eip712Version: EIP712_VERSION },
      reputation: { address: at.reputation },
      escrow: {
        eip712Name: ESCROW_EIP712_NAME,
        eip712Version: EIP712_VERSION,
        generations: [{ version: 3, address: at.escrow, deployBlock: blockOf('EscrowCore'), mode: 'live' }],
      },
    },
    asset: { ...LOCAL_ASSET, address: at.token },
  }
}
