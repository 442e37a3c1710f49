import { erc20Abi, type Hex } from 'viem'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { amountUnit, contractCall, type TemplateStep } from './templates.ts'

/** An amount that a contract takes from a wallet, and what it may take now. Base units of the settlement asset. */
export interface SpendAmounts {
  amountRaw: bigint
  allowanceRaw: bigint
}

/** Whether an approval comes first. Approvals are exact and happen only when the allowance is too small. */
export const planApproval = ({ amountRaw, allowanceRaw }: SpendAmounts) => {
  const required = allowanceRaw < amountRaw
  return {
    required,
    reason: required ? ('allowance_below_requested_assets' as const) : ('allowance_already_sufficient' as const),
    /** Allowance when the contract takes the amount, base units. */
    afterRaw: required ? amountRaw : allowanceRaw,
  }
}

/** The step, after an approval of `spender` where the allowance is too small. */
export const withApproval = (chain: ChainFile, spender: Hex, amounts: SpendAmounts, step: TemplateStep): TemplateStep[] => {
  if (!planApproval(amounts).required) return [step]
  const args = [spender, amounts.amountRaw] as const
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
