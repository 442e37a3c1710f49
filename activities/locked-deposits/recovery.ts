import type { Recovery } from '../common/processes.ts'
import type { Rows } from '../database/database.ts'
import { lockedDepositStart } from './start.ts'

/** Locks that are not released continue by their rows. */
export const lockRecovery: Recovery<Rows> = {
  workflows: ['lockedDeposit'],
  listWanted: async (rows) => {
    const open = await rows.selectFrom('locked_deposit').select(['id', 'wallet']).where('status', '<>', 'released').orderBy('id').execute()
    return open.map(({ id, wallet }) => ({ workflow: 'lockedDeposit', start: lockedDepositStart({ v: 1, id, consent: null }, wallet) }))
  },
}
