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
import { faucetCommand } from '../../domain/common/faucet.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { ChainClients } from './clients.ts'
import type { BlockRef } from './node/answers.ts'
import { isUnreachable } from './reachable.ts'
import { findRevertName } from './reverts.ts'

/** A contract call with its decoded arguments. */
export interface ContractCall {
  to: Hex
  data: Hex
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
export const amountUnit = ({ symbol, decimals }: ChainFile['asset']) => ({ amountUnit: `${symbol} raw, ${decimals} decimals` })

/** One future transaction, in order of execution. With a prerequisite its gas cannot be estimated yet. */
export interface TemplateStep {
  step: string
  call: ContractCall
  prerequisite?: { code: 'approve_confirmed_on_chain'; reason: string } | undefined
}

const REVERT_PROBE_GAS = 3_000_000n

/** Error for a failed estimate: 502 if the node does not answer, else 400 with reason `GasEstimateUnavailable`. */
const estimateRefusal = async (reader: PublicClient, from: Hex, { step, call }: TemplateStep, block: BlockRef, cause: BaseError) => {
  if (isUnreachable(cause)) return new ServiceError('blockchain_unavailable', { cause })
  const customError = await findRevertName(reader, { from, to: call.to, data: call.data, gas: REVERT_PROBE_GAS }, block.number)
  return new ServiceError('invalid_request', {
    reason: 'GasEstimateUnavailable',
    detail: `The transaction "${step}" would fail now${customError === null ? '' : `: ${customError}`}.`,
    details: { step, function: call.decoded.function, customError, blockNumber: block.number.toString() },
    cause,
  })
}

const estimate = async (reader: PublicClient, from: Hex, step: TemplateStep, block: BlockRef) => {
  const { call, prerequisite } = step
  if (prerequisite !== undefined)
    return { status: 'requires_prerequisite', gas: null, prerequisite: prerequisite.code, reason: prerequisite.reason } as const
  try {
    const gas = await reader.estimateGas({ account: from, to: call.to, data: call.data, blockNumber: block.number })
    return { status: 'estimated', gas: gas.toString(), source: `eth_estimateGas at block ${block.number}` } as const
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    throw await estimateRefusal(reader, from, step, block, error)
  }
}

/**
 * Builds unsigned transactions of one wallet, without nonce and fee, estimated at `block`. One failed estimate without a prerequisite fails
 * them all. The service signs, relays and broadcasts nothing for a user. Source: http, "Value formats".
 */
export const buildTemplates = ({ chainId, reader }: ChainClients, from: Hex, steps: readonly TemplateStep[], block: BlockRef) =>
  Promise.all(
    steps.map(async (step) => ({
      step: step.step,
      unsigned: true as const,
      from,
      to: step.call.to.toLowerCase() as Hex,
      data: step.call.data,
      value: '0' as const,
      chainId,
      gasEstimate: await estimate(reader, from, step, block),
      decoded: step.call.decoded,
    })),
  )
export type Template = Awaited<ReturnType<typeof buildTemplates>>[number]

/** Instructions with which a wallet sends its templates itself. */
export const broadcastBy = (chain: ChainFile, signer: Hex) => ({
  rpcUrls: [...new Set([chain.rpc.primary, ...chain.rpc.backups])],
  method: 'eth_sendRawTransaction',
  signer,
  feeAsset: { symbol: chain.nativeSymbol, decimals: chain.nativeDecimals },
  note: [
    'Set nonce and fees, sign with the signer, send in array order, and wait for each receipt before a step that has it as prerequisite.',
    ...(chain.local ? [`Gas on this local chain: ${faucetCommand(signer, { gas: true })}`] : []),
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
