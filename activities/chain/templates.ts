import {
  type Abi,
  type AbiFunction,
  BaseError,
  type ContractFunctionName,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  getAbiItem,
  type Hex,
  type PublicClient,
  toFunctionSignature,
} from 'viem'
import { contractRefusal } from '../../domain/chain/contract-refusals.ts'
import { faucetCommand } from '../../domain/common/faucet.ts'
import { type Asset, assetAmount } from '../../domain/common/money.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { ChainClients } from './clients.ts'
import type { BlockRef } from './node/answers.ts'
import { convertReadErrors, isUnreachable } from './reachable.ts'
import { findRevertName } from './reverts.ts'
import { type EncodedCall, simulateCalls, type WatchedBalance } from './simulation.ts'

/** A contract call with its decoded arguments. */
export interface ContractCall extends EncodedCall {
  decoded: { function: string; args: Record<string, string> }
}

/** Encodes a call. `notes` are listed after the named arguments, e.g. the unit of an amount. */
export const contractCall = <const abi extends Abi, name extends ContractFunctionName<abi>>(
  to: Hex,
  parameters: EncodeFunctionDataParameters<abi, name>,
  notes: Record<string, string> = {},
): ContractCall => {
  const { abi, functionName, args = [] } = parameters as { abi: Abi; functionName: string; args?: readonly unknown[] }
  const item = getAbiItem({ abi, name: functionName, args }) as AbiFunction
  const named = item.inputs.map((input, index) => [input.name ?? String(index), String(args[index])])
  return {
    to,
    data: encodeFunctionData({ abi: [item], args }),
    decoded: { function: toFunctionSignature(item), args: { ...Object.fromEntries(named), ...notes } },
  }
}

/** Note on an amount argument. */
export const amountUnit = ({ symbol, decimals }: Asset) => ({ amountUnit: `${symbol} raw, ${decimals} decimals` })

type PrerequisiteCode =
  | 'approve_confirmed_on_chain'
  | 'pledge_confirmed_on_chain'
  | 'withdraw_confirmed_on_chain'
  | 'deposit_confirmed_on_chain'
  | 'timeout_confirmed_on_chain'

/** Transactions to build, the balances that they may change, and the route that shows the caller why one would fail. */
export interface TemplatePlan {
  steps: readonly TemplateStep[]
  watched: readonly WatchedBalance[]
  statusPath?: string
}

/** One future transaction, in order of execution. With a prerequisite its gas cannot be estimated yet. */
export interface TemplateStep {
  step: string
  call: ContractCall
  prerequisite?: { code: PrerequisiteCode; reason: string } | undefined
}

const REVERT_PROBE_GAS = 3_000_000n

/** Block of the state, and the route that shows why a transaction would fail on it. */
interface BuiltAt {
  block: BlockRef
  statusPath: string
}

/** Error for a step that would revert: 400 with reason `GasEstimateUnavailable`, the decoded error and its remedy. */
const revertRefusal = ({ step, call }: TemplateStep, at: BuiltAt, customError: string | null, cause?: BaseError) => {
  const { block, statusPath } = at
  const { meaning, remedy, retryAfterSeconds } = contractRefusal(customError)
  return new ServiceError('invalid_request', {
    reason: 'GasEstimateUnavailable',
    detail: `The transaction "${step}" would fail now${customError === null ? '' : `: ${customError}`}. ${meaning}`,
    details: { step, function: call.decoded.function, customError, meaning, remedy, blockNumber: block.number.toString() },
    nextActions: [
      retryAfterSeconds === undefined
        ? { kind: 'http', method: 'GET', path: statusPath, description: remedy }
        : { kind: 'wait', description: remedy },
    ],
    cause,
  })
}

/** Error for a failed estimate: 502 if the node does not answer, else that of a step that would revert. */
const estimateRefusal = async (reader: PublicClient, from: Hex, step: TemplateStep, at: BuiltAt, cause: BaseError) => {
  if (isUnreachable(cause)) return new ServiceError('blockchain_unavailable', { cause })
  const { to, data } = step.call
  return revertRefusal(step, at, await findRevertName(reader, { from, to, data, gas: REVERT_PROBE_GAS }, at.block.number), cause)
}

const estimate = async (reader: PublicClient, from: Hex, step: TemplateStep, at: BuiltAt) => {
  const { block } = at
  const { call, prerequisite } = step
  if (prerequisite !== undefined)
    return { status: 'requires_prerequisite', gas: null, prerequisite: prerequisite.code, reason: prerequisite.reason } as const
  try {
    const gas = await reader.estimateGas({ account: from, to: call.to, data: call.data, blockNumber: block.number })
    return { status: 'estimated', gas: gas.toString(), source: `eth_estimateGas at block ${block.number}` } as const
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    throw await estimateRefusal(reader, from, step, at, error)
  }
}

/** Runs the steps in their order on the state of `block`. Throws the refusal of the first one that would revert. */
const simulate = async (reader: PublicClient, from: Hex, { steps, watched }: TemplatePlan, at: BuiltAt) => {
  const calls = steps.map(({ call }) => call)
  const simulation = await convertReadErrors(() => simulateCalls(reader, { from, calls, watched, blockNumber: at.block.number }))
  if (simulation.status !== 'reverted') return simulation
  const step = steps[simulation.index]
  if (step === undefined) throw new Error(`no step ${simulation.index} was simulated`)
  throw revertRefusal(step, at, simulation.customError)
}

/**
 * Builds unsigned transactions of one wallet, without nonce and fee, estimated and run in their order at `block`. One that would revert
 * refuses them all. The service signs, relays and broadcasts nothing for a user. Source: http, "Value formats".
 *
 * `simulation` has the gas each step used, and what it changed of the `watched` balances.
 */
export const buildTemplates = async ({ chainId, reader }: ChainClients, from: Hex, plan: TemplatePlan, block: BlockRef) => {
  const { steps, statusPath = '/account' } = plan
  const at = { block, statusPath }
  const simulation = await simulate(reader, from, plan, at)
  const templates = await Promise.all(
    steps.map(async (step) => ({
      step: step.step,
      unsigned: true as const,
      from,
      to: step.call.to.toLowerCase() as Hex,
      data: step.call.data,
      value: '0' as const,
      chainId,
      gasEstimate: await estimate(reader, from, step, at),
      decoded: step.call.decoded,
    })),
  )
  return { templates, simulation }
}
export type BuiltTemplates = Awaited<ReturnType<typeof buildTemplates>>

/** Members of an answer that say what the templates change: each watched balance that changes, before and after all of them. */
export const expectedView = ({ simulation }: BuiltTemplates, block: BlockRef) => ({
  simulation:
    simulation.status === 'simulated'
      ? { status: 'simulated' as const, method: 'eth_simulateV1' as const, blockNumber: block.number.toString() }
      : { status: 'unavailable' as const, reason: simulation.reason },
  expected:
    simulation.status === 'simulated'
      ? simulation.changes.map(({ kind, holder, asset, beforeRaw, afterRaw }) => ({
          kind,
          holder: holder.toLowerCase() as Hex,
          direction: afterRaw > beforeRaw ? ('in' as const) : ('out' as const),
          change: assetAmount(afterRaw > beforeRaw ? afterRaw - beforeRaw : beforeRaw - afterRaw, asset),
          before: assetAmount(beforeRaw, asset),
          after: assetAmount(afterRaw, asset),
        }))
      : [],
})

/** Instructions with which a wallet sends its templates itself; `signer` is null where the answer is about no wallet. */
export const broadcastBy = (chain: ChainFile, signer: Hex | null) => ({
  rpcUrls: [...new Set([chain.rpc.primary, ...chain.rpc.backups])],
  method: 'eth_sendRawTransaction',
  signer,
  feeAsset: { symbol: chain.nativeSymbol, decimals: chain.nativeDecimals },
  note: [
    'Set nonce and fees, sign with the signer, send in array order, and wait for each receipt before a step that has it as prerequisite.',
    ...(chain.local && signer !== null ? [`Gas on this local chain: ${faucetCommand(signer, { gas: true })}`] : []),
  ].join(' '),
})

/** What the platform does not do with a wallet's funds. */
export const BOUNDARY = {
  platformHoldsFunds: false,
  platformMovesFunds: false,
  platformSigns: false,
  platformSeesKeys: false,
  signedTransactionRelay: false,
  statement: 'The platform holds no funds of yours, signs nothing, relays nothing and never sees a key.',
} as const
