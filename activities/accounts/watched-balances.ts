import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { agentAccountCoreAbi } from '../chain/abi/agent-account-core.ts'
import type { WatchedBalance } from '../chain/simulation.ts'

/** The words of `positions(address,address)`, in the contract's order. */
const POSITION_WORDS = ['liquid', 'reserved', 'strategyAllocated', 'collateralLocked', 'jobStakeLocked', 'debtOutstanding'] as const

/** Tokens of the settlement asset that an address holds itself. */
export const walletTokens = ({ asset }: ChainFile, holder: Hex): WatchedBalance => ({
  ...{ kind: 'wallet', holder, asset, word: 0 },
  call: { to: asset.address as Hex, data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [holder] }) },
})

/** The six balances of a wallet in the account contract. */
export const accountBalances = ({ asset, contracts }: ChainFile, holder: Hex): WatchedBalance[] => {
  const args = [holder, asset.address as Hex] as const
  const call = {
    to: contracts.agentAccount.address as Hex,
    data: encodeFunctionData({ abi: agentAccountCoreAbi, functionName: 'positions', args }),
  }
  return POSITION_WORDS.map((name, word) => ({ kind: `account.${name}`, holder, asset, word, call }))
}
