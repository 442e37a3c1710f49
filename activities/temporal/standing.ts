import type { Client } from '@temporalio/client'
import type { StandingProcess } from '../common/processes.ts'
import { startSchedule } from './schedules.ts'

/** Starts a process unless it runs. Every worker calls it at startup. */
export const startStanding = async (client: Client, process: StandingProcess): Promise<void> => {
  const { workflow, start, schedule } = process
  if (schedule !== undefined) return startSchedule(client, process, schedule)
  await client.workflow.start(workflow, { ...start, workflowIdConflictPolicy: 'USE_EXISTING' })
}
