// Compares the code that the chain has with what this source compiles to, and the blocks of creation with those of the file.
import { type Address, type Hex, keccak256, type PublicClient } from 'viem'
import type { ContractArtifact, ContractName } from '../artifact.ts'
import { artifactOf } from '../deployment/resolve.ts'
import { type Contracts, correctFile, type DeploymentProblem, type Problems, problem, type Subject, unlessAway } from './read.ts'

interface Part {
  readonly contract: ContractName
  readonly address: Address
  /** Its member in the chain file. */
  readonly member: string
  readonly deployBlock?: number | undefined
}

/** Contracts of a chain file by the names that lines have, with the source of each. */
const partsOf = ({ policy, registry, agentAccount, reputation, escrow, depositPool, creditPool, xcm }: Contracts) => {
  const at = (
    contract: ContractName,
    member: string,
    { address, deployBlock }: { address: Address; deployBlock?: number | undefined },
  ): Part => ({
    contract,
    address,
    member: `contracts.${member}`,
    deployBlock,
  })
  const live = escrow.generations.findIndex(({ mode }) => mode === 'live')
  const generation = escrow.generations[live]
  return {
    policy: at('TreasuryPolicy', 'policy', policy),
    registry: at('StrategyAdapterRegistry', 'registry', registry),
    agentAccount: at('AgentAccountCore', 'agentAccount', agentAccount),
    reputation: at('ReputationSBT', 'reputation', reputation),
    ...(generation ? { escrow: at('EscrowCore', `escrow.generations.${live}`, generation) } : {}),
    ...(depositPool ? { depositPool: at('DepositPoolV2', 'depositPool', depositPool) } : {}),
    ...(creditPool ? { creditPool: at('CreditPool', 'creditPool', creditPool) } : {}),
    ...(xcm ? { wrapper: at('XcmWrapperV22', 'xcm.wrapper', xcm.wrapper) } : {}),
    ...(xcm ? { adapter: at('HydrationUsdcAdapterV22', 'xcm.adapter', xcm.adapter) } : {}),
  }
}

/** Code without what the constructor filled in. */
const masked = (code: Hex, { immutables }: ContractArtifact): string => {
  let text = code.slice(2)
  for (const { start, length } of immutables) text = text.slice(0, start * 2) + '0'.repeat(length * 2) + text.slice((start + length) * 2)
  return `0x${text}`
}

/** Whether a contract runs what this source compiles to, whatever its constructor was given. */
export async function runs(client: PublicClient, address: Address, contract: ContractName): Promise<boolean> {
  const [code, artifact] = await Promise.all([client.getCode({ address }), artifactOf(contract)])
  return code !== undefined && masked(code, artifact) === artifact.deployedBytecode
}

/** Name of the contract of this source that an address runs. */
async function nameOfCode(client: PublicClient, address: Address, candidates: readonly ContractName[]): Promise<string> {
  for (const candidate of candidates) if (await runs(client, address, candidate)) return candidate
  return 'other code'
}

async function checkCode({ client, chain }: Subject, name: string, { contract, address, member }: Part): Problems {
  const code = await client.getCode({ address })
  if (code === undefined) return problem(`${name}.code`, contract, 'none', correctFile(`${member}.address`))
  if (!(await runs(client, address, contract))) {
    const candidates = Object.values(partsOf(chain.contracts)).map((part) => part.contract)
    const found = await nameOfCode(client, address, candidates)
    return problem(`${name}.code`, contract, found, correctFile(`${member}.address`))
  }
  const recorded = chain.deployment?.code[name]
  if (recorded === undefined || recorded.runtimeCodeHash === keccak256(code)) return []
  const remedy = `correct deployment.code.${name} in the chain file, or the address: the chain has other code than the file says`
  return problem(`${name}.codeHash`, recorded.runtimeCodeHash, keccak256(code), remedy)
}

/** Whether a transaction of a block created a contract; by the states around the block where another contract created it. */
async function wasCreatedIn(client: PublicClient, address: Address, block: number): Promise<boolean> {
  const { transactions } = await client.getBlock({ blockNumber: BigInt(block), includeTransactions: true })
  const creations = transactions.filter(({ to }) => to === null)
  const receipts = await Promise.all(creations.map(({ hash }) => client.getTransactionReceipt({ hash })))
  if (receipts.some(({ contractAddress }) => contractAddress?.toLowerCase() === address.toLowerCase())) return true
  const codeAt = (blockNumber: number) => client.getCode({ address, blockNumber: BigInt(blockNumber) })
  return (await codeAt(block)) !== undefined && block > 0 && (await codeAt(block - 1)) === undefined
}

/** A block that is too late hides events, one that is too early costs reads. */
async function checkDeployBlock({ client }: Subject, name: string, { address, deployBlock, member }: Part): Problems {
  if (deployBlock === undefined) return []
  const found = await wasCreatedIn(client, address, deployBlock).then(
    (isRight) => (isRight ? null : String(deployBlock)),
    unlessAway(`${deployBlock}, which the node cannot read`),
  )
  const remedy = `correct ${member}.deployBlock in the chain file: an explorer shows the block of the creation of ${address}`
  return found === null ? [] : problem(`${name}.deployBlock`, `the block in which ${address} was created`, found, remedy)
}

/** Code and block of creation of every contract. */
export const codeLines = (subject: Subject): Promise<DeploymentProblem[]>[] =>
  Object.entries(partsOf(subject.chain.contracts)).flatMap(([name, part]) => [
    checkCode(subject, name, part),
    checkDeployBlock(subject, name, part),
  ])
