import type { Client } from '@temporalio/client'
import { postingStart } from '../../activities/postings/start.ts'
import { postingChanged } from '../../schemas/postings/process.ts'
import type { PostingRecord } from '../../schemas/postings/record.ts'
import type { EngineCalls } from './calls.ts'
import { unavailable } from './failures.ts'

/** Below the time that a caller waits for an answer. */
const START_LIMIT_MS = 4_000

type Posted = Pick<PostingRecord, 'jobId' | 'poster' | 'definition'>

const startOf = ({ jobId, poster, definition: { title } }: Posted) =>
  ({
    ...postingStart({ v: 1, jobId }, { poster, title }),
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
  }) as const

/** Calls of the API to the process of a posting. Throw 503 `workflow_engine_unavailable`. */
export const createPostingCalls = ({ client, within }: EngineCalls) => {
  const call = async (work: (workflow: Client['workflow']) => Promise<unknown>): Promise<void> => {
    const sent = await within(START_LIMIT_MS, 'workflow_engine_unavailable', () => work(client.workflow))
    if (sent.kind === 'pending') throw unavailable(new Error('the process of the posting was not confirmed'))
  }
  return {
    /** Starts the process, unless it runs. */
    startPosting: (posted: Posted): Promise<void> => call((workflow) => workflow.start('externalPosting', startOf(posted))),

    /** Makes the process of a posting compare it again, or starts it. */
    wakePosting: (posted: Posted): Promise<void> =>
      call((workflow) => workflow.signalWithStart('externalPosting', { ...startOf(posted), signal: postingChanged, signalArgs: [] })),
  }
}
