// Deploys to a fresh local chain: the plan of every deployment, sent without waiting for blocks.
import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { DeploymentConfig } from '../schemas/chain/deployment.ts'
import { POOL_SEED_RAW } from '../schemas/pool/record.ts'
import { bankSteps, deploymentPlan, type Plan, type Signer, type Step, seedSteps } from './deployment/plan.ts'
import { recordOf } from './deployment/record.ts'
import { transactionOf } from './deployment/resolve.ts'
import { REMOTE_ACCOUNT_ID32 } from './parameters.ts'
import { createPipeline, type Pipeline } from './pipeline.ts'

/** Who holds which role. */
interface RoleHolders {
  readonly operator: Address
  readonly verifier: Address
  readonly arbitrator: Address
  readonly treasury: Address
  /** Sets the terms of the credit pool and attests what a borrower may borrow against. */
  readonly creditOperator: Address
}

export interface DeployOptions extends RoleHolders {
  readonly rpcUrl: string
  /** Stays the owner of the policy; needs native gas, like the operator. */
  readonly deployerKey: Hex
  readonly operatorKey: Hex
  readonly creditOperatorKey: Hex
  /** Minted to the operator and deposited as the funds of its curated jobs. */
  readonly rewardBankRaw: bigint
}

/** The members of the chain file that a deployment fills in. A local chain has both pools and the other chain. */
export type Deployment = Awaited<ReturnType<typeof deployAll>>

/** What a local chain is made of: everything, with stand-ins for what is not there. The deployer stays owner and dispatches. */
const localConfig = (roles: RoleHolders, deployer: Address): DeploymentConfig => ({
  name: 'Local chain',
  nativeSymbol: 'PAS',
  nativeDecimals: 18,
  // Every transaction is mined at once in its own block, without reorgs.
  confirmations: 0,
  testChain: true,
  asset: 'test',
  owner: deployer,
  roles,
  alsoAllowed: {},
  parameters: {},
  savings: { strategies: ['mock', 'idle'] },
  crossChain: { precompile: 'test', remoteAccount: REMOTE_ACCOUNT_ID32, dispatcher: deployer, venue: 'test' },
  minimumGas: '0',
})

/** The deployment of a local chain, with its seeds and the reward bank. */
const localPlan = (config: DeploymentConfig, deployer: Address, { operator, creditOperator, rewardBankRaw }: DeployOptions): Plan => {
  const plan = deploymentPlan(config, deployer)
  const of = (from: Signer, holder: Address, amount: bigint) => ({ from, holder, minter: 'deployer' as const, amount })
  return {
    ...plan,
    steps: [
      ...plan.steps,
      ...seedSteps(of('operator', operator, POOL_SEED_RAW), 'depositPool'),
      ...seedSteps(of('creditOperator', creditOperator, POOL_SEED_RAW), 'creditPool'),
      ...(rewardBankRaw === 0n ? [] : bankSteps(of('operator', operator, rewardBankRaw))),
    ],
  }
}

async function sendStep(pipeline: Pipeline, step: Step, keys: Readonly<Record<Signer, Hex>>, parts: Map<string, Address>): Promise<void> {
  const from = keys[step.from]
  const transaction = await transactionOf(step, parts, await pipeline.addressAfter(from, 1))
  const address = await pipeline.send({ label: step.name, from, ...transaction })
  if (step.create) parts.set(step.name, address)
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
  const keys = { deployer: options.deployerKey, operator: options.operatorKey, creditOperator: options.creditOperatorKey }
  const deployer = privateKeyToAccount(options.deployerKey).address
  const { operator, verifier, arbitrator, treasury, creditOperator } = options
  const config = localConfig({ operator, verifier, arbitrator, treasury, creditOperator }, deployer)
  const plan = localPlan(config, deployer, options)
  const parts = new Map(Object.entries(plan.given))
  for (const step of plan.steps) await sendStep(pipeline, step, keys, parts)
  const receipts = await pipeline.settle()
  const blocks = new Map([...receipts].map(([name, { blockNumber }]) => [name, Number(blockNumber)]))
  // The check compares the code with the artefacts; hashes of it would only repeat that on a chain of this checkout.
  const { contracts, ...others } = recordOf(await pipeline.client.getChainId(), config, deployer, { parts, blocks }, {})
  const { depositPool, creditPool, xcm } = contracts
  if (!depositPool || !creditPool || !xcm) throw new Error('a local chain has savings and another chain')
  return { ...others, contracts: { ...contracts, depositPool, creditPool, xcm } }
}
