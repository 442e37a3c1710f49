import { sql } from 'kysely'
import type { Recovery } from '../common/processes.ts'
import type { Rows } from '../database/database.ts'
import { vestingStart } from './start.ts'

/** Wallets with a deposit whose vesting was not announced. The process of a wallet without anything left to vest ends at once. */
export const vestingRecovery: Recovery<Rows> = {
  workflows: ['principalVesting'],
  listWanted: async (rows, { chainId }) => {
    const found = await sql<{ wallet: string }>`
      select distinct e.args->>'owner' as wallet from chain_event e
      where e.chain_id = ${chainId} and e.contract = 'pool' and e.event = 'Deposit' and e.removed_at is null and not exists (
        select 1 from vested_tranche v where v.chain_id = e.chain_id and v.tx_hash = e.tx_hash and v.log_index = e.log_index
      )
      order by wallet`.execute(rows)
    return found.rows.map(({ wallet }) => ({ workflow: 'principalVesting', start: vestingStart({ v: 1, wallet }) }))
  },
}
