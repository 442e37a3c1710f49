import { encodeFunctionData, type Hex } from 'viem'
import type { Asset } from '../../domain/common/money.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { depositPoolAbi } from '../chain/abi/deposit-pool.ts'
import { type SpendAmounts, withApproval } from '../chain/approval.ts'
import { type WatchedBalance, walletTokens } from '../chain/simulation.ts'
import { amountUnit, contractCall, type TemplateStep } from '../chain/templates.ts'

type Configured = NonNullable<ChainFile['contracts']['depositPool']>

/** Shares of the deposit pool as an asset; they have the decimals of the settlement asset. */
export const shareAsset = ({ asset }: ChainFile, { shareSymbol }: Configured): Asset => ({ symbol: shareSymbol, decimals: asset.decimals })

/** Steps that deposit an amount into the pool, for shares of the wallet itself. */
export const poolDepositSteps = (chain: ChainFile, { address }: Configured, wallet: Hex, amounts: SpendAmounts): TemplateStep[] => {
  const args = [amounts.amountRaw, wallet] as const
  return withApproval(chain, address as Hex, amounts, {
    step: 'deposit',
    call: contractCall(address as Hex, { abi: depositPoolAbi, functionName: 'deposit', args }, amountUnit(chain.asset)),
  })
}

/** The step that redeems shares of the wallet to the wallet. */
export const poolWithdrawalSteps = (chain: ChainFile, pool: Configured, wallet: Hex, sharesRaw: bigint): TemplateStep[] => {
  const args = [sharesRaw, wallet, wallet] as const
  const unit = amountUnit({ ...chain.asset, ...shareAsset(chain, pool) })
  return [{ step: 'redeem', call: contractCall(pool.address as Hex, { abi: depositPoolAbi, functionName: 'redeem', args }, unit) }]
}

/** Balances of a wallet that a transaction of the pool changes. */
export const poolBalances = (chain: ChainFile, pool: Configured, wallet: Hex): WatchedBalance[] => [
  walletTokens(chain, wallet),
  {
    kind: 'pool.shares',
    holder: wallet,
    asset: shareAsset(chain, pool),
    word: 0,
    call: {
      to: pool.address as Hex,
      data: encodeFunctionData({ abi: depositPoolAbi, functionName: 'balanceOf', args: [wallet] }),
    },
  },
]
