import { sql } from 'kysely'
import type { Recovery } from '../common/processes.ts'
import type { Rows } from '../database/database.ts'
import { crossChainStart } from './start.ts'

/** Requests that the chain has and whose end is not recorded. */
export const requestRecovery: Recovery<Rows> = {
  workflows: ['crossChainRequest'],
  listWanted: async (rows, { chainId }) => {
    const found = await sql<{ requestId: string }>`
      select e.args->>'requestId' as "requestId" from chain_event e
      where e.chain_id = ${chainId} and e.contract = 'xcm' and e.event = 'RequestQueued' and e.removed_at is null and not exists (
        select 1 from cross_chain_outcome o
        where o.wrapper = e.address and o.request_id = e.args->>'requestId' and o.processed_at is not null
      )
      order by e.block_number, e.log_index`.execute(rows)
    return found.rows.map(({ requestId }) => ({ workflow: 'crossChainRequest', start: crossChainStart({ v: 1, requestId }) }))
  },
}
