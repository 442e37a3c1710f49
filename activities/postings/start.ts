import { type PostingInput, postingWorkflowId } from '../../schemas/postings/process.ts'
import { SEARCH, TASK_QUEUE } from '../../schemas/processes.ts'

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
