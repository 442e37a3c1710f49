// What the compiler leaves behind for one contract, and the list of contracts of the local chain.
import { readFile } from 'node:fs/promises'
import type { Abi, Hex } from 'viem'

/**
 * How each contract is compiled, biggest first, so that parallel compilation ends early. Low `optimizerRuns` make small code, high ones cheap calls.
 * `abi` names the published interface; it is undefined for contracts that only tests use.
 */
export const CONTRACTS = [
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
  { name: 'MockVDotAdapter', folder: 'mocks/', optimizerRuns: 200, abi: undefined },
  { name: 'MockAsyncAdapter', folder: 'mocks/', optimizerRuns: 200, abi: undefined },
  { name: 'MockWalletFactory', folder: 'mocks/', optimizerRuns: 200, abi: undefined },
] as const
export type ContractSpec = (typeof CONTRACTS)[number]
export type ContractName = ContractSpec['name']

/** Path of a contract's source, relative to this folder. */
export const sourcePath = (spec: ContractSpec): string => `${'folder' in spec ? spec.folder : ''}${spec.name}.sol`

export interface ContractArtifact {
  readonly contractName: ContractName
  readonly abi: Abi
  readonly bytecode: Hex
  readonly deployedBytecode: Hex
  readonly sourceHash: string
}

export const artifactUrl = (name: ContractName): URL => new URL(`./artifacts/${name}.json`, import.meta.url)

export const abiUrl = (file: string): URL => new URL(`../../activities/chain/abi/${file}.ts`, import.meta.url)

export async function loadArtifact(name: ContractName): Promise<ContractArtifact> {
  return JSON.parse(await readFile(artifactUrl(name), 'utf8'))
}
