import { erc20Abi, type Hex } from 'viem'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { agentAccountCoreAbi } from '../chain/abi/agent-account-core.ts'
import { amountUnit, contractCall, type TemplateStep } from '../chain/templates.ts'

export interface DepositAmounts {
  amountRaw: bigint
  /** Allowance of the account contract, base units. */
  allowanceRaw: bigint
}

/** Whether a deposit needs an approval first. Approvals are exact and happen only when the allowance is too small. */
export const planApproval = ({ amountRaw, allowanceRaw }: DepositAmounts) => {
  const required = allowanceRaw < amountRaw
  return {
    required,
    reason: required ? ('allowance_below_requested_assets' as const) : ('allowance_already_sufficient' as const),
    /** Allowance when the deposit runs, base units. */
    afterRaw: required ? amountRaw : allowanceRaw,
  }
}

/** Steps that deposit `amountRaw` (base units) from the wallet into its own account. The contract always credits the sender. */
export const depositSteps = (chain: ChainFile, amounts: DepositAmounts): TemplateStep[] => {
  const { amountRaw } = amounts
  const asset = chain.asset.address as Hex
  const account = chain.contracts.agentAccount.address as Hex
  const unit = amountUnit(chain.asset)
  const approve: TemplateStep = {
    step: 'approve',
    call: contractCall(asset, { abi: erc20Abi, functionName: 'approve', args: [account, amountRaw] }, unit),
  }
  const deposit: TemplateStep = {
    step: 'deposit',
    call: contractCall(account, { abi: agentAccountCoreAbi, functionName: 'deposit', args: [asset, amountRaw] }, unit),
  }
  if (!planApproval(amounts).required) return [deposit]
  const prerequisite = {
    code: 'approve_confirmed_on_chain',
    reason: 'The deposit reverts until the approval is mined, so its gas cannot be estimated before.',
  } as const
  return [approve, { ...deposit, prerequisite }]
}
