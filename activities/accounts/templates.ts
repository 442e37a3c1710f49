import { erc20Abi, type Hex } from 'viem'
import type { WithdrawalQuote } from '../../domain/accounts/withdrawal.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { agentAccountCoreAbi } from '../chain/abi/agent-account-core.ts'
import { amountUnit, contractCall, type TemplateStep } from '../chain/templates.ts'
import { type SpendAmounts, withApproval } from '../chain/unsigned-transactions.ts'

/** Steps that deposit an amount from the wallet into its own account. The contract always credits the sender. */
export const depositSteps = (chain: ChainFile, amounts: SpendAmounts): TemplateStep[] => {
  const account = chain.contracts.agentAccount.address as Hex
  const args = [chain.asset.address as Hex, amounts.amountRaw] as const
  return withApproval(chain, account, amounts, {
    step: 'deposit',
    call: contractCall(account, { abi: agentAccountCoreAbi, functionName: 'deposit', args }, amountUnit(chain.asset)),
  })
}

/**
 * Steps that withdraw `amountRaw` (base units) from the wallet's account. The contract pays only its caller, so another destination needs a
 * transfer after it.
 */
export const withdrawSteps = (chain: ChainFile, { amountRaw, destination, transfers }: WithdrawalQuote): TemplateStep[] => {
  const asset = chain.asset.address as Hex
  const unit = amountUnit(chain.asset)
  const withdraw: TemplateStep = {
    step: 'withdraw',
    call: contractCall(
      chain.contracts.agentAccount.address as Hex,
      { abi: agentAccountCoreAbi, functionName: 'withdraw', args: [asset, amountRaw] },
      unit,
    ),
  }
  if (!transfers) return [withdraw]
  const prerequisite = {
    code: 'withdraw_confirmed_on_chain',
    reason: 'The wallet may not hold the tokens before the withdrawal is mined, so its gas cannot be estimated before.',
  } as const
  const transfer: TemplateStep = {
    step: 'transfer_to_destination',
    call: contractCall(asset, { abi: erc20Abi, functionName: 'transfer', args: [destination as Hex, amountRaw] }, unit),
    prerequisite,
  }
  return [withdraw, transfer]
}
