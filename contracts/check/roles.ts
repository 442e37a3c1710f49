// Compares who holds each role with who should, and names what one address can do.
import { type Abi, type Address, encodeFunctionData, zeroAddress } from 'viem'
import { agentAccountCoreAbi } from '../../activities/chain/abi/agent-account-core.ts'
import { creditPoolAbi } from '../../activities/chain/abi/credit-pool.ts'
import { depositPoolAbi } from '../../activities/chain/abi/deposit-pool.ts'
import { ownershipHandoverAbi } from '../../activities/chain/abi/ownership-handover.ts'
import { treasuryPolicyAbi } from '../../activities/chain/abi/treasury-policy.ts'
import { xcmWrapperAbi } from '../../activities/chain/abi/xcm-wrapper.ts'
import type { DeploymentConfig } from '../../schemas/chain/deployment.ts'
import { sameAddress } from '../deployment/config.ts'
import { runs } from './code.ts'
import { type Holders, isPolicyRole, ROLE_NAMES, ROLES, type Role, readHolders } from './holders.ts'
import { compare, correctFile, type DeploymentProblem, ownerCalls, type Problems, problem, readText, type Subject } from './read.ts'
import { strategiesOf } from './strategies.ts'

/** Handover that owns the policy, and who is to accept; null where another address owns it. */
export async function readHandover({ client, chain }: Subject): Promise<{ handover: Address; newOwner: string } | null> {
  const owner = (await readText(client, chain.contracts.policy.address, treasuryPolicyAbi, 'owner')) as Address
  if (!owner.startsWith('0x') || !(await runs(client, owner, 'OwnershipHandover'))) return null
  const newOwner = await readText(client, owner, ownershipHandoverAbi, 'newOwner')
  return { handover: owner, newOwner }
}

/** What the new owner does with a handover. */
export const acceptance = (newOwner: string, handover: Address): string =>
  `${newOwner} calls accept() on the handover: to ${handover}, data ${encodeFunctionData({ abi: ownershipHandoverAbi, functionName: 'accept' })}`

const escrowsOf = ({ chain }: Subject): Address[] =>
  chain.contracts.escrow.generations.filter(({ mode }) => mode !== 'legacy').map(({ address }) => address)

/** Who should hold a role; null for a role of which a foreign deployment decides without a config. */
function rightHolders(subject: Subject, role: Exclude<Role, 'approvedStrategies'>): readonly Address[] | null {
  const { chain, config } = subject
  const { agentAccount, xcm } = chain.contracts
  const more = config && isPolicyRole(role) ? (config.alsoAllowed[role] ?? []) : []
  switch (role) {
    case 'escrowOperators':
    case 'reputationWriter':
      return [...escrowsOf(subject), ...more]
    case 'outflowRecorder':
      return [agentAccount.address, ...more]
    case 'approvedAssets':
      return [chain.asset.address]
    case 'settlementBroker':
      return config ? [...escrowsOf(subject), config.roles.operator, ...more] : null
    case 'strategySettler':
      return config ? [...settlersOf(config, agentAccount.address, xcm !== undefined), ...more] : null
    case 'verifiers':
      return config ? [config.roles.verifier, ...more] : null
    case 'arbitrators':
      return config ? [config.roles.arbitrator, ...more] : null
    case 'agentTransferBroker':
    case 'trustedSchemaIssuers':
      return config ? more : null
  }
}

const settlersOf = ({ roles, savings }: DeploymentConfig, accounts: Address, crossChain: boolean): Address[] => [
  ...(savings && savings.strategies.length > 0 ? [accounts] : []),
  ...(crossChain ? [roles.operator] : []),
]

const abiOf = (role: Role): Abi => (ROLES[role].contract === 'policy' ? treasuryPolicyAbi : agentAccountCoreAbi)

/** Required holders that lack a role, and holders that should not have it. */
function roleProblems(
  subject: Subject,
  role: Role,
  { holders, strategies }: { holders: readonly Address[]; strategies: readonly Address[] },
): DeploymentProblem[] {
  const right = role === 'approvedStrategies' ? strategies : rightHolders(subject, role)
  const { contract, set } = ROLES[role]
  const name = `${contract}.${role}`
  const { address } = subject.chain.contracts[contract]
  const call = (holder: Address, granted: boolean): string => ownerCalls(contract, address, abiOf(role), set, holder, granted)
  if (right === null) {
    const mustHave = role === 'verifiers' || role === 'arbitrators' || role === 'settlementBroker'
    return mustHave && holders.length === 0 ? problem(name, 'a holder', 'none', `the owner grants it by ${set}`) : []
  }
  const missing = right.filter((holder) => !holders.some((found) => sameAddress(found, holder)))
  const extra = holders.filter((holder) => !right.some((found) => sameAddress(found, holder)))
  return [
    ...missing.flatMap((holder) => problem(name, `held by ${holder}`, 'not held', call(holder, true))),
    ...extra.flatMap((holder) => problem(`${name}.extra`, 'no further holder', holder, call(holder, false))),
  ]
}

async function ownerProblems(subject: Subject): Problems {
  const { client, chain, config } = subject
  const { policy } = chain.contracts
  const found = await readText(client, policy.address, treasuryPolicyAbi, 'owner')
  const waiting = await readHandover(subject)
  if (waiting) {
    const wrong = config && !sameAddress(waiting.newOwner, config.owner)
    const remedy = wrong
      ? `the deployer calls takeBack() on ${waiting.handover} and deploys again`
      : acceptance(waiting.newOwner, waiting.handover)
    return problem('policy.owner', config?.owner ?? waiting.newOwner, `${waiting.handover} waits for the new owner's acceptance`, remedy)
  }
  const expected = config?.owner ?? found
  if (found === zeroAddress || found === 'unreadable') return problem('policy.owner', 'an owner', found, 'deploy again')
  return compare('policy.owner', expected, found, ownerRemedy(found as Address, expected, policy.address))
}

const ownerRemedy = (found: Address, expected: string, policy: Address): string =>
  `${found} owns the policy (${policy}): it calls transferOwnership(${expected}), or runs the deployment to its end; if ${found} is right, correct owner in the config`

async function pauserProblems({ client, chain, config }: Subject): Problems {
  if (!config) return []
  const { policy } = chain.contracts
  const expected = config.pauser ?? zeroAddress
  const found = await readText(client, policy.address, treasuryPolicyAbi, 'pauser')
  return compare('policy.pauser', expected, found, ownerCalls('policy', policy.address, treasuryPolicyAbi, 'setPauser', expected))
}

/** A role that one address holds. */
type SingleRole = readonly [name: string, at: Address, abi: Abi, read: string]

/** Something that an address can do: alone, with others that hold a role, or as the previous owner during a handover. */
interface Power {
  readonly kind: 'single' | 'role' | 'takeBack'
  readonly text: string
}

/** Everything that an address can do beside what everyone can. */
export async function powersOf(subject: Subject, holders: Holders, address: Address): Promise<Power[]> {
  const { client, chain } = subject
  const { policy, depositPool, creditPool, xcm } = chain.contracts
  const single: readonly SingleRole[] = [
    ['owner of the policy', policy.address, treasuryPolicyAbi, 'owner'],
    ['pauser of the policy', policy.address, treasuryPolicyAbi, 'pauser'],
    ...(xcm ? [['operator of the wrapper', xcm.wrapper.address, xcmWrapperAbi, 'operator'] satisfies SingleRole] : []),
    ...(depositPool ? [['operator of the deposit pool', depositPool.address, depositPoolAbi, 'operator'] satisfies SingleRole] : []),
    ...(creditPool ? [['operator of the credit pool', creditPool.address, creditPoolAbi, 'operator'] satisfies SingleRole] : []),
  ]
  const answers = await Promise.all(single.map(async ([, at, abi, read]) => sameAddress(await readText(client, at, abi, read), address)))
  const waiting = await readHandover(subject)
  const mayTakeBack = waiting && sameAddress(await readText(client, waiting.handover, ownershipHandoverAbi, 'previousOwner'), address)
  return [
    ...single.filter((_, index) => answers[index]).map(([text]): Power => ({ kind: 'single', text })),
    ...ROLE_NAMES.filter((role) => holders[role].some((holder) => sameAddress(holder, address))).map(
      (role): Power => ({ kind: 'role', text: `${ROLES[role].contract}.${role}` }),
    ),
    ...(mayTakeBack ? [{ kind: 'takeBack', text: 'may take the ownership back until the new owner has accepted' } satisfies Power] : []),
  ]
}

/** The deployer of the file is the one that created the policy: another name would hide what the real one can do. */
async function creatorProblems({ client, chain }: Subject): Problems {
  const { policy } = chain.contracts
  if (!chain.deployment || policy.deployBlock === undefined) return []
  const block = BigInt(policy.deployBlock)
  const args = { previousOwner: zeroAddress }
  const event = { address: policy.address, abi: treasuryPolicyAbi, eventName: 'OwnershipTransferred', args } as const
  const [first] = await client.getContractEvents({ ...event, fromBlock: block, toBlock: block })
  if (!first) return []
  return compare('deployer', first.args.newOwner, chain.deployment.deployer, correctFile('deployment.deployer'))
}

/** The deployer keeps nothing, unless it is the owner. */
async function deployerProblems(subject: Subject, holders: Holders): Problems {
  const { chain, config } = subject
  const deployer = chain.deployment?.deployer
  if (deployer === undefined || sameAddress(config?.owner, deployer)) return []
  const powers = (await powersOf(subject, holders, deployer)).filter(({ kind }) => kind !== 'takeBack')
  const remedy = `run the deployment to its end; the owner takes each role of ${deployer} away by its setter`
  return powers.length === 0 ? [] : problem('deployer.roles', 'none', powers.map(({ text }) => text).join(', '), remedy)
}

/** Addresses that a role might name without an event that this file's blocks contain. */
const candidatesOf = ({ chain, config }: Subject): Address[] =>
  [
    chain.deployment?.deployer,
    ...Object.values(config?.roles ?? {}),
    chain.contracts.agentAccount.address,
    chain.asset.address,
    ...chain.contracts.escrow.generations.map(({ address }) => address),
  ].filter((address) => address !== undefined)

/** Holders of every role of a deployment. */
export const holdersOf = (subject: Subject): Promise<Holders> => readHolders(subject.client, subject.chain, candidatesOf(subject))

/** Every line about owners and roles. */
export async function roleLines(subject: Subject): Problems {
  const holders = await holdersOf(subject)
  const strategies = (await strategiesOf(subject)).map(({ adapter }) => adapter)
  const lines = await Promise.all([
    ownerProblems(subject),
    pauserProblems(subject),
    creatorProblems(subject),
    deployerProblems(subject, holders),
  ])
  return [...lines.flat(), ...ROLE_NAMES.flatMap((role) => roleProblems(subject, role, { holders: holders[role], strategies }))]
}
