import { sql } from 'kysely'
import type { Recovery } from '../common/processes.ts'
import { postingStart } from './start.ts'

/** Postings that may still move. One that was only quoted has no process. */
export const postingRecovery: Recovery = {
  workflows: ['externalPosting'],
  listWanted: async (rows) => {
    const open = await rows
      .selectFrom('posting')
      .select(['jobId', 'poster', sql<string>`definition ->> 'title'`.as('title')])
      .where('status', 'in', ['awaiting_funding', 'live', 'mismatch', 'delisted'])
      .orderBy('jobId')
      .execute()
    return open.map(({ jobId, ...posted }) => ({ workflow: 'externalPosting', start: postingStart({ v: 1, jobId }, posted) }))
  },
}
