import { erc20Abi, type Hex } from 'viem'
import { reviveCall } from '../../domain/chain/revive-calls.ts'
import { amounts } from '../../domain/common/money.ts'
import type { ChainFile, NativeSide } from '../../schemas/chain/chain-file.ts'
import type { ChainClients } from './clients.ts'
import type { BlockRef } from './node/answers.ts'
import {
  amountUnit,
  BOUNDARY,
  type BuiltTemplates,
  broadcastBy,
  buildTemplates,
  contractCall,
  expectedView,
  type TemplatePlan,
  type TemplateStep,
} from './templates.ts'

/** A block as answers name it. */
export const blockView = ({ number, hash }: BlockRef) => ({ number: number.toString(), hash })

/** The settlement asset as answers name it. */
export const assetView = ({ symbol, address, decimals }: ChainFile['asset']) => ({ symbol, address: address.toLowerCase(), decimals })

/** An amount that a contract takes from a wallet, and what it may take now. Base units of the settlement asset. */
export interface SpendAmounts {
  amountRaw: bigint
  allowanceRaw: bigint
}

const isApprovalRequired = ({ amountRaw, allowanceRaw }: SpendAmounts): boolean => allowanceRaw < amountRaw

/** `approval` of an answer. Approvals are exact and come first only when the allowance is too small. */
export const approvalView = (spend: SpendAmounts, decimals: number) => {
  const { amountRaw, allowanceRaw } = spend
  const required = isApprovalRequired(spend)
  return {
    required,
    reason: required ? ('allowance_below_requested_assets' as const) : ('allowance_already_sufficient' as const),
    ...amounts({ allowanceBefore: allowanceRaw, allowanceAfter: required ? amountRaw : allowanceRaw }, decimals),
  }
}

/** The step, after an approval of `spender` where the allowance is too small. */
export const withApproval = (chain: ChainFile, spender: Hex, spend: SpendAmounts, step: TemplateStep): TemplateStep[] => {
  if (!isApprovalRequired(spend)) return [step]
  const args = [spender, spend.amountRaw] as const
  const approve: TemplateStep = {
    step: 'approve',
    call: contractCall(chain.asset.address as Hex, { abi: erc20Abi, functionName: 'approve', args }, amountUnit(chain.asset)),
  }
  const prerequisite = {
    code: 'approve_confirmed_on_chain',
    reason: `The ${step.step} reverts until the approval is mined, so its gas cannot be estimated before.`,
  } as const
  return [approve, { ...step, prerequisite }]
}

/** Instructions of a wallet that sends the steps of a pool; `order` says what to wait for between two steps. */
export const sendInstructions = (wallet: Hex, steps: readonly TemplateStep[], order: string, notes: readonly string[]): string[] => [
  `Sign and send each template from ${wallet}.`,
  ...(steps.length > 1 ? [order] : []),
  ...notes,
  'Compare the balances afterwards with `expected`.',
]

/** What the transactions of a wallet are built with. */
export interface TransactionDeps {
  chain: ChainFile
  clients: ChainClients
  /** Whether a wallet (lower case) belongs to a native account. */
  isNativeAccount: (wallet: string) => Promise<boolean>
}

/** Instructions of a native account, for whose templates those of a wallet do not hold. */
const NATIVE_INSTRUCTIONS = [
  'A native account signs no Ethereum transaction: it submits `revive` of each template with its own wallet, on the native side of the chain.',
  'Submit the calls in their order, each once the one before it is in a block. The chain has to map the account first.',
  'Compare the balances afterwards with `expected`.',
]

/** How a native account sends its calls: its wallet pays the fee on the native side, whose currency has other decimals. */
const nativeBroadcast = ({ nativeSymbol }: ChainFile, { substrateRpcUrls, decimals }: NativeSide) => ({
  rpcUrls: substrateRpcUrls,
  method: 'author_submitExtrinsic',
  signer: null,
  feeAsset: { symbol: nativeSymbol, decimals },
  note: 'The wallet of the native account signs and submits the calls.',
})

/** The templates, with the call of a native account beside each. */
const withNativeCalls = (chain: ChainFile, native: NativeSide, { templates, simulation }: BuiltTemplates) =>
  templates.map((template, index) => {
    const { to, data, value, gasEstimate } = template
    const estimated = gasEstimate.status === 'estimated' ? BigInt(gasEstimate.gas) : null
    const used = simulation.status === 'simulated' ? (simulation.gasUsed[index] ?? null) : null
    return { ...template, revive: reviveCall(native, { to, data, valueRaw: BigInt(value) }, chain.nativeDecimals, { estimated, used }) }
  })

/** Members of every answer with unsigned transactions. */
export const transactionsView = async (
  { chain, isNativeAccount }: Omit<TransactionDeps, 'clients'>,
  wallet: Hex,
  block: BlockRef,
  built: BuiltTemplates,
  instructions: string[],
) => {
  const { native } = chain
  const isNative = native !== undefined && (await isNativeAccount(wallet.toLowerCase()))
  return {
    schemaVersion: 1 as const,
    available: true as const,
    wallet,
    block: blockView(block),
    templates: isNative ? withNativeCalls(chain, native, built) : built.templates,
    ...expectedView(built, block),
    instructions: isNative ? NATIVE_INSTRUCTIONS : instructions,
    broadcast: isNative ? nativeBroadcast(chain, native) : broadcastBy(chain, wallet),
    boundary: BOUNDARY,
  }
}

/** Builds the transactions of a plan on the state of a block, with the members that every answer has of them. */
export const buildTransactions = async (
  deps: TransactionDeps,
  wallet: Hex,
  block: BlockRef,
  { instructions, ...plan }: TemplatePlan & { instructions: string[] },
) => transactionsView(deps, wallet, block, await buildTemplates(deps.clients, wallet, plan, block), instructions)
