import type { Client } from '@temporalio/client'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { type FollowerInput, followerWorkflowId } from '../../schemas/chain/process.ts'
import { SEARCH, TASK_QUEUE } from '../../schemas/processes.ts'

/** Starts the chain follower unless it runs. Every worker calls it at startup. */
export const startChainFollower = async (client: Client, { chainId, name }: Pick<ChainFile, 'chainId' | 'name'>): Promise<void> => {
  const input: FollowerInput = { v: 1, chainId, progress: null }
  await client.workflow.start('chainFollower', {
    taskQueue: TASK_QUEUE,
    workflowId: followerWorkflowId(chainId),
    workflowIdConflictPolicy: 'USE_EXISTING',
    args: [input],
    typedSearchAttributes: [{ key: SEARCH.sessionState, value: 'following' }],
    staticSummary: `Follow the events of ${name}`,
    staticDetails: `Reads the logs of the contracts on chain ${chainId} into the records and notifies workflows.`,
  })
}
