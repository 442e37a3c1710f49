import { type Client, WorkflowNotFoundError } from '@temporalio/client'
import type { Recovery, WantedProcess } from '../common/processes.ts'
import type { Database } from '../database/database.ts'
import { listRunning, type RunningProcess } from './deployments.ts'

const REASON = 'The records were restored. A new run begins from them.'

export interface RecoveryDeps {
  client: Client
  database: Database
  chainId: number
  recoveries: readonly Recovery[]
}

/** What a recovery of processes ends and begins. */
export interface ProcessPlan {
  /** Running processes that the records do not call for, or that a new run replaces. */
  ends: RunningProcess[]
  begins: WantedProcess[]
}

/** Reads what runs and what the open records call for. */
export const planProcesses = async ({ client, database, chainId, recoveries }: RecoveryDeps): Promise<ProcessPlan> => {
  const replaced = new Set(recoveries.flatMap(({ workflows }) => workflows))
  const ends: RunningProcess[] = []
  for await (const running of listRunning(client)) if (replaced.has(running.type)) ends.push(running)
  const begins = await Promise.all(recoveries.map(({ listWanted }) => listWanted(database.rows, { chainId })))
  return { ends, begins: begins.flat() }
}

/** Ends and begins what a plan says. A repeat ends what the last one began, and begins it again from the records. */
export const replaceProcesses = async (client: Client, { ends, begins }: ProcessPlan): Promise<void> => {
  for (const { workflowId, runId } of ends)
    await client.workflow
      .getHandle(workflowId, runId)
      .terminate(REASON)
      .catch((error: unknown) => {
        if (!(error instanceof WorkflowNotFoundError)) throw error
      })
  for (const { workflow, start } of begins)
    await client.workflow.start(workflow, {
      ...start,
      // The list of the engine lags: a process that it lacks ends here.
      workflowIdConflictPolicy: 'TERMINATE_EXISTING',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    })
}
