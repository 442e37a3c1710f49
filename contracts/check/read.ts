// How the check reads a deployment and says what is wrong.
import { type Abi, type Address, encodeFunctionData, type PublicClient } from 'viem'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import type { DeploymentConfig, DeploymentRecord } from '../../schemas/chain/deployment.ts'

/** The members of a chain file that describe a deployment. */
export type DeployedChain = Pick<ChainFile, 'chainId' | 'asset' | 'contracts'> & { readonly deployment?: DeploymentRecord | undefined }
export type Contracts = DeployedChain['contracts']

/** A line that is red. */
export interface DeploymentProblem {
  /** What was read, for instance `policy.verifiers`. */
  readonly name: string
  readonly expected: string
  readonly found: string
  /** What to call, and by whom; or what to correct in which file. */
  readonly remedy: string
}
export type Problems = Promise<DeploymentProblem[]>

/** What a check works with. */
export interface Subject {
  readonly client: PublicClient
  readonly chain: DeployedChain
  /** The escrow of new jobs. */
  readonly escrow: Address
  /** What the deployment was to be made of; undefined for a foreign one without a config. */
  readonly config: DeploymentConfig | undefined
}

export const problem = (name: string, expected: unknown, found: unknown, remedy: string): DeploymentProblem[] => [
  { name, expected: String(expected), found: String(found), remedy },
]

/** The red line when two texts differ, without regard to case. */
export const compare = (name: string, expected: unknown, found: unknown, remedy: string): DeploymentProblem[] =>
  String(expected).toLowerCase() === String(found).toLowerCase() ? [] : problem(name, expected, found, remedy)

/** The remedy for a member of the chain file that the chain contradicts. */
export const correctFile = (member: string): string =>
  `correct ${member} in the chain file by the output of the deployment; with the right value there, another contract stands at this address`

export type Read = (functionName: string, expected: unknown, remedy: string, ...args: readonly unknown[]) => Problems

/** Reads lines of one contract and compares each with what is expected. */
export const reader =
  (client: PublicClient, contract: string, address: Address, abi: Abi): Read =>
  async (functionName, expected, remedy, ...args) =>
    compare(`${contract}.${functionName}`, expected, await readText(client, address, abi, functionName, args), remedy)

const isNodeAway = (error: unknown): boolean =>
  error instanceof Error && (['HttpRequestError', 'TimeoutError'].includes(error.name) || isNodeAway(error.cause))

/** Handles the failure of a read: a value for one that the chain refuses. A node that does not answer stays an error. */
export const unlessAway =
  <T>(value: T) =>
  (error: unknown): T => {
    if (isNodeAway(error)) throw error
    return value
  }

/** The answer of a function as text; `unreadable` when there is none. */
export const readText = (client: PublicClient, address: Address, abi: Abi, functionName: string, args: readonly unknown[] = []) =>
  client.readContract({ address, abi, functionName, args }).then(String, unlessAway('unreadable'))

/** A call that the owner makes, with its data for a multisig, as a remedy. */
export const ownerCalls = (contract: string, address: Address, abi: Abi, functionName: string, ...args: readonly unknown[]): string =>
  `the owner calls ${functionName}(${args.join(', ')}) on the ${contract}: to ${address}, data ${encodeFunctionData({ abi, functionName, args })}`

/** The remedy for a value that a contract keeps for good. */
export const isForGood = (contract: string, member: string): string =>
  `the ${contract} keeps this for good: correct ${member} in the chain file or in the config, or deploy again`
