import type { Hex } from 'viem'
import type { Strategy } from '../../domain/strategies/position.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { agentAccountCoreAbi } from '../chain/abi/agent-account-core.ts'
import { amountUnit, contractCall, type TemplateStep } from '../chain/templates.ts'

/** The step that takes an amount of the wallet out of a strategy, into its account. */
export const recallSteps = (chain: ChainFile, wallet: Hex, { strategyId, asset }: Strategy, amountRaw: bigint): TemplateStep[] => {
  const args = [wallet, strategyId, amountRaw] as const
  const account = chain.contracts.agentAccount.address as Hex
  const call = contractCall(account, { abi: agentAccountCoreAbi, functionName: 'deallocateIdleFunds', args }, amountUnit(asset))
  return [{ step: 'recall', call }]
}
