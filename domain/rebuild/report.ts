import type { AuditResult } from '../../schemas/audit/record.ts'
import type { Difference } from './difference.ts'
import { REBUILD_INPUTS } from './inputs.ts'

/** Result of a rebuild. */
export interface RebuildReport {
  /** Block up to which the events count, decimal digits; null if none is recorded. */
  block: string | null
  /** Checks of the sources themselves. Differences mean something only if all pass. */
  sources: AuditResult[]
  /** Records that were rebuilt, by kind. */
  rebuilt: { sessions: number; badges: number; receipts: number; ledgerEntries: number; wallets: number }
  /** Sessions whose members of the chain were not compared. */
  withoutChain: number
  differences: Difference[]
  /** Why something could not be read; null otherwise. */
  reason: string | null
}

export type RebuildOutcome = 'equal' | 'different' | 'unread'

/** A source that cannot be read or is itself altered proves nothing about the records. */
export const rebuildOutcome = (report: Pick<RebuildReport, 'sources' | 'differences' | 'reason'>): RebuildOutcome => {
  const { sources, differences, reason } = report
  if (reason !== null || sources.some(({ outcome }) => outcome === 'unread')) return 'unread'
  return differences.length > 0 || sources.some(({ outcome }) => outcome === 'failed') ? 'different' : 'equal'
}

/** Exit code of the command for each outcome. */
export const REBUILD_EXIT: Readonly<Record<RebuildOutcome, number>> = { equal: 0, different: 1, unread: 2 }

const sourceLines = ({ check, outcome, reason, examples }: AuditResult): string[] => [
  `source ${check}: ${outcome}${reason === null ? '' : ` (${reason})`}`,
  ...examples.map(({ subject, expected, found }) => `  ${subject}: expected ${expected}, found ${found}`),
]

const inputLines = (): string[] => ['Not rebuilt:', ...Object.entries(REBUILD_INPUTS).map(([member, why]) => `  ${member}: ${why}`)]

/** A report for an operator, as lines; `verbose` adds the members that are not rebuilt. */
export const rebuildLines = (report: RebuildReport, { verbose }: { verbose: boolean }): string[] => {
  const { sessions, badges, receipts, ledgerEntries, wallets } = report.rebuilt
  return [
    report.block === null ? 'The records hold no block of the chain.' : `Events up to block ${report.block}.`,
    ...report.sources.flatMap(sourceLines),
    `Rebuilt ${sessions} sessions (${report.withoutChain} from their histories alone), ${badges} badges, ${receipts} receipts, ${ledgerEntries} ledger entries, scores of ${wallets} wallets.`,
    ...report.differences.map(({ subject, member, rebuilt, stored }) => `${subject}: ${member}: rebuilt ${rebuilt}, stored ${stored}`),
    report.reason === null ? `${report.differences.length} differences.` : `Could not be read: ${report.reason}`,
    ...(verbose ? inputLines() : []),
  ]
}
