// Who holds which role: candidates from the events since the deployment, and what the contract says of each now.
import { type Abi, type Address, decodeEventLog, type Log, type PublicClient } from 'viem'
import { agentAccountCoreAbi } from '../../activities/chain/abi/agent-account-core.ts'
import { treasuryPolicyAbi } from '../../activities/chain/abi/treasury-policy.ts'
import { POLICY_ROLES, type PolicyRole } from '../../schemas/chain/deployment.ts'
import { type DeployedChain, readText } from './read.ts'

/** Roles that any number of addresses may hold: their event, the call that grants and takes them, their contract. */
export const ROLES = {
  settlementBroker: { event: 'SettlementBrokerUpdated', set: 'setSettlementBroker', contract: 'policy' },
  agentTransferBroker: { event: 'AgentTransferBrokerUpdated', set: 'setAgentTransferBroker', contract: 'policy' },
  strategySettler: { event: 'StrategySettlerUpdated', set: 'setStrategySettler', contract: 'policy' },
  reputationWriter: { event: 'ReputationWriterUpdated', set: 'setReputationWriter', contract: 'policy' },
  outflowRecorder: { event: 'OutflowRecorderUpdated', set: 'setOutflowRecorder', contract: 'policy' },
  trustedSchemaIssuers: { event: 'TrustedSchemaIssuerSet', set: 'setTrustedSchemaIssuer', contract: 'policy' },
  verifiers: { event: 'VerifierUpdated', set: 'setVerifier', contract: 'policy' },
  arbitrators: { event: 'ArbitratorUpdated', set: 'setArbitrator', contract: 'policy' },
  approvedAssets: { event: 'AssetApprovalUpdated', set: 'setApprovedAsset', contract: 'policy' },
  approvedStrategies: { event: 'StrategyApprovalUpdated', set: 'setApprovedStrategy', contract: 'policy' },
  escrowOperators: { event: 'EscrowOperatorUpdated', set: 'setEscrowOperator', contract: 'agentAccount' },
} as const satisfies Record<string, { event: string; set: string; contract: 'policy' | 'agentAccount' }>
export type Role = keyof typeof ROLES
export const ROLE_NAMES = Object.keys(ROLES) as Role[]
export const isPolicyRole = (role: Role): role is PolicyRole => (POLICY_ROLES as readonly string[]).includes(role)

/** Holders of each role now. */
export type Holders = Readonly<Record<Role, readonly Address[]>>

/** Blocks of the smallest range that is halved. */
const LEAST_RANGE = 100n

/** Logs of some contracts in a range. A node that refuses a range is asked for its halves. */
async function logsOf(client: PublicClient, address: Address[], fromBlock: bigint, toBlock: bigint): Promise<Log[]> {
  try {
    return await client.getLogs({ address, fromBlock, toBlock })
  } catch (error) {
    if (toBlock - fromBlock < LEAST_RANGE) throw error
    const middle = (fromBlock + toBlock) / 2n
    return [...(await logsOf(client, address, fromBlock, middle)), ...(await logsOf(client, address, middle + 1n, toBlock))]
  }
}

const abiOf = (contract: 'policy' | 'agentAccount'): Abi => (contract === 'policy' ? treasuryPolicyAbi : agentAccountCoreAbi)

/** The event of a log, or null for one that no interface has. */
const eventOf = (abi: Abi, { topics, data }: Log): { eventName: string | undefined; args: unknown } | null => {
  try {
    return decodeEventLog({ abi, topics, data })
  } catch {
    return null
  }
}

/** Addresses that events name for each role. */
async function namedInEvents(client: PublicClient, { contracts }: DeployedChain): Promise<Map<Role, Set<Address>>> {
  const named = new Map<Role, Set<Address>>(ROLE_NAMES.map((role) => [role, new Set()]))
  const { policy, agentAccount } = contracts
  // The account contract is created after the policy, so the policy's block serves both.
  const logs = await logsOf(client, [policy.address, agentAccount.address], BigInt(policy.deployBlock ?? 0), await client.getBlockNumber())
  for (const log of logs) {
    const contract = log.address.toLowerCase() === policy.address.toLowerCase() ? 'policy' : 'agentAccount'
    const event = eventOf(abiOf(contract), log)
    const role = ROLE_NAMES.find((name) => ROLES[name].contract === contract && ROLES[name].event === event?.eventName)
    const [subject] = Object.values((event?.args ?? {}) as Record<string, unknown>)
    if (role && typeof subject === 'string') named.get(role)?.add(subject.toLowerCase() as Address)
  }
  return named
}

/** Whether an address holds a role now. */
const holds = async (client: PublicClient, { contracts }: DeployedChain, role: Role, address: Address): Promise<boolean> => {
  const { contract } = ROLES[role]
  return (await readText(client, contracts[contract].address, abiOf(contract), role, [address])) === 'true'
}

/** Everyone who holds a role: those that events name, and some further candidates. */
export async function readHolders(client: PublicClient, chain: DeployedChain, candidates: readonly Address[]): Promise<Holders> {
  const named = await namedInEvents(client, chain)
  const entries = ROLE_NAMES.map(async (role) => {
    const all = [...new Set([...(named.get(role) ?? []), ...candidates.map((address) => address.toLowerCase() as Address)])]
    const answers = await Promise.all(all.map((address) => holds(client, chain, role, address)))
    return [role, all.filter((_, index) => answers[index])] as const
  })
  return Object.fromEntries(await Promise.all(entries)) as unknown as Holders
}
