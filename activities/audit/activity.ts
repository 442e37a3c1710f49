import type { AuditActivities } from '../../schemas/audit/process.ts'
import type { AuditReport } from '../../schemas/audit/record.ts'
import type { AuditDeps } from './context.ts'
import { storeReport } from './records.ts'
import { runAudit } from './run.ts'

export interface AuditActivityDeps extends AuditDeps {
  /** Called with the report after it is stored. */
  onReport: (report: AuditReport) => void
}

/** The activity of the workflow `audit`: runs every check and stores the results. */
export const createAuditActivities = ({ onReport, ...deps }: AuditActivityDeps): AuditActivities => ({
  runAudit: async () => {
    const report = await runAudit(deps)
    await deps.database.transaction((rows) => storeReport(rows, report))
    onReport(report)
    return report
  },
})
