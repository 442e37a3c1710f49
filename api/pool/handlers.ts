import type { Hex } from 'viem'
import type { BlockRef } from '../../activities/chain/node/answers.ts'
import type { TemplateStep } from '../../activities/chain/templates.ts'
import { approvalView, buildTransactions, sendInstructions } from '../../activities/chain/unsigned-transactions.ts'
import { createPoolReads, type PoolChain } from '../../activities/pool/reads.ts'
import { awaitVesting } from '../../activities/pool/records.ts'
import { poolBalances, poolDepositSteps, poolWithdrawalSteps } from '../../activities/pool/templates.ts'
import type { Quoted } from '../../domain/common/quotes.ts'
import { exposureLimits } from '../../domain/eligibility/exposure.ts'
import { type PoolWithdrawal, quotePoolDeposit, quotePoolWithdrawal, quoteSeed } from '../../domain/pool/quotes.ts'
import { depositPreview, withdrawalPreview } from '../../domain/pool/view.ts'
import type { NextAction } from '../../schemas/errors.ts'
import type { Answer, HandlersOf } from '../../schemas/operations/operation.ts'
import * as poolOperations from '../../schemas/pool/operations.ts'
import type { PoolRefusal } from '../../schemas/pool/record.ts'
import type { ApiDeps } from '../deps.ts'
import { createUnconfiguredHandlers } from '../http/answers.ts'
import { poolPage } from './pool-page.ts'
import {
  acceptQuote,
  DEPOSIT_NOTE,
  headView,
  noticeAction,
  POOL_BOUNDARY,
  poolView,
  readOrUnavailable,
  unavailable,
  walletView,
} from './views.ts'

const ORDER = 'Wait until the approval is mined, then estimate and send the deposit.'
const WITHDRAWAL_NOTE = 'The shares are fixed. A loss of the pool before execution lowers what they pay; the contract takes no minimum.'

const nextActions = ({ pool }: PoolChain, reason: PoolRefusal, description: string): NextAction[] => {
  if (reason !== 'InsufficientBuffer') return [{ kind: 'http', method: 'GET', path: '/pool', description }]
  return [noticeAction(pool.address, description)]
}

/** The deposit pool, and unsigned deposits into it and withdrawals from it. */
export const createPoolHandlers = (deps: ApiDeps): HandlersOf<typeof poolOperations> => {
  const { settings, chain, database, clients, reads, baseUrl } = deps
  const { decimals } = chain.asset
  const pool = chain.contracts.depositPool
  const withPage = <Shown extends Answer<typeof poolOperations.getPool>>(answer: Shown) => ({
    ...answer,
    page: () => poolPage(answer.body, baseUrl),
  })
  if (pool === undefined)
    return createUnconfiguredHandlers(poolOperations, async () => withPage(unavailable('deposit_pool_not_configured')))
  const on: PoolChain = { chain, pool }
  const poolReads = createPoolReads(chain, pool, clients, reads)
  const limits = exposureLimits(settings, chain.asset)

  const currentPool = async (wallet: Hex | null) => {
    const vestingOf = async (block: BlockRef) => (wallet === null ? null : awaitVesting(database.rows, chain, wallet, block))
    const { block, pool: figures, wallet: own, beside: recorded } = await poolReads.confirmed(wallet, vestingOf)
    const isRead = wallet !== null && own !== null && recorded !== null
    return poolView(on, block, figures, isRead ? walletView(wallet, own, recorded, block, limits) : null)
  }

  const accepted = <Quote>(quoted: Quoted<Quote, PoolRefusal>) =>
    acceptQuote(quoted, decimals, (reason, remedy) => nextActions(on, reason, remedy))

  const build = async (wallet: Hex, block: BlockRef, steps: TemplateStep[], note: string) => {
    const instructions = sendInstructions(wallet, steps, ORDER, [note])
    const plan = { steps, watched: poolBalances(on, wallet), statusPath: '/pool', instructions }
    return { ...headView(on), ...(await buildTransactions(deps, wallet, block, plan)), boundary: POOL_BOUNDARY }
  }

  const readPosition = async (wallet: Hex) => {
    const position = await poolReads.latest(wallet)
    accepted(quoteSeed(position.figures))
    return position
  }

  const buildDeposit = async (wallet: Hex, amountRaw: bigint) => {
    const { block, figures } = await readPosition(wallet)
    const quote = accepted(quotePoolDeposit(figures, amountRaw))
    const spend = { amountRaw, allowanceRaw: figures.allowanceRaw }
    return {
      ...(await build(wallet, block, poolDepositSteps(on, wallet, spend), DEPOSIT_NOTE)),
      direction: 'deposit' as const,
      approval: approvalView(spend, decimals),
      preview: depositPreview(figures, quote, decimals, block.number),
    }
  }

  const buildWithdrawal = async (wallet: Hex, requested: PoolWithdrawal) => {
    const { block, figures } = await readPosition(wallet)
    const quote = accepted(quotePoolWithdrawal(figures, requested))
    return {
      ...(await build(wallet, block, poolWithdrawalSteps(on, wallet, quote.sharesRaw), WITHDRAWAL_NOTE)),
      direction: 'withdraw' as const,
      approval: approvalView({ amountRaw: 0n, allowanceRaw: figures.allowanceRaw }, decimals),
      preview: withdrawalPreview(figures, requested, quote, decimals, block.number),
    }
  }

  return {
    getPool: async ({ caller }) => withPage(await readOrUnavailable('pool_read_failed', () => currentPool(caller?.wallet ?? null))),

    buildPoolTransactions: async ({ caller: { wallet }, body }) => {
      if (body.direction === 'deposit') return { status: 200, body: await buildDeposit(wallet, BigInt(body.amount ?? 0)) }
      const requested = body.shares === undefined ? { assetsRaw: BigInt(body.assets ?? 0) } : { sharesRaw: BigInt(body.shares) }
      return { status: 200, body: await buildWithdrawal(wallet, requested) }
    },
  }
}
