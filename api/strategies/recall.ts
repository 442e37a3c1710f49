import type { Hex } from 'viem'
import { accountBalances } from '../../activities/chain/simulation.ts'
import { assetView, buildTransactions, sendInstructions } from '../../activities/chain/unsigned-transactions.ts'
import type { StrategyReads } from '../../activities/strategies/reads.ts'
import { recallSteps } from '../../activities/strategies/templates.ts'
import { amounts } from '../../domain/common/money.ts'
import type { Quoted } from '../../domain/common/quotes.ts'
import { RECALL_PATH } from '../../domain/strategies/places.ts'
import { strategyLabel } from '../../domain/strategies/position.ts'
import { chooseHolding, quoteRecall } from '../../domain/strategies/recall.ts'
import { get, post, wait } from '../../schemas/common/error-row.ts'
import { type NextAction, ServiceError } from '../../schemas/errors.ts'
import { RECALL_REFUSALS, type RecallRefusal } from '../../schemas/strategies/record.ts'
import type { ApiDeps } from '../deps.ts'

const CONSENT_NOTE =
  'End a consent to idle-balance allocation first (POST /account/idle-allocation/revoke), or the operator lends it again.'
const NEXT: Readonly<Record<RecallRefusal, NextAction>> = {
  nothing_to_recall: get('/account/position', 'Read in `places` where the money is.'),
  strategy_not_named: get('/account/strategies', 'Read the ids, and name one strategy.'),
  strategy_inactive: wait('Ask the operator; the shares stay in the name of the wallet.'),
  amount_exceeds_allocated: post(RECALL_PATH, 'Recall at most `allocated`.'),
  strategy_short: post(RECALL_PATH, 'Recall at most `available` now, and the rest once the strategy holds more.'),
}

/** Builds bodies of `POST /account/recall/transactions`. */
export const createRecalls = (deps: ApiDeps, reads: StrategyReads) => {
  const { chain } = deps
  const { decimals } = chain.asset

  const accept = <Quote>({ quote, refusal }: Quoted<Quote, RecallRefusal>): Quote => {
    if (refusal === null) return quote
    const { reason } = refusal
    const details = amounts(refusal.amounts, decimals)
    throw new ServiceError('invalid_request', { reason, detail: RECALL_REFUSALS[reason], details, nextActions: [NEXT[reason]] })
  }

  return async (wallet: Hex, { amount, strategyId }: { amount?: string | undefined; strategyId?: string | undefined }) => {
    const reading = await reads.holdings(wallet)
    if (!reading.available) throw new ServiceError('blockchain_unavailable', { reason: reading.reason })
    const { block, holdings } = reading.read
    const own = holdings.filter(({ strategy }) => strategy.asset.address === chain.asset.address.toLowerCase())
    const holding = accept(chooseHolding(own, strategyId))
    const { strategy } = holding
    const payableRaw = await reads.payableAt(strategy.adapter, block.number)
    const { amountRaw, allocatedRaw } = accept(quoteRecall(holding, amount === undefined ? null : BigInt(amount), payableRaw))
    const steps = recallSteps(chain, wallet, strategy, amountRaw)
    const plan = { steps, watched: accountBalances(chain, wallet), statusPath: '/account/position' }
    const instructions = sendInstructions(wallet, steps, '', [CONSENT_NOTE])
    return {
      ...(await buildTransactions(deps, wallet, block, { ...plan, instructions })),
      chainId: chain.chainId,
      asset: assetView(chain.asset),
      recall: {
        strategyId: strategy.strategyId,
        label: strategyLabel(strategy.strategyId),
        ...amounts({ amount: amountRaw, allocatedBefore: allocatedRaw, allocatedAfter: allocatedRaw - amountRaw }, decimals),
      },
    }
  }
}
