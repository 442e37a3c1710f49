import { createAuditActivities } from '../../activities/audit/activity.ts'
import { readAuditedPayments } from '../../activities/audit/payments/captured-runs.ts'
import { createScanClient } from '../../activities/chain/clients.ts'
import { type AuditActivities, type AuditInput, auditScheduleId } from '../../schemas/audit/process.ts'
import { TASK_QUEUE } from '../../schemas/processes.ts'
import type { WorkerSubject } from '../subjects.ts'

const SCHEDULE = { everyMinutes: 360, overlap: 'SKIP', catchupMinutes: 60 } as const

export const subject = {
  activities: ({ settings, database, chain, clients, readKey, clock, logger }): AuditActivities =>
    createAuditActivities({
      database,
      chain,
      client: createScanClient(chain, clients.nodes),
      readKey,
      payments: readAuditedPayments(settings, logger),
      now: clock.now,
      onReport: ({ block, results }) => {
        for (const { check, outcome, findings, examples, reason } of results)
          if (outcome !== 'passed')
            logger.warn({ check, outcome, findings, block, reason, first: examples[0] }, 'a check of the audit did not pass')
      },
    }),
  standing: ({ chainId, name }) => {
    const input: AuditInput = { v: 1, chainId }
    return {
      workflow: 'audit',
      start: { taskQueue: TASK_QUEUE, workflowId: auditScheduleId(chainId), args: [input], staticSummary: `Audit the records of ${name}` },
      schedule: SCHEDULE,
    }
  },
} satisfies WorkerSubject
