import { sql } from 'kysely'
import { type PostingInput, postingWorkflowId } from '../../schemas/postings/process.ts'
import { SEARCH, TASK_QUEUE } from '../../schemas/processes.ts'
import type { Recovery } from '../common/processes.ts'
import type { Rows } from '../database/database.ts'

/** Start options of a posting's process, for every starter. `poster` in lower case. */
export const postingStart = (input: PostingInput, { poster, title }: { poster: string; title: string }) => ({
  taskQueue: TASK_QUEUE,
  workflowId: postingWorkflowId(input.jobId),
  args: [input] as [PostingInput],
  staticSummary: `Posting ${title}`,
  staticDetails: `Job ${input.jobId}, drafted by ${poster}. Follows its funding, its claims and its refund on chain, and frees its escrow from claims while it is not listed.`,
  typedSearchAttributes: [
    { key: SEARCH.jobId, value: input.jobId },
    { key: SEARCH.chainJobId, value: input.jobId },
    { key: SEARCH.wallet, value: poster },
  ],
})

/** Postings that may still move. One that was only quoted has no process. */
export const postingRecovery: Recovery<Rows> = {
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
