// The check and the roles for a person, or for a machine.
import type { Address, PublicClient } from 'viem'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import type { DeploymentConfig } from '../../schemas/chain/deployment.ts'
import { checkDeployment, subjectOf } from '../check.ts'
import { ROLE_NAMES, ROLES } from './holders.ts'
import type { Subject } from './read.ts'
import { holdersOf, powersOf } from './roles.ts'
import { strategiesOf, strategyName } from './strategies.ts'

interface Report {
  readonly lines: string[]
  readonly well: boolean
}

/** Every red line with its remedy, or that all is well. */
export async function checkLines(
  client: PublicClient,
  chain: ChainFile,
  config: DeploymentConfig | undefined,
  json: boolean,
): Promise<Report> {
  const problems = await checkDeployment(client, chain, config)
  const well = problems.length === 0
  if (json) return { lines: [JSON.stringify({ well, problems })], well }
  const known = config ?? chain.deployment?.config
  const bounds = known ? [] : ['without a config: who should hold a role, parameters and balances were not compared; name it by --config']
  const red = problems.map(({ name, expected, found, remedy }) => `✗ ${name}: expected ${expected}, found ${found}\n    → ${remedy}`)
  return { lines: [...red, well ? `✓ the deployment on chain ${chain.chainId} is as it should be` : `${red.length} red`, ...bounds], well }
}

/** Names of addresses that the service knows. */
const namesOf = async (subject: Subject): Promise<Map<string, string>> => {
  const { chain, config } = subject
  const { policy, registry, agentAccount, reputation, escrow, depositPool, creditPool, xcm } = chain.contracts
  const named: [string | undefined, string][] = [
    [chain.deployment?.deployer, 'deployer'],
    [chain.deployment?.handover, 'handover'],
    [config?.owner, 'owner'],
    [config?.pauser, 'pauser'],
    ...Object.entries(config?.roles ?? {}).map(([role, address]): [string | undefined, string] => [address, role]),
    [config?.crossChain?.dispatcher, 'dispatcher'],
    ...Object.entries({ policy, registry, agentAccount, reputation }).map(([name, { address }]): [string, string] => [address, name]),
    ...escrow.generations.map(({ address, version, mode }): [string, string] => [address, `escrow v${version} (${mode})`]),
    [depositPool?.address, 'depositPool'],
    [creditPool?.address, 'creditPool'],
    [xcm?.wrapper.address, 'wrapper'],
    [xcm?.adapter.address, 'adapter'],
    [chain.asset.address, chain.asset.symbol],
    ...(await strategiesOf(subject)).map(({ id, adapter }): [string, string] => [adapter, `yield source ${strategyName(id)}`]),
  ]
  const names = new Map<string, string>()
  for (const [address, name] of named) {
    if (address === undefined) continue
    const key = address.toLowerCase()
    names.set(key, names.has(key) ? `${names.get(key)}, ${name}` : name)
  }
  return names
}

/** Who holds what on which contract, from events and reads. */
export async function roleTable(
  client: PublicClient,
  chain: ChainFile,
  config: DeploymentConfig | undefined,
  json: boolean,
): Promise<Report> {
  const subject = subjectOf(client, chain, config)
  if (!subject) return { lines: ['the chain file names no live escrow'], well: false }
  const holders = await holdersOf(subject)
  const names = await namesOf(subject)
  const singles = new Map<string, string[]>()
  const candidates = [...new Set([...names.keys(), ...Object.values(holders).flat()])] as Address[]
  for (const address of candidates)
    for (const power of await powersOf(subject, holders, address))
      if (power.kind !== 'role') singles.set(power.text, [...(singles.get(power.text) ?? []), address])
  const rows = [
    ...[...singles].map(([role, held]) => ({ role, holders: held })),
    ...ROLE_NAMES.map((role) => ({ role: `${ROLES[role].contract}.${role}`, holders: holders[role] })),
  ].map((row) => ({ role: row.role, holders: row.holders.map((address) => ({ address, name: names.get(address.toLowerCase()) ?? null })) }))
  if (json) return { lines: [JSON.stringify(rows)], well: true }
  const lines = rows.flatMap(({ role, holders: held }) => [
    role,
    ...(held.length === 0 ? ['  none'] : held.map(({ address, name }) => `  ${address}  ${name ?? 'unknown'}`)),
  ])
  return { lines, well: true }
}
