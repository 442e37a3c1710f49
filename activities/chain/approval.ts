import { erc20Abi, type Hex } from 'viem'
import { amounts } from '../../domain/common/money.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { amountUnit, contractCall, type TemplateStep } from './templates.ts'

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
