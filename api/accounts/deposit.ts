import type { Hex } from 'viem'
import type { AccountReads, DepositFacts } from '../../activities/accounts/reads.ts'
import { depositSteps } from '../../activities/accounts/templates.ts'
import { accountBalances, walletTokens } from '../../activities/chain/simulation.ts'
import { approvalView, assetView, buildTransactions, type TransactionDeps } from '../../activities/chain/unsigned-transactions.ts'
import { faucetCommand } from '../../domain/common/faucet.ts'
import { amounts, toDisplay } from '../../domain/common/money.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { type NextAction, ServiceError } from '../../schemas/errors.ts'

/** On the local chain: the command that pays the missing amount, before the request at `path` is sent again. */
const payWallet = (wallet: string, usdc: string, path: string): NextAction => ({
  kind: 'http',
  method: 'POST',
  path,
  description: `Pay the wallet, then send this request again: ${faucetCommand(wallet, { usdc, gas: true })}`,
})

/** Refuses a deposit that would revert because it is more than the wallet holds; `path` is the request that asks for it. */
export const assertDepositable = (
  amountRaw: bigint,
  wallet: string,
  { walletBalanceRaw }: Pick<DepositFacts, 'walletBalanceRaw'>,
  { asset, local }: ChainFile,
  path = '/account/deposit/transactions',
): void => {
  if (amountRaw > walletBalanceRaw) {
    throw new ServiceError('invalid_request', {
      reason: 'InsufficientBalance',
      detail: `The wallet holds less ${asset.symbol} than it wants to deposit.`,
      details: { amountRaw: amountRaw.toString(), walletBalanceRaw: walletBalanceRaw.toString() },
      nextActions: local ? [payWallet(wallet, toDisplay(amountRaw - walletBalanceRaw, asset.decimals), path)] : [],
    })
  }
}

const instructions = (steps: readonly { step: string }[], wallet: Hex): string[] => [
  `Sign and send each template from ${wallet}; the account credits the sender.`,
  ...(steps.length > 1 ? ['Wait until the approval is mined, then estimate and send the deposit.'] : []),
  'Read the position again; liquid has grown by the amount.',
]

/** Body of `POST /account/deposit/transactions`. Throws `invalid_request` for more than the wallet holds. */
export const buildDeposit = async (deps: TransactionDeps & { reads: AccountReads }, wallet: Hex, amountRaw: bigint) => {
  const { chain, reads } = deps
  const facts = await reads.depositFacts(wallet)
  assertDepositable(amountRaw, wallet, facts, chain)
  const { symbol, decimals, assetId } = chain.asset
  const spend = { amountRaw, allowanceRaw: facts.allowanceRaw }
  const steps = depositSteps(chain, spend)
  const watched = [walletTokens(chain, wallet), ...accountBalances(chain, wallet)]
  return {
    ...(await buildTransactions(deps, wallet, facts.block, { steps, watched, instructions: instructions(steps, wallet) })),
    chain: { chainId: chain.chainId, caip2: chain.caip2 },
    asset: { ...assetView(chain.asset), name: facts.assetName, ...(assetId !== undefined && { assetId }), x402Payable: false as const },
    account: amounts({ chainLiquid: facts.position.liquid }, decimals),
    approval: approvalView(spend, decimals),
    positionRead: {
      method: 'GET',
      path: `/account/position?asset=${symbol}`,
      fields: ['liquid', 'account.chainLiquid', 'account.available'],
    },
  }
}
