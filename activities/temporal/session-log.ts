import type { Client } from '@temporalio/client'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { SEARCH, TASK_QUEUE } from '../../schemas/processes.ts'
import { type SessionLogInput, sessionLogWorkflowId } from '../../schemas/session-log/process.ts'

/** Starts the process that closes the days of the session log, unless it runs. Every worker calls it at startup. */
export const startSessionLog = async (client: Client, { chainId, name }: Pick<ChainFile, 'chainId' | 'name'>): Promise<void> => {
  const input: SessionLogInput = { v: 1, chainId }
  await client.workflow.start('sessionLog', {
    taskQueue: TASK_QUEUE,
    workflowId: sessionLogWorkflowId(chainId),
    workflowIdConflictPolicy: 'USE_EXISTING',
    args: [input],
    typedSearchAttributes: [{ key: SEARCH.sessionState, value: 'open' }],
    staticSummary: `Close the days of the session log of ${name}`,
    staticDetails: 'Lists the entries of all session histories that no day has yet, and signs the head of the day, at midnight UTC.',
  })
}
