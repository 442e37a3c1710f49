import { encodeFunctionData, type Hex } from 'viem'
import type { Asset } from '../../domain/common/money.ts'
import { depositPoolAbi } from '../chain/abi/deposit-pool.ts'
import { type WatchedBalance, walletTokens } from '../chain/simulation.ts'
import { amountUnit, contractCall, type TemplateStep } from '../chain/templates.ts'
import { type SpendAmounts, withApproval } from '../chain/unsigned-transactions.ts'
import type { PoolChain } from './reads.ts'

/** Shares of the deposit pool as an asset; they have the decimals of the settlement asset. */
export const shareAsset = ({ chain, pool }: PoolChain): Asset => ({ symbol: pool.shareSymbol, decimals: chain.asset.decimals })

/** Steps that deposit an amount into the pool, for shares of the wallet itself. */
export const poolDepositSteps = ({ chain, pool }: PoolChain, wallet: Hex, amounts: SpendAmounts): TemplateStep[] => {
  const args = [amounts.amountRaw, wallet] as const
  const call = contractCall(pool.address, { abi: depositPoolAbi, functionName: 'deposit', args }, amountUnit(chain.asset))
  return withApproval(chain, pool.address, amounts, { step: 'deposit', call })
}

/** The step that redeems shares of the wallet to the wallet. */
export const poolWithdrawalSteps = (on: PoolChain, wallet: Hex, sharesRaw: bigint): TemplateStep[] => {
  const args = [sharesRaw, wallet, wallet] as const
  const call = contractCall(on.pool.address, { abi: depositPoolAbi, functionName: 'redeem', args }, amountUnit(shareAsset(on)))
  return [{ step: 'redeem', call }]
}

/** Balances of a wallet that a transaction of the pool changes. */
export const poolBalances = (on: PoolChain, wallet: Hex): WatchedBalance[] => {
  const data = encodeFunctionData({ abi: depositPoolAbi, functionName: 'balanceOf', args: [wallet] })
  return [
    walletTokens(on.chain, wallet),
    { kind: 'pool.shares', holder: wallet, asset: shareAsset(on), word: 0, call: { to: on.pool.address, data } },
  ]
}
