import { erc20Abi, type Hex } from 'viem'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { agentAccountCoreAbi } from '../chain/abi/agent-account-core.ts'
import { amountUnit, contractCall, type TemplateStep } from '../chain/templates.ts'

export interface DepositAmounts {
  amountRaw: bigint
  /** What the account contract may already take. */
  allowanceRaw: bigint
}

/** How the allowance stands to a deposit: approvals are exact, and only made when the allowance is short. */
export const planApproval = ({ amountRaw, allowanceRaw }: DepositAmounts) => {
  const required = allowanceRaw < amountRaw
  return {
    required,
    reason: required ? ('allowance_below_requested_assets' as const) : ('allowance_already_sufficient' as const),
    /** What the deposit finds. */
    afterRaw: required ? amountRaw : allowanceRaw,
  }
}

/** Steps that move `amountRaw` from the wallet into its own account. The contract credits the sender, so nobody else can be. */
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
