import type { Hex } from 'viem'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { agentAccountCoreAbi } from '../chain/abi/agent-account-core.ts'
import { type SpendAmounts, withApproval } from '../chain/approval.ts'
import { amountUnit, contractCall, type TemplateStep } from '../chain/templates.ts'

/** Steps that deposit an amount from the wallet into its own account. The contract always credits the sender. */
export const depositSteps = (chain: ChainFile, amounts: SpendAmounts): TemplateStep[] => {
  const account = chain.contracts.agentAccount.address as Hex
  const args = [chain.asset.address as Hex, amounts.amountRaw] as const
  return withApproval(chain, account, amounts, {
    step: 'deposit',
    call: contractCall(account, { abi: agentAccountCoreAbi, functionName: 'deposit', args }, amountUnit(chain.asset)),
  })
}
