import { proxyActivities, setCurrentDetails } from '@temporalio/workflow'
import { reportLines } from '../../domain/audit/report.ts'
import type { AuditActivities, AuditInput } from '../../schemas/audit/process.ts'
import type { AuditReport } from '../../schemas/audit/record.ts'
import { TASK_QUEUES } from '../../schemas/processes.ts'
import { LIMITS } from '../common/limits.ts'
import { pinToVersion } from '../common/versions.ts'

/** An audit reads all records and takes minutes. A lost one is begun again; the next one of the schedule comes anyway. */
const auditor = proxyActivities<AuditActivities>({
  taskQueue: TASK_QUEUES.chain,
  startToCloseTimeout: '2h',
  heartbeatTimeout: LIMITS.auditHeartbeat,
  retry: { initialInterval: '10s', backoffCoefficient: 2, maximumInterval: '5m', maximumAttempts: 5 },
})

/** Runs one audit. Its result and its details are the report; findings do not fail it. */
export async function audit({ chainId }: AuditInput): Promise<AuditReport> {
  setCurrentDetails(`Compares the records with each other and with chain ${chainId}.`)
  const report = await auditor.runAudit({ chainId })
  setCurrentDetails(reportLines(report).join('\n\n'))
  return report
}
pinToVersion(audit)
