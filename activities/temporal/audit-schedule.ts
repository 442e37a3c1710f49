import { type Client, ScheduleAlreadyRunning, type ScheduleOptions } from '@temporalio/client'
import { type AuditInput, auditScheduleId } from '../../schemas/audit/process.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { TASK_QUEUE } from '../../schemas/processes.ts'

/** Time between two audits. */
export const AUDIT_INTERVAL_HOURS = 6

const scheduleOf = ({ chainId, name }: Pick<ChainFile, 'chainId' | 'name'>): ScheduleOptions => {
  const input: AuditInput = { v: 1, chainId }
  return {
    scheduleId: auditScheduleId(chainId),
    spec: { intervals: [{ every: `${AUDIT_INTERVAL_HOURS}h` }] },
    policies: { overlap: 'SKIP', catchupWindow: '1h' },
    action: {
      type: 'startWorkflow',
      workflowType: 'audit',
      workflowId: auditScheduleId(chainId),
      taskQueue: TASK_QUEUE,
      args: [input],
      staticSummary: `Audit the records of ${name}`,
    },
  }
}

/** Creates the schedule of the audits, or gives an earlier one the spec of this version. Every worker calls it at startup. */
export const startAuditSchedule = async (client: Client, chain: Pick<ChainFile, 'chainId' | 'name'>): Promise<void> => {
  const schedule = scheduleOf(chain)
  try {
    await client.schedule.create(schedule)
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error
    const { spec, policies, action } = schedule
    await client.schedule.getHandle(schedule.scheduleId).update(({ state }) => ({ spec, action, state, ...(policies && { policies }) }))
  }
}
