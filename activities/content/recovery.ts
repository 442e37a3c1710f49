import type { Recovery } from '../common/processes.ts'
import type { Rows } from '../database/database.ts'
import { contentDisclosureStart } from './start.ts'

/** Publications whose event on chain is not recorded. */
export const disclosureRecovery: Recovery<Rows> = {
  workflows: ['contentDisclosure'],
  listWanted: async (rows) => {
    const pending = rows.selectFrom('content').select(['hash', 'owner', 'publishedBy']).where('disclosure', '=', 'pending')
    const found = await pending.orderBy('hash').orderBy('owner').execute()
    return found.map(({ hash, owner, publishedBy }) => ({
      workflow: 'contentDisclosure',
      start: contentDisclosureStart({ v: 1, hash, owner, requestId: publishedBy ?? hash }),
    }))
  },
}
