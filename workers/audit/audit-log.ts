import type { Logger } from 'pino'
import type { AuditReport } from '../../schemas/audit/record.ts'

/** Logs each check of an audit that did not pass, with its first finding. */
export const createAuditLog =
  (logger: Pick<Logger, 'warn'>) =>
  ({ block, results }: AuditReport): void => {
    for (const { check, outcome, findings, examples, reason } of results)
      if (outcome !== 'passed')
        logger.warn({ check, outcome, findings, block, reason, first: examples[0] }, 'a check of the audit did not pass')
  }
