// What the compiler leaves behind for one contract, and the list of contracts of the local chain.
import { readFile } from 'node:fs/promises'
import type { Abi, Hex } from 'viem'

/**
 * How each contract is compiled, biggest first, so that parallel compilation ends early. Low `optimizerRuns` make small code, high ones cheap calls.
 * `abi` names the published interface; it is undefined for contracts that only tests or other contracts call. `file` names a source with another path.
 * An interface has no code.
 */
export const CONTRACTS = [
  { name: 'EscrowCore', optimizerRuns: 1, abi: { file: 'escrow-core', exportName: 'escrowCoreAbi' } },
  { name: 'AgentAccountCore', optimizerRuns: 200, abi: { file: 'agent-account-core', exportName: 'agentAccountCoreAbi' } },
  {
    name: 'DepositPoolV2',
    file: 'pool/DepositPoolV2',
    optimizerRuns: 200,
    abi: { file: 'deposit-pool', exportName: 'depositPoolAbi' },
  },
  { name: 'CreditPool', file: 'pool/CreditPool', optimizerRuns: 200, abi: { file: 'credit-pool', exportName: 'creditPoolAbi' } },
  { name: 'TreasuryPolicy', optimizerRuns: 200, abi: { file: 'treasury-policy', exportName: 'treasuryPolicyAbi' } },
  { name: 'TestUSDC', optimizerRuns: 200, abi: { file: 'test-usdc', exportName: 'testUsdcAbi' } },
  { name: 'ReputationSBT', optimizerRuns: 200, abi: { file: 'reputation-sbt', exportName: 'reputationSbtAbi' } },
  {
    name: 'StrategyAdapterRegistry',
    optimizerRuns: 200,
    abi: { file: 'strategy-adapter-registry', exportName: 'strategyAdapterRegistryAbi' },
  },
  {
    name: 'IAsyncStrategyAdapter',
    file: 'lib/StrategyInterfaces',
    optimizerRuns: 200,
    abi: { file: 'async-strategy-adapter', exportName: 'asyncStrategyAdapterAbi' },
  },
  {
    name: 'IStrategyAdapter',
    file: 'lib/StrategyInterfaces',
    optimizerRuns: 200,
    abi: { file: 'strategy-adapter', exportName: 'strategyAdapterAbi' },
  },
  {
    name: 'IDepositPoolVenueAdapter',
    file: 'lib/PoolInterfaces',
    optimizerRuns: 200,
    abi: undefined,
  },
  { name: 'PoolStrategyAdapter', file: 'pool/PoolStrategyAdapter', optimizerRuns: 200, abi: undefined },
  {
    name: 'XcmWrapperV22',
    file: 'cross-chain/XcmWrapperV22',
    optimizerRuns: 200,
    abi: { file: 'xcm-wrapper', exportName: 'xcmWrapperAbi' },
  },
  {
    name: 'HydrationUsdcAdapterV22',
    file: 'cross-chain/HydrationUsdcAdapterV22',
    optimizerRuns: 200,
    abi: { file: 'hydration-usdc-adapter', exportName: 'hydrationUsdcAdapterAbi' },
  },
  {
    name: 'IXcm',
    file: 'lib/CrossChainInterfaces',
    optimizerRuns: 200,
    abi: undefined,
  },
  { name: 'MockXcmPrecompile', file: 'mocks/MockXcmPrecompile', optimizerRuns: 200, abi: undefined },
  { name: 'MockRemoteToken', file: 'mocks/MockRemoteToken', optimizerRuns: 200, abi: undefined },
  { name: 'MockVDotAdapter', file: 'mocks/MockVDotAdapter', optimizerRuns: 200, abi: undefined },
  { name: 'MockAsyncAdapter', file: 'mocks/MockAsyncAdapter', optimizerRuns: 200, abi: undefined },
  { name: 'MockWalletFactory', file: 'mocks/MockWalletFactory', optimizerRuns: 200, abi: undefined },
  { name: 'MockVenueAdapter', file: 'mocks/MockVenueAdapter', optimizerRuns: 200, abi: undefined },
  { name: 'MockPoolToken', file: 'mocks/MockPoolToken', optimizerRuns: 200, abi: undefined },
] as const
export type ContractSpec = (typeof CONTRACTS)[number]
export type ContractName = ContractSpec['name']

/** Path of a contract's source, relative to this folder. */
export const sourcePath = (spec: ContractSpec): string => `${'file' in spec ? spec.file : spec.name}.sol`

export interface ContractArtifact {
  readonly contractName: ContractName
  readonly abi: Abi
  readonly bytecode: Hex
  readonly deployedBytecode: Hex
  readonly sourceHash: string
}

export const artifactUrl = (name: ContractName): URL => new URL(`./artifacts/${name}.json`, import.meta.url)

export const abiUrl = (file: string): URL => new URL(`../activities/chain/abi/${file}.ts`, import.meta.url)

export async function loadArtifact(name: ContractName): Promise<ContractArtifact> {
  return JSON.parse(await readFile(artifactUrl(name), 'utf8'))
}
