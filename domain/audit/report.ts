import { AUDIT_CHECKS } from '../../schemas/audit/checks.ts'
import type { AuditOutcome, AuditReport, AuditResult } from '../../schemas/audit/record.ts'

/** Outcome of a whole audit. What could not be read weighs more than findings: the audit proves nothing about it. */
export const outcomeOf = ({ results }: Pick<AuditReport, 'results'>): AuditOutcome => {
  if (results.some(({ outcome }) => outcome === 'unread') || results.length === 0) return 'unread'
  return results.some(({ outcome }) => outcome === 'failed') ? 'failed' : 'passed'
}

/** Exit code of the command for each outcome. */
export const AUDIT_EXIT: Readonly<Record<AuditOutcome, number>> = { passed: 0, failed: 1, unread: 2 }

const seconds = (durationMs: number): string => `${(durationMs / 1_000).toFixed(1)} s`

const resultLines = ({ check, outcome, findings, examples, reason, durationMs }: AuditResult): string[] => {
  if (outcome === 'passed') return [`${check}: passed (${seconds(durationMs)})`]
  if (outcome === 'unread') return [`${check}: could not be read: ${reason}`]
  const { meaning, remedy } = AUDIT_CHECKS[check]
  return [
    `${check}: ${findings} ${findings === 1 ? 'finding' : 'findings'}. ${meaning}`,
    ...examples.map(({ subject, expected, found }) => `  ${subject}: expected ${expected}, found ${found}`),
    ...(findings > examples.length ? [`  and ${findings - examples.length} more`] : []),
    `  Do: ${remedy}`,
  ]
}

/** A report for an operator, as lines. */
export const reportLines = (report: AuditReport): string[] => [
  report.block === null ? 'The records hold no block of the chain.' : `State of block ${report.block}.`,
  ...report.results.flatMap(resultLines),
]
