import { sql } from 'kysely'
import type { Rows } from '../database/database.ts'

/** Adapters of the registered strategies, in the order of their registration, by the recorded events. */
export const listStrategyAdapters = async (rows: Rows, chainId: number): Promise<string[]> => {
  const found = await rows
    .selectFrom('chain_event')
    .select(sql<string>`args->>'adapter'`.as('adapter'))
    .where('chainId', '=', chainId)
    .where('contract', '=', 'registry')
    .where('event', '=', 'StrategyRegistered')
    .where('removedAt', 'is', null)
    .orderBy('blockNumber')
    .orderBy('logIndex')
    .execute()
  return found.map(({ adapter }) => adapter)
}
