import { setCurrentDetails } from '@temporalio/workflow'
import { reportLines } from '../../domain/audit/report.ts'
import type { AuditInput } from '../../schemas/audit/process.ts'
import type { AuditReport } from '../../schemas/audit/record.ts'
import { auditor } from '../common/proxies.ts'

/** Runs one audit. Its result and its details are the report; findings do not fail it. */
export async function audit({ chainId }: AuditInput): Promise<AuditReport> {
  setCurrentDetails(`Compares the records with each other and with chain ${chainId}.`)
  const report = await auditor.runAudit({ chainId })
  setCurrentDetails(reportLines(report).join('\n\n'))
  return report
}
