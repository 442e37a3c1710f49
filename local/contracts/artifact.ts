// What the compiler leaves behind for one contract, and the list of contracts of the local chain.
import { readFile } from 'node:fs/promises'
import type { Abi, Hex } from 'viem'

export type ContractName = 'TreasuryPolicy' | 'StrategyAdapterRegistry' | 'AgentAccountCore' | 'ReputationSBT' | 'EscrowCore' | 'TestUSDC'

export interface ContractArtifact {
  readonly contractName: ContractName
  readonly abi: Abi
  readonly bytecode: Hex
  readonly deployedBytecode: Hex
  readonly sourceHash: string
}

/** How one contract is compiled and under which names its interface is published. */
export interface ContractSpec {
  readonly name: ContractName
  /** Low: small code. High: cheap calls. */
  readonly optimizerRuns: number
  readonly abiFile: string
  readonly abiExport: string
}

/** Biggest first, so that parallel compilation ends early. */
export const CONTRACTS: readonly ContractSpec[] = [
  { name: 'EscrowCore', optimizerRuns: 1, abiFile: 'escrow-core', abiExport: 'escrowCoreAbi' },
  { name: 'AgentAccountCore', optimizerRuns: 200, abiFile: 'agent-account-core', abiExport: 'agentAccountCoreAbi' },
  { name: 'TreasuryPolicy', optimizerRuns: 200, abiFile: 'treasury-policy', abiExport: 'treasuryPolicyAbi' },
  { name: 'TestUSDC', optimizerRuns: 200, abiFile: 'test-usdc', abiExport: 'testUsdcAbi' },
  { name: 'ReputationSBT', optimizerRuns: 200, abiFile: 'reputation-sbt', abiExport: 'reputationSbtAbi' },
  {
    name: 'StrategyAdapterRegistry',
    optimizerRuns: 200,
    abiFile: 'strategy-adapter-registry',
    abiExport: 'strategyAdapterRegistryAbi',
  },
]

export const artifactUrl = (name: ContractName): URL => new URL(`./artifacts/${name}.json`, import.meta.url)

export const abiUrl = (spec: ContractSpec): URL => new URL(`../../activities/chain/abi/${spec.abiFile}.ts`, import.meta.url)

export async function loadArtifact(name: ContractName): Promise<ContractArtifact> {
  return JSON.parse(await readFile(artifactUrl(name), 'utf8'))
}
