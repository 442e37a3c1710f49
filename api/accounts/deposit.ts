import type { Hex } from 'viem'
import type { DepositFacts } from '../../activities/accounts/reads.ts'
import { planApproval, type SpendAmounts } from '../../activities/chain/approval.ts'
import { BOUNDARY, type BuiltTemplates, broadcastBy, expectedView } from '../../activities/chain/templates.ts'
import { faucetCommand } from '../../domain/common/faucet.ts'
import { amount, toDisplay } from '../../domain/common/money.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { type NextAction, ServiceError } from '../../schemas/errors.ts'

/** On the local chain: the command that pays the missing amount. */
const payWallet = (wallet: string, usdc: string): NextAction => ({
  kind: 'http',
  method: 'POST',
  path: '/account/deposit/transactions',
  description: `Pay the wallet, then send this request again: ${faucetCommand(wallet, { usdc, gas: true })}`,
})

/** Refuses a deposit that would revert because it is more than the wallet holds. */
export const assertDepositable = (
  amountRaw: bigint,
  wallet: string,
  { walletBalanceRaw }: DepositFacts,
  { asset, local }: ChainFile,
): void => {
  if (amountRaw > walletBalanceRaw) {
    throw new ServiceError('invalid_request', {
      reason: 'InsufficientBalance',
      detail: `The wallet holds less ${asset.symbol} than it wants to deposit.`,
      details: { amountRaw: amountRaw.toString(), walletBalanceRaw: walletBalanceRaw.toString() },
      nextActions: local ? [payWallet(wallet, toDisplay(amountRaw - walletBalanceRaw, asset.decimals))] : [],
    })
  }
}

const instructions = (steps: readonly { step: string }[], wallet: Hex): string[] => [
  `Sign and send each template from ${wallet}; the account credits the sender.`,
  ...(steps.length > 1 ? ['Wait until the approval is mined, then estimate and send the deposit.'] : []),
  'Read the position again; liquid has grown by the amount.',
]

/** Body of `POST /account/deposit/transactions`. */
export const depositView = (chain: ChainFile, wallet: Hex, facts: DepositFacts, amounts: SpendAmounts, built: BuiltTemplates) => {
  const { symbol, decimals, address, assetId } = chain.asset
  const shown = (raw: bigint) => amount({ raw, decimals })
  const { required, reason, afterRaw } = planApproval(amounts)
  return {
    schemaVersion: 1 as const,
    available: true as const,
    wallet,
    chain: { chainId: chain.chainId, caip2: chain.caip2 },
    block: { number: facts.block.number.toString(), hash: facts.block.hash },
    asset: {
      symbol,
      decimals,
      name: facts.assetName,
      address: address.toLowerCase(),
      ...(assetId !== undefined && { assetId }),
      x402Payable: false as const,
    },
    account: { chainLiquid: shown(facts.position.liquid) },
    approval: { required, reason, allowanceBefore: shown(facts.allowanceRaw), allowanceAfter: shown(afterRaw) },
    templates: built.templates,
    ...expectedView(built, facts.block),
    instructions: instructions(built.templates, wallet),
    positionRead: {
      method: 'GET',
      path: `/account/position?asset=${symbol}`,
      fields: ['liquid', 'account.chainLiquid', 'account.available'],
    },
    broadcast: broadcastBy(chain, wallet),
    boundary: BOUNDARY,
  }
}
