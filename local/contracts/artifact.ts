// What the compiler leaves behind for one contract, and the list of contracts of the local chain.
import { readFile } from 'node:fs/promises'
import type { Abi, Hex } from 'viem'

export type ContractName =
  | 'TreasuryPolicy'
  | 'StrategyAdapterRegistry'
  | 'AgentAccountCore'
  | 'ReputationSBT'
  | 'EscrowCore'
  | 'TestUSDC'
  | 'MockVDotAdapter'
  | 'MockAsyncAdapter'

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
  /** Absent for contracts that only tests use. */
  readonly abi?: { readonly file: string; readonly exportName: string }
}

/** Biggest first, so that parallel compilation ends early. */
export const CONTRACTS: readonly ContractSpec[] = [
  { name: 'EscrowCore', optimizerRuns: 1, abi: { file: 'escrow-core', exportName: 'escrowCoreAbi' } },
  { name: 'AgentAccountCore', optimizerRuns: 200, abi: { file: 'agent-account-core', exportName: 'agentAccountCoreAbi' } },
  { name: 'TreasuryPolicy', optimizerRuns: 200, abi: { file: 'treasury-policy', exportName: 'treasuryPolicyAbi' } },
  { name: 'TestUSDC', optimizerRuns: 200, abi: { file: 'test-usdc', exportName: 'testUsdcAbi' } },
  { name: 'ReputationSBT', optimizerRuns: 200, abi: { file: 'reputation-sbt', exportName: 'reputationSbtAbi' } },
  {
    name: 'StrategyAdapterRegistry',
    optimizerRuns: 200,
    abi: { file: 'strategy-adapter-registry', exportName: 'strategyAdapterRegistryAbi' },
  },
  { name: 'MockVDotAdapter', optimizerRuns: 200 },
  { name: 'MockAsyncAdapter', optimizerRuns: 200 },
]

export const artifactUrl = (name: ContractName): URL => new URL(`./artifacts/${name}.json`, import.meta.url)

export const abiUrl = (file: string): URL => new URL(`../../activities/chain/abi/${file}.ts`, import.meta.url)

export async function loadArtifact(name: ContractName): Promise<ContractArtifact> {
  return JSON.parse(await readFile(artifactUrl(name), 'utf8'))
}
