import type { Recovery } from '../common/processes.ts'
import type { Rows } from '../database/database.ts'
import { idleAllocationStart } from './start.ts'

/** Allocations continue while their consent is open. */
export const idleRecovery: Recovery<Rows> = {
  workflows: ['idleAllocation'],
  listWanted: async (rows) => {
    const open = rows.selectFrom('idle_consent').select('wallet').distinct()
    const found = await open.where('revokedAt', 'is', null).where('expiredAt', 'is', null).orderBy('wallet').execute()
    return found.map(({ wallet }) => ({ workflow: 'idleAllocation', start: idleAllocationStart({ v: 1, wallet }) }))
  },
}
