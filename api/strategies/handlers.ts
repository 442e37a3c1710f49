import { createStrategyReads } from '../../activities/strategies/reads.ts'
import { holdingView, strategyView } from '../../domain/strategies/view.ts'
import type { HandlersOf } from '../../schemas/operations/operation.ts'
import type * as strategyOperations from '../../schemas/strategies/operations.ts'
import type { ApiDeps } from '../deps.ts'
import { NO_STORE } from '../http/answers.ts'
import { coalesce } from '../http/cache.ts'
import { listPage, TextKey } from '../http/pagination.ts'
import { createRecalls } from './recall.ts'

/** Registered strategies, the positions of the caller in them, and the way out of them. */
export const createStrategyHandlers = (deps: ApiDeps): HandlersOf<typeof strategyOperations> => {
  const reads = createStrategyReads(deps.chain, deps.clients)
  const buildRecall = createRecalls(deps, reads)
  const readRegistered = coalesce(reads.registered)

  return {
    listStrategies: async () => {
      const reading = await readRegistered()
      if (!reading.available) return { status: 200, body: { ...reading, strategies: [] }, headers: NO_STORE }
      const { block, strategies } = reading.read
      return { status: 200, body: { available: true, strategies: strategies.map((strategy) => strategyView(strategy, block)) } }
    },

    getStrategyPositions: async ({ caller, query }) => {
      const { wallet } = caller
      const page = listPage({ ...query, operationId: 'getStrategyPositions', filters: { wallet }, position: TextKey })
      const reading = await reads.holdings(wallet)
      if (!reading.available) return { status: 200, body: { wallet, ...reading, positions: [], limit: page.limit, nextCursor: null } }
      const { block, strategies, holdings } = reading.read
      const held = holdings
        .map((holding) => holdingView(holding, strategies, block))
        .filter((row) => row !== null)
        .sort((left, right) => (left.strategyId < right.strategyId ? -1 : 1))
      const { after } = page
      const following = after === null ? held : held.filter(({ strategyId }) => strategyId > after)
      const { rows: positions, ...envelope } = page.cut(following, ({ strategyId }) => strategyId)
      return { status: 200, body: { wallet, available: true, positions, ...envelope } }
    },

    buildRecallTransactions: async ({ caller, body }) => ({ status: 200, body: await buildRecall(caller.wallet, body) }),
  }
}
