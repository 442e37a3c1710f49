import { encodeFunctionData, type Hex } from 'viem'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { agentAccountCoreAbi } from '../chain/abi/agent-account-core.ts'
import type { WatchedBalance } from '../chain/simulation.ts'

/** The words of `positions(address,address)`, in the contract's order. */
const POSITION_WORDS = ['liquid', 'reserved', 'strategyAllocated', 'collateralLocked', 'jobStakeLocked', 'debtOutstanding'] as const

/** The six balances of a wallet in the account contract. */
export const accountBalances = ({ asset, contracts }: ChainFile, holder: Hex): WatchedBalance[] => {
  const args = [holder, asset.address as Hex] as const
  const call = {
    to: contracts.agentAccount.address as Hex,
    data: encodeFunctionData({ abi: agentAccountCoreAbi, functionName: 'positions', args }),
  }
  return POSITION_WORDS.map((name, word) => ({ kind: `account.${name}`, holder, asset, word, call }))
}
