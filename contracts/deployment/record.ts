// What a deployment writes about itself: the members of the chain file, with the hashes of its code.
import { type Address, type Hex, keccak256, type PublicClient, slice } from 'viem'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import type { DeploymentConfig, DeploymentRecord } from '../../schemas/chain/deployment.ts'
import { ACCOUNT_DOMAIN, CREDIT_RISK_DISCLOSURE, DEPOSIT_POOL_SHARE, ESCROW_DOMAIN, ESCROW_GENERATION, LOCAL_ASSET } from '../parameters.ts'
import type { Plan } from './plan.ts'
import { type Parts, partOf, transactionOf } from './resolve.ts'

/** Where a plan put its parts, and in which blocks. */
export interface Outcome {
  readonly parts: Parts
  readonly blocks: ReadonlyMap<string, number>
}

/** Hashes of the code of every contract that a plan created. */
export async function hashCode(client: PublicClient, plan: Plan, { parts }: Outcome): Promise<DeploymentRecord['code']> {
  // Only the deposit pool names the creation after it.
  const next = parts.get('creditPool') ?? '0x'
  const created = plan.steps.filter((step) => step.create)
  const entries = created.map(async (step) => {
    const { data } = await transactionOf(step, parts, next)
    const code = (await client.getCode({ address: partOf(parts, step.name) })) ?? '0x'
    const hashes = { initCodeHash: keccak256(data), runtimeCodeHash: keccak256(code) }
    return [step.name, { contract: step.contract, ...hashes }] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

const savingsOf = (at: (name: string) => { address: Address; deployBlock: number }, { savings }: DeploymentConfig) => ({
  ...(savings ? { depositPool: { version: '2', ...at('depositPool'), ...DEPOSIT_POOL_SHARE } } : {}),
  ...(savings ? { creditPool: { ...at('creditPool'), riskDisclosure: CREDIT_RISK_DISCLOSURE } } : {}),
})

const crossChainOf = (
  at: (name: string) => { address: Address; deployBlock: number },
  parts: Parts,
  { crossChain }: DeploymentConfig,
): Pick<ChainFile['contracts'], 'xcm'> => {
  if (!crossChain) return {}
  const { venue, remoteAccount } = crossChain
  return {
    xcm: {
      wrapper: at('wrapper'),
      adapter: at('adapter'),
      venue: {
        ...(venue !== 'test' && venue.rpc !== undefined ? { rpc: venue.rpc } : {}),
        account: slice(remoteAccount as Hex, 0, 20),
        asset: { address: partOf(parts, 'venueAsset') },
        share: { address: partOf(parts, 'venueShare') },
      },
    },
  }
}

/** The members of the chain file that a deployment fills in. */
export function recordOf(chainId: number, config: DeploymentConfig, deployer: Address, outcome: Outcome, code: DeploymentRecord['code']) {
  const { parts, blocks } = outcome
  const at = (name: string) => ({ address: partOf(parts, name), deployBlock: blocks.get(name) ?? 0 })
  const handover = parts.get('handover')
  const record: DeploymentRecord = { deployer, ...(handover ? { handover } : {}), config, code }
  return {
    chainId,
    contracts: {
      policy: at('policy'),
      registry: { address: partOf(parts, 'registry') },
      agentAccount: { address: partOf(parts, 'agentAccount'), ...ACCOUNT_DOMAIN },
      reputation: { address: partOf(parts, 'reputation') },
      escrow: { ...ESCROW_DOMAIN, generations: [{ version: ESCROW_GENERATION, ...at('escrow'), mode: 'live' as const }] },
      ...savingsOf(at, config),
      ...crossChainOf(at, parts, config),
    },
    asset: config.asset === 'test' ? { ...LOCAL_ASSET, address: partOf(parts, 'token') } : config.asset,
    deployment: record,
  }
}
