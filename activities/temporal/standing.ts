import { type Client, ScheduleAlreadyRunning, type ScheduleOptions } from '@temporalio/client'
import type { StandingProcess } from '../common/processes.ts'

/** Creates the schedule of a process, or gives an earlier one the spec of this version. */
const startSchedule = async (client: Client, { workflow, start }: StandingProcess, everyHours: number): Promise<void> => {
  const schedule: ScheduleOptions = {
    scheduleId: start.workflowId,
    spec: { intervals: [{ every: `${everyHours}h` }] },
    policies: { overlap: 'SKIP', catchupWindow: '1h' },
    action: { type: 'startWorkflow', workflowType: workflow, ...start },
  }
  try {
    await client.schedule.create(schedule)
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error
    const { spec, policies, action } = schedule
    await client.schedule.getHandle(schedule.scheduleId).update(({ state }) => ({ spec, action, state, ...(policies && { policies }) }))
  }
}

/** Starts a process unless it runs. Every worker calls it at startup. */
export const startStanding = async (client: Client, process: StandingProcess): Promise<void> => {
  const { workflow, start, everyHours } = process
  if (everyHours !== undefined) return startSchedule(client, process, everyHours)
  await client.workflow.start(workflow, { ...start, workflowIdConflictPolicy: 'USE_EXISTING' })
}
