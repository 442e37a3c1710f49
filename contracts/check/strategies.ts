// The yield sources of the registry.
import { type Address, type Hex, parseAbi } from 'viem'
import { strategyAdapterRegistryAbi } from '../../activities/chain/abi/strategy-adapter-registry.ts'
import { treasuryPolicyAbi } from '../../activities/chain/abi/treasury-policy.ts'
import { STRATEGIES } from '../deployment/plan.ts'
import { runs } from './code.ts'
import { compare, isForGood, ownerCalls, type Problems, problem, reader, type Subject, unlessAway } from './read.ts'

/** A yield source as the registry has it. */
interface Registered {
  readonly id: Hex
  readonly adapter: Address
  readonly active: boolean
}

/** The yield sources of the registry; none where it cannot be read. */
export async function strategiesOf({ client, chain }: Subject): Promise<Registered[]> {
  const registry = { address: chain.contracts.registry.address, abi: strategyAdapterRegistryAbi } as const
  const ids = await client.readContract({ ...registry, functionName: 'listStrategyIds' }).catch(unlessAway([]))
  return Promise.all(
    ids.map(async (id) => ({ id, ...(await client.readContract({ ...registry, functionName: 'strategies', args: [id] }).then(asRecord)) })),
  )
}

const asRecord = ([, adapter, , , active]: readonly [Hex, Address, Address, string, boolean]) => ({ adapter, active })

const LINKS = parseAbi(['function policy() view returns (address)', 'function asset() view returns (address)'])
const NAMES = Object.keys(STRATEGIES) as (keyof typeof STRATEGIES)[]

/** Name of a yield source that this source knows, else its id. */
export const strategyName = (id: Hex): string => NAMES.find((name) => STRATEGIES[name].id === id) ?? id

/** Code, links and state of one yield source. */
async function strategyProblems({ client, chain }: Subject, { id, adapter, active }: Registered): Problems {
  const { policy, registry } = chain.contracts
  const known = NAMES.find((name) => STRATEGIES[name].id === id)
  const name = `strategy.${strategyName(id)}`
  const read = reader(client, name, adapter, LINKS)
  const isRight = known === undefined || (await runs(client, adapter, STRATEGIES[known].contract))
  const off = ownerCalls('registry', registry.address, strategyAdapterRegistryAbi, 'setStrategyActive', id, false)
  return [
    ...(isRight ? [] : problem(`${name}.code`, known && STRATEGIES[known].contract, 'other code', off)),
    ...compare(
      `${name}.active`,
      true,
      active,
      ownerCalls('registry', registry.address, strategyAdapterRegistryAbi, 'setStrategyActive', id, true),
    ),
    ...(await read('policy', policy.address, off)),
    ...(await read('asset', chain.asset.address, off)),
  ]
}

/** The planned yield sources, and no other one. */
export async function strategyLines(subject: Subject): Problems {
  const { chain, config } = subject
  const registered = await strategiesOf(subject)
  const { policy, registry } = chain.contracts
  const planned = config ? (config.savings?.strategies ?? []).map((name) => STRATEGIES[name].id) : registered.map(({ id }) => id)
  const more = registered.filter(({ id }) => !planned.some((one) => one === id))
  const [extra] = more
  const remedy = extra
    ? ownerCalls('policy', policy.address, treasuryPolicyAbi, 'setApprovedStrategy', extra.adapter, false)
    : `the owner approves the missing yield source by setApprovedStrategy on the policy (${policy.address}) and registers it by registerStrategy on the registry (${registry.address}); ${isForGood('registry', 'contracts.registry')}`
  return [
    ...compare('registry.listStrategyIds', [...planned].sort(), registered.map(({ id }) => id).sort(), remedy),
    ...(await Promise.all(registered.map((one) => strategyProblems(subject, one)))).flat(),
  ]
}
