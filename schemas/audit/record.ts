import type { AuditCheckName } from './checks.ts'

/** One contradiction. */
export interface AuditFinding {
  /** Wallet, transaction, session or block that it concerns. */
  subject: string
  expected: string
  found: string
}

/** Outcome of a check: `passed` without findings, `failed` with some, `unread` when something it needs could not be read. */
const AUDIT_OUTCOMES = ['passed', 'failed', 'unread'] as const
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number]

/** Result of one check. */
export interface AuditResult {
  check: AuditCheckName
  outcome: AuditOutcome
  /** Number of findings. */
  findings: number
  /** The first of them. */
  examples: AuditFinding[]
  /** Why it could not be read; null otherwise. */
  reason: string | null
  /** Duration, ms. */
  durationMs: number
}

/** Result of an audit. */
export interface AuditReport {
  /** Block whose state was read, decimal digits; null if no event of the chain is recorded. */
  block: string | null
  results: AuditResult[]
}
