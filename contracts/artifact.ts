// What the compiler leaves behind for one contract, and the list of contracts of the local chain.
import { readFile } from 'node:fs/promises'
import type { Abi, Hex } from 'viem'

/**
 * How each contract is compiled, biggest first, so that parallel compilation ends early. Low `optimizerRuns` make small code, high ones cheap calls;
 * 200 is usual. `abi` names the file of the published interface; contracts that only tests or other contracts call have none. `file` names a
 * source with another path. An interface has no code.
 */
export const CONTRACTS = [
  { name: 'EscrowCore', abi: 'escrow-core', optimizerRuns: 1 },
  { name: 'AgentAccountCore', abi: 'agent-account-core' },
  { name: 'DepositPoolV2', file: 'pool/DepositPoolV2', abi: 'deposit-pool' },
  { name: 'CreditPool', file: 'pool/CreditPool', abi: 'credit-pool' },
  { name: 'TreasuryPolicy', abi: 'treasury-policy' },
  { name: 'TestUSDC', abi: 'test-usdc' },
  { name: 'OwnershipHandover', file: 'policy/OwnershipHandover', abi: 'ownership-handover' },
  { name: 'ReputationSBT', abi: 'reputation-sbt' },
  { name: 'StrategyAdapterRegistry', abi: 'strategy-adapter-registry' },
  { name: 'IAsyncStrategyAdapter', file: 'lib/StrategyInterfaces', abi: 'async-strategy-adapter' },
  { name: 'IStrategyAdapter', file: 'lib/StrategyInterfaces', abi: 'strategy-adapter' },
  { name: 'IDepositPoolVenueAdapter', file: 'lib/PoolInterfaces' },
  { name: 'PoolStrategyAdapter', file: 'pool/PoolStrategyAdapter' },
  { name: 'XcmWrapperV22', file: 'cross-chain/XcmWrapperV22', abi: 'xcm-wrapper' },
  { name: 'HydrationUsdcAdapterV22', file: 'cross-chain/HydrationUsdcAdapterV22', abi: 'hydration-usdc-adapter' },
  { name: 'IXcm', file: 'lib/CrossChainInterfaces' },
  { name: 'MockXcmPrecompile', file: 'mocks/MockXcmPrecompile' },
  { name: 'SystemPrecompile', file: 'mocks/SystemPrecompile', abi: 'system-precompile' },
  { name: 'MockRemoteToken', file: 'mocks/MockRemoteToken' },
  { name: 'MockVDotAdapter', file: 'mocks/MockVDotAdapter' },
  { name: 'MockAsyncAdapter', file: 'mocks/MockAsyncAdapter' },
  { name: 'MockWalletFactory', file: 'mocks/MockWalletFactory' },
  { name: 'MockVenueAdapter', file: 'mocks/MockVenueAdapter' },
  { name: 'MockPoolToken', file: 'mocks/MockPoolToken' },
] as const satisfies readonly { name: string; file?: string; abi?: string; optimizerRuns?: number }[]
export type ContractName = (typeof CONTRACTS)[number]['name']
export type ContractSpec = { name: ContractName; file?: string; abi?: string; optimizerRuns?: number }

/** Path of a contract's source, relative to this folder. */
export const sourcePath = ({ name, file = name }: ContractSpec): string => `${file}.sol`

export interface ContractArtifact {
  readonly contractName: ContractName
  readonly abi: Abi
  readonly bytecode: Hex
  readonly deployedBytecode: Hex
  /** Places in the deployed code that the constructor fills in, in bytes; zero in `deployedBytecode`. */
  readonly immutables: readonly { readonly start: number; readonly length: number }[]
  readonly sourceHash: string
}

export const artifactUrl = (name: ContractName): URL => new URL(`./artifacts/${name}.json`, import.meta.url)

export const abiUrl = (file: string): URL => new URL(`../activities/chain/abi/${file}.ts`, import.meta.url)

export async function loadArtifact(name: ContractName): Promise<ContractArtifact> {
  return JSON.parse(await readFile(artifactUrl(name), 'utf8'))
}
