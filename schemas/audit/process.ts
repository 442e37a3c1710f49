import type { AuditReport } from './record.ts'

/** Id of the schedule that starts audits; one per chain. */
export const auditScheduleId = (chainId: number): string => `audit/${chainId}`

export interface AuditInput {
  v: 1
  chainId: number
}

export interface AuditActivities {
  /** Runs every check once and stores the results. Checks that cannot be read are part of the report. */
  runAudit(input: { chainId: number }): Promise<AuditReport>
}
