// Turns logs and revert data into short texts that a test can state.
import { type Abi, type Address, decodeErrorResult, decodeEventLog, type Hex, type Log } from 'viem'
import { agentAccountCoreAbi } from '../../../activities/chain/abi/agent-account-core.ts'
import { creditPoolAbi } from '../../../activities/chain/abi/credit-pool.ts'
import { depositPoolAbi } from '../../../activities/chain/abi/deposit-pool.ts'
import { escrowCoreAbi } from '../../../activities/chain/abi/escrow-core.ts'
import { hydrationUsdcAdapterAbi } from '../../../activities/chain/abi/hydration-usdc-adapter.ts'
import { reputationSbtAbi } from '../../../activities/chain/abi/reputation-sbt.ts'
import { strategyAdapterRegistryAbi } from '../../../activities/chain/abi/strategy-adapter-registry.ts'
import { testUsdcAbi } from '../../../activities/chain/abi/test-usdc.ts'
import { treasuryPolicyAbi } from '../../../activities/chain/abi/treasury-policy.ts'
import { xcmWrapperAbi } from '../../../activities/chain/abi/xcm-wrapper.ts'

export interface Happening {
  /** Event name, with a prefix for every contract but the escrow: AAC, POL, SBT, TOK, REG, POOL, CREDIT, XCM, LANE. */
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

export interface EventSource {
  readonly prefix: string
  readonly abi: Abi
}

const ERRORS: Abi = [
  ...agentAccountCoreAbi,
  ...escrowCoreAbi,
  ...reputationSbtAbi,
  ...strategyAdapterRegistryAbi,
  ...treasuryPolicyAbi,
  ...testUsdcAbi,
  ...depositPoolAbi,
  ...creditPoolAbi,
  ...xcmWrapperAbi,
  ...hydrationUsdcAdapterAbi,
].filter((item) => item.type === 'error')

/** `InvalidState()`, `"NOT_EXPIRED"` or `Panic(0x32)`. */
export function errorText(data: Hex): string {
  if (data === '0x') return 'empty revert'
  const { errorName, args = [] } = decodeErrorResult({ abi: ERRORS, data })
  if (errorName === 'Error') return JSON.stringify(args[0])
  if (errorName === 'Panic') return `Panic(0x${Number(args[0]).toString(16)})`
  return `${errorName}(${args.join(',')})`
}

export function happenings(logs: readonly Log[], sources: ReadonlyMap<Address, EventSource>): Happening[] {
  return logs.map((log) => {
    const source = sources.get(log.address.toLowerCase() as Address)
    if (!source) throw new Error(`a log from an unknown address: ${log.address}`)
    const { eventName, args } = decodeEventLog({ abi: source.abi, topics: log.topics, data: log.data })
    const name = eventName ?? 'unknown'
    return { name: source.prefix === '' ? name : `${source.prefix}.${name}`, args: args as unknown as Happening['args'] }
  })
}
