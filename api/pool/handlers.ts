import type { Hex } from 'viem'
import type { BlockRef } from '../../activities/chain/node/answers.ts'
import { buildTemplates, type TemplateStep } from '../../activities/chain/templates.ts'
import { createPoolReads } from '../../activities/pool/reads.ts'
import { awaitVesting } from '../../activities/pool/records.ts'
import { poolBalances, poolDepositSteps, poolWithdrawalSteps } from '../../activities/pool/templates.ts'
import { exposureLimits } from '../../domain/eligibility/exposure.ts'
import { type PoolWithdrawal, type Quoted, quotePoolDeposit, quotePoolWithdrawal } from '../../domain/pool/quotes.ts'
import type { NextAction } from '../../schemas/errors.ts'
import type { HandlersOf } from '../../schemas/operations/operation.ts'
import type * as poolOperations from '../../schemas/pool/operations.ts'
import type { PoolRefusal } from '../../schemas/pool/record.ts'
import type { ApiDeps } from '../deps.ts'
import { isUnreadable, refusalError, unavailable } from './answers.ts'
import { type PoolChain, poolDepositView, poolView, poolWithdrawalView } from './views.ts'

export type PoolDeps = Pick<ApiDeps, 'settings' | 'chain' | 'database' | 'clients' | 'reads'>

const nextActions = ({ pool }: PoolChain, reason: PoolRefusal, remedy: string): NextAction[] =>
  reason === 'InsufficientBuffer'
    ? [
        {
          kind: 'transaction',
          description: remedy,
          transaction: {
            to: pool.address.toLowerCase(),
            function: 'requestRedeem(uint256,address,uint8)',
            noticeDaysByTier: { 0: 7, 1: 30 },
          },
        },
      ]
    : [{ kind: 'http', method: 'GET', path: '/pool', description: remedy }]

const acceptedQuote = <Quote>(on: PoolChain, { quote, refusal }: Quoted<Quote, PoolRefusal>): Quote => {
  if (refusal !== null) throw refusalError(on.chain.asset.decimals, refusal, (remedy) => nextActions(on, refusal.reason, remedy))
  return quote
}

/** The deposit pool, and unsigned deposits into it and withdrawals from it. */
export const createPoolHandlers = ({ settings, chain, database, clients, reads }: PoolDeps): HandlersOf<typeof poolOperations> => {
  const pool = chain.contracts.depositPool
  if (pool === undefined) {
    const notConfigured = async () => unavailable('deposit_pool_not_configured')
    return { getPool: notConfigured, buildPoolTransactions: notConfigured }
  }
  const on: PoolChain = { chain, pool }
  const poolReads = createPoolReads(chain, pool, clients, reads)
  const limits = exposureLimits(settings, chain.asset)

  const currentPool = async (wallet: Hex | null) => {
    const vestingOf = async (block: BlockRef) => (wallet === null ? null : awaitVesting(database.rows, chain, wallet, block))
    const { block, pool: figures, wallet: own, beside: recorded } = await poolReads.confirmed(wallet, vestingOf)
    if (wallet === null || own === null || recorded === null) return poolView(on, block, figures, null)
    return poolView(on, block, figures, { address: wallet, figures: own, recorded, limits })
  }

  /** Reads the pool, quotes and builds the steps of the quote, all at one block. */
  const build = async <Quote>(
    wallet: Hex,
    plan: (figures: Awaited<ReturnType<typeof poolReads.latest>>['figures']) => { quote: Quote; steps: TemplateStep[] },
  ) => {
    const { block, figures } = await poolReads.latest(wallet)
    const { quote, steps } = plan(figures)
    const built = await buildTemplates(clients, wallet, { steps, watched: poolBalances(chain, pool, wallet), statusPath: '/pool' }, block)
    return { ...on, wallet, block, figures, quote, built }
  }

  const buildDeposit = async (wallet: Hex, amountRaw: bigint) => {
    const answer = await build(wallet, (figures) => {
      const quote = acceptedQuote(on, quotePoolDeposit(figures, amountRaw))
      return { quote, steps: poolDepositSteps(chain, pool, wallet, { amountRaw, allowanceRaw: figures.allowanceRaw }) }
    })
    return poolDepositView(answer)
  }

  const buildWithdrawal = async (wallet: Hex, requested: PoolWithdrawal) => {
    const answer = await build(wallet, (figures) => {
      const quote = acceptedQuote(on, quotePoolWithdrawal(figures, requested))
      return { quote, steps: poolWithdrawalSteps(chain, pool, wallet, quote.sharesRaw) }
    })
    return poolWithdrawalView(answer, requested)
  }

  return {
    getPool: async ({ caller }) => {
      try {
        return { status: 200, body: await currentPool(caller?.wallet ?? null) }
      } catch (error) {
        if (isUnreadable(error)) return unavailable('pool_read_failed')
        throw error
      }
    },

    buildPoolTransactions: async ({ caller, body }) => {
      const { wallet } = caller
      const assetsRaw = BigInt(body.assets ?? 0)
      if (body.direction === 'deposit') return { status: 200, body: await buildDeposit(wallet, assetsRaw) }
      const requested = body.shares === undefined ? { assetsRaw } : { sharesRaw: BigInt(body.shares) }
      return { status: 200, body: await buildWithdrawal(wallet, requested) }
    },
  }
}
